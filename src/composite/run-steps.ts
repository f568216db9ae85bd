import { ApiError } from '../base/api-error.ts'
import type { ApiVersion } from '../base/api-version.ts'
import type { Call } from '../calls/call.ts'
import { parseDataPath } from '../calls/data-path.ts'
import { errorReply, type Reply } from '../calls/reply.ts'
import type { Dispatch } from '../calls/route.ts'
import type { Context } from '../context.ts'
import { Answers } from './answers.ts'
import { collectionFailed, inAllOrNone } from './collection-step.ts'
import { fillBody, fillPath, fillQuery } from './fill-step.ts'
import { isCollection } from './step-url.ts'
import type { Step } from './subrequest.ts'

/** What the steps of one call have in common. */
export interface Run {
  readonly dispatch: Dispatch
  /** Of the whole call: steps stand in its text. */
  readonly call: Call
  readonly steps: readonly Step[]
  /** The first failure ends the run; collections are all or nothing too. */
  readonly allOrNone: boolean
  /** Refuses a version that no step of this kind may have. */
  readonly checkVersion?: (version: ApiVersion) => void
}

/** A step did not do what it was to do. An upsert that several records match has changed nothing, so it failed too. */
export const isFailure = ({ status }: Reply) => status >= 300 && status !== 304

const hasBody = (method: string) => method !== 'GET' && method !== 'DELETE'

function callOf({ call, allOrNone }: Run, step: Step, path: string, answers: Answers): Call {
  const { method, headers, place, url } = step
  const inner: Call = {
    method,
    path: fillPath(path, answers),
    query: fillQuery(url.query, answers),
    headers,
    body: hasBody(method) ? fillBody(step.body, answers) : undefined,
    locate: (way) => call.locate([...place, ...way]),
  }
  return allOrNone && isCollection(url) ? inAllOrNone(inner) : inner
}

async function runStep(ctx: Context, run: Run, step: Step, answers: Answers): Promise<Reply> {
  try {
    const { version, path } = parseDataPath(step.url.path, ctx.settings)
    run.checkVersion?.(version)
    return await run.dispatch({ ...ctx, version }, callOf(run, step, path, answers))
  } catch (error) {
    // What is wrong before there is a call to dispatch.
    if (error instanceof ApiError) return errorReply(error)
    throw error
  }
}

export interface Outcome {
  /** In the order of the steps; without those behind the culprit. */
  readonly replies: readonly Reply[]
  /** Number of the step that failed where all must succeed. */
  readonly culprit: number | undefined
}

/** Runs steps one after the other, in their order. */
export async function runSteps(ctx: Context, run: Run): Promise<Outcome> {
  const answers = new Answers(ctx)
  const replies: Reply[] = []
  for (const [number, step] of run.steps.entries()) {
    const reply = await runStep(ctx, run, step, answers)
    replies.push(reply)
    const failed = isFailure(reply) || (run.allOrNone && isCollection(step.url) && collectionFailed(reply))
    if (!failed) answers.add(step, reply)
    else if (run.allOrNone) return { replies, culprit: number }
  }
  return { replies, culprit: undefined }
}
