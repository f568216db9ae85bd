import { ApiError } from '../../base/api-error.ts'
import type { ApiVersion } from '../../base/api-version.ts'
import { isObject } from '../../base/json.ts'
import { makePauses } from '../../base/make-pauses.ts'
import type { Call } from '../../calls/call.ts'
import { parseDataPath } from '../../calls/data-path.ts'
import { errorReply, type Reply } from '../../calls/reply.ts'
import type { Dispatch } from '../../calls/route.ts'
import type { Context } from '../../context.ts'
import { collectionFailed, inAllOrNone } from './collection-step.ts'
import { namesIn } from './dependency-order.ts'
import { fillBody, fillPath, fillQuery } from './fill-step.ts'
import type { StepFaults } from './step-faults.ts'
import { StepResults } from './step-results.ts'
import { isCollection } from './step-route.ts'
import type { Step } from './subrequest.ts'

/** Context that the steps of one call share. */
export interface Run {
  readonly dispatch: Dispatch
  /** Of the whole call: steps stand in its text. */
  readonly call: Call
  readonly steps: readonly Step[]
  /** The faults that are injected into them. */
  readonly faults: StepFaults
  /** The first failure ends the run; collections are all or nothing too. */
  readonly allOrNone: boolean
  /** False: triggers see each step by itself. */
  readonly collate?: boolean
  /** Refuses a version that no step of this kind may have. */
  readonly checkVersion?: (version: ApiVersion) => void
}

/** A step did not do what it was to do. An upsert that several records match has changed nothing, so it failed too. */
const isFailure = ({ status }: Reply) => status >= 300 && status !== 304

const hasBody = (method: string) => method !== 'GET' && method !== 'DELETE'

function makeCall({ call, allOrNone }: Run, step: Step, path: string, stepResults: StepResults): Call {
  const { method, headers, location, url } = step
  const inner: Call = {
    method,
    path: fillPath(path, stepResults),
    query: fillQuery(url.query, stepResults),
    headers,
    body: hasBody(method) ? fillBody(step, stepResults) : undefined,
    locate: (way) => call.locate([...location, ...way]),
  }
  return allOrNone && isCollection(step) ? inAllOrNone(inner) : inner
}

/** False if the record names another one by its key, which a step before may have given it. */
const isIndependent = (body: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(body).every(([name, value]) => name === 'attributes' || !isObject(value))

/**
 * Returns the route and the object, in which steps that are carried out together have to agree.
 * @returns undefined for a step that asks for more than its route does by itself, or that has to be carried out alone
 */
function findKind({ method, url, match, headers, body }: Step): string | undefined {
  if (url.query !== '' || Object.keys(headers).length > 0) return undefined
  if (hasBody(method) && !(isObject(body) && isIndependent(body))) return undefined
  if (match?.route.many === undefined) return undefined
  const { object = '' } = match.params as { object?: string }
  const [, , , version] = url.path.split('/')
  // Names are known whatever their case.
  return [method, version, match.route.path, object].join(' ').toLowerCase()
}

/** How many steps from a number on may be carried out together: none of them refers to another one of them. */
function runLength(run: Run, from: number): number {
  const { steps, collate, faults } = run
  const first = steps[from]!
  const kind = collate === false || faults !== undefined ? undefined : findKind(first)
  if (kind === undefined) return 1
  const inside = new Set([first.referenceId])
  let end = from + 1
  for (; end < steps.length; end++) {
    const step = steps[end]!
    if (findKind(step) !== kind) break
    if ([...namesIn(step)].some((name) => inside.has(name))) break
    inside.add(step.referenceId)
  }
  return end - from
}

/** A parsed step, or why it cannot be carried out. */
function prepare(ctx: Context, run: Run, step: Step, stepResults: StepResults): Prepared | Reply {
  const faults = run.faults?.get(step)
  try {
    const { version, path } = parseDataPath(step.url.path, ctx.settings, ctx.clock())
    run.checkVersion?.(version)
    return { ctx: { ...ctx, version, faults }, call: makeCall(run, step, path, stepResults) }
  } catch (error) {
    // Errors that come before there is a call to dispatch.
    if (error instanceof ApiError) return errorReply(error)
    throw error
  }
}

interface Prepared {
  readonly ctx: Context
  readonly call: Call
}

const isPrepared = (one: Prepared | Reply): one is Prepared => 'call' in one

/** Steps that stand next to each other and may be carried out at once. A reply for each. */
async function runTogether(
  ctx: Context,
  run: Run,
  steps: readonly Step[],
  stepResults: StepResults,
): Promise<readonly Reply[]> {
  const prepared = steps.map((step) => prepare(ctx, run, step, stepResults))
  const ready = prepared.filter(isPrepared)
  if (steps.length > 1 && ready.length === steps.length) {
    const calls = ready.map(({ call }) => call)
    const together = await run.dispatch.many(ready[0]!.ctx, calls, run.allOrNone)
    if (together !== undefined) return together
  }
  const replies: Reply[] = []
  for (const one of prepared) {
    const reply = isPrepared(one) ? await run.dispatch(one.ctx, one.call) : one
    replies.push(reply)
    if (run.allOrNone && isFailure(reply)) break
  }
  return replies
}

export interface Outcome {
  /** In the order of the steps; without those after the failed one. */
  readonly replies: readonly Reply[]
  /** Number of the step that failed where all must succeed. */
  readonly failed: number | undefined
}

/** It was all right, and taken back because another one was not. */
const wasRolledBack = ({ error }: Reply) => error?.code === 'ALL_OR_NONE_OPERATION_ROLLED_BACK'

/** Runs steps in their order. Neighbours of one route and object are carried out together. */
export async function runSteps(ctx: Context, run: Run): Promise<Outcome> {
  const stepResults = new StepResults(ctx)
  const replies: Reply[] = []
  const pauseIfDue = makePauses()
  while (replies.length < run.steps.length) {
    await pauseIfDue()
    const from = replies.length
    const steps = run.steps.slice(from, from + runLength(run, from))
    const together = await runTogether(ctx, run, steps, stepResults)
    replies.push(...together)
    const failed: number[] = []
    for (const [index, reply] of together.entries()) {
      const step = steps[index]!
      if (isFailure(reply) || (run.allOrNone && isCollection(step) && collectionFailed(reply)))
        failed.push(index)
      else stepResults.add(step, reply)
    }
    // The one that failed by itself, not those that were taken back with it.
    const first = failed.find((index) => !wasRolledBack(together[index]!)) ?? failed[0]
    if (run.allOrNone && first !== undefined) return { replies, failed: from + first }
  }
  return { replies, failed: undefined }
}
