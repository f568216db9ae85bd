import { ApiError } from '../base/api-error.ts'
import { hasChange } from '../base/api-version.ts'
import { readEnvelope } from '../calls/envelope.ts'
import type { Reply } from '../calls/reply.ts'
import type { Handler } from '../calls/route.ts'
import { COLLECTIONS_SINCE } from './collections/collections.ts'
import { answerAsWhole, collectErrors, makeOperations } from './steps/answer-as-whole.ts'
import { makeReplies, runAtomically } from './steps/atomic.ts'
import { type Run, runSteps } from './steps/run-steps.ts'
import { meetSteps } from './steps/step-faults.ts'
import { isCollection, isQuery } from './steps/step-route.ts'
import { parseSteps, STEP_MEMBERS } from './steps/subrequest.ts'
import { makeSubresponse, type Subresponse } from './steps/subresponse.ts'

/** Versions that brought the calls made of calls. (docs/reference/api/composite.md#batch, docs/reference/api/composite.md#trees) */
export const BATCH_SINCE = 34
const TREE_SINCE = 34
export const GRAPH_SINCE = 50

/** Subrequests of a composite, and how many of them may ask for or write many records. (docs/reference/api/composite.md#limits, docs/reference/api/composite.md#graphs) */
const MAX_STEPS = 25
const MAX_OF_MANY = 5

export const tooManyOperations = (max: number) => `The request can’t contain more than ${max} operations.`

/** Limits are told in the shape of a result. (docs/reference/api/composite.md#refused-requests) */
function limitReply(message: string): Reply {
  const error = new ApiError('LIMIT_EXCEEDED', message)
  const { status, items } = error
  const result: Subresponse = { body: items, httpHeaders: {}, httpStatusCode: status, referenceId: null }
  return { status, body: { compositeResponse: [result] }, error }
}

/** Several operations in order, each of which may use the results of those before it. (docs/reference/api/composite.md#several-operations-in-one-call) */
export const composite: Handler<object> = async (ctx, call, _params, dispatch) => {
  const envelope = readEnvelope(call, ['allOrNone', 'collateSubrequests', 'compositeRequest'])
  const allOrNone = envelope.flag('allOrNone') ?? false
  const collate = envelope.flag('collateSubrequests') ?? hasChange(ctx.version, 'collatedSubrequests')
  const subrequests = envelope.filled('compositeRequest')
  if (subrequests.length > MAX_STEPS) return limitReply(tooManyOperations(MAX_STEPS))
  const steps = parseSteps(ctx, dispatch, envelope.envelopes('compositeRequest', STEP_MEMBERS)!)
  if (steps.filter((step) => isQuery(step) || isCollection(step)).length > MAX_OF_MANY) {
    return limitReply(`The request can’t contain more than ${MAX_OF_MANY} Query/Collection operations.`)
  }
  const faults = await meetSteps(ctx, dispatch, steps)
  const run: Run = { dispatch, call, steps, faults, allOrNone, collate }
  const inside = { ...ctx, nested: 'composite' } as const
  const outcome = await (allOrNone ? runAtomically(inside, run) : runSteps(inside, run))
  const replies = makeReplies(run, outcome)
  const body = { compositeResponse: steps.map((step, number) => makeSubresponse(step, replies[number]!)) }
  return answerAsWhole(makeOperations(steps, replies, faults), {
    status: 200,
    body,
    stepErrors: collectErrors(replies),
  })
}

/** Calls that are made of calls. (docs/reference/api/composite.md#several-operations-in-one-call) */
export const listComposites: Handler<object> = ({ version }) => ({
  status: 200,
  body: {
    ...(version.major >= TREE_SINCE && { tree: `${version.path}/composite/tree` }),
    ...(version.major >= BATCH_SINCE && { batch: `${version.path}/composite/batch` }),
    ...(version.major >= COLLECTIONS_SINCE && { sobjects: `${version.path}/composite/sobjects` }),
    ...(version.major >= GRAPH_SINCE && { graph: `${version.path}/composite/graph` }),
  },
})
