import { ApiError } from '../base/api-error.ts'
import type { ApiVersion } from '../base/api-version.ts'
import { packLarge } from '../base/json-pieces.ts'
import { makePauses } from '../base/make-pauses.ts'
import type { Call } from '../calls/call.ts'
import { parseDataPath } from '../calls/data-path.ts'
import { type Envelope, readEnvelope } from '../calls/envelope.ts'
import { errorReply, type Reply } from '../calls/reply.ts'
import type { Dispatch, Handler } from '../calls/route.ts'
import type { Context } from '../context.ts'
import { BATCH_SINCE, tooManyOperations } from './composite.ts'
import { answerAsWhole, collectErrors, makeOperations } from './steps/answer-as-whole.ts'
import { meetSteps } from './steps/step-faults.ts'
import { halted } from './steps/step-results.ts'
import type { StepUrl } from './steps/step-url.ts'
import { readMethod, readUrl } from './steps/subrequest.ts'

const MAX_STEPS = 25

const STEP_MEMBERS = ['method', 'url', 'richInput', 'binaryPartName', 'binaryPartNameAlias']

interface BatchStep {
  readonly method: string
  readonly url: StepUrl
  readonly body: unknown
  readonly location: readonly (string | number)[]
}

function parseBatchStep(ctx: Context, envelope: Envelope): BatchStep {
  for (const name of ['binaryPartName', 'binaryPartNameAlias']) {
    if (envelope.text(name) !== undefined) {
      throw envelope.refusal('Binary parts are not supported: a batch is JSON only', name)
    }
  }
  return {
    method: readMethod(envelope),
    url: readUrl(ctx, envelope, true),
    body: envelope.value('richInput'),
    location: [...envelope.path, 'richInput'],
  }
}

/** Headers with options hold for all steps, which have none of their own; conditions are about one resource. */
const optionsIn = (headers: Call['headers']): Call['headers'] =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => /^(?:svc|sforce)-/.test(name)))

function checkVersion(version: ApiVersion, outer: ApiVersion): void {
  if (version.major >= BATCH_SINCE && version.major <= outer.major) return
  throw halted(
    `The version of a subrequest must be from ${BATCH_SINCE}.0 to ${outer.text}, that of the batch, not ${version.text}.`,
  )
}

async function runStep(ctx: Context, call: Call, step: BatchStep, dispatch: Dispatch): Promise<Reply> {
  const { method, url, location } = step
  try {
    const { version, path } = parseDataPath(url.path, ctx.settings, ctx.clock())
    checkVersion(version, ctx.version)
    return await dispatch(
      { ...ctx, version },
      {
        method,
        path,
        query: new URLSearchParams(url.query),
        headers: optionsIn(call.headers),
        body: method === 'GET' || method === 'DELETE' ? undefined : step.body,
        locate: (way) => call.locate([...location, ...way]),
      },
    )
  } catch (error) {
    if (error instanceof ApiError) return errorReply(error)
    throw error
  }
}

const HALTED: Reply = Object.freeze(
  errorReply(
    new ApiError('BATCH_PROCESSING_HALTED', 'A previous subrequest failed and the haltOnError flag was set'),
  ),
)

/** Independent operations, one after the other, each with its own outcome. (docs/reference/api/composite.md#batch) */
export const batch: Handler<object> = async (ctx, call, _params, dispatch) => {
  const envelope = readEnvelope(call, ['batchRequests', 'haltOnError'])
  const haltOnError = envelope.flag('haltOnError') ?? false
  if (envelope.filled('batchRequests').length > MAX_STEPS) {
    throw new ApiError('LIMIT_EXCEEDED', tooManyOperations(MAX_STEPS))
  }
  const steps = envelope
    .envelopes('batchRequests', STEP_MEMBERS)!
    .map((subrequest) => parseBatchStep(ctx, subrequest))
  const replies: Reply[] = []
  let failed = false
  const faults = await meetSteps(ctx, dispatch, steps)
  const pauseIfDue = makePauses()
  for (const step of steps) {
    await pauseIfDue()
    const inside = { ...ctx, nested: 'batch', faults: faults?.get(step) } as const
    const reply: Reply = failed && haltOnError ? HALTED : await runStep(inside, call, step, dispatch)
    failed ||= reply.status >= 400
    replies.push({ ...reply, body: await packLarge(reply.body) })
  }
  const results = replies.map(({ status, body }) => ({ statusCode: status, result: body ?? null }))
  return answerAsWhole(makeOperations(steps, replies, faults), {
    status: 200,
    body: { hasErrors: failed, results },
    stepErrors: collectErrors(replies),
  })
}
