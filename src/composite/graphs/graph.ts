import type { ApiVersion } from '../../base/api-version.ts'
import { makePauses } from '../../base/make-pauses.ts'
import type { Call } from '../../calls/call.ts'
import { toApiError } from '../../calls/dispatch.ts'
import { errorReply, type Reply } from '../../calls/reply.ts'
import type { Dispatch, Handler } from '../../calls/route.ts'
import type { Context } from '../../context.ts'
import { GRAPH_SINCE } from '../composite.ts'
import { answerAsWhole, collectErrors, makeOperations, type Operation } from '../steps/answer-as-whole.ts'
import { haltedReply, makeReplies, runAtomically } from '../steps/atomic.ts'
import type { Run } from '../steps/run-steps.ts'
import { meetSteps } from '../steps/step-faults.ts'
import { halted } from '../steps/step-results.ts'
import { makeSubresponse } from '../steps/subresponse.ts'
import { type Graph, parseGraphs } from './graph-request.ts'

/** When more graphs than these have failed, the rest is not tried. (docs/reference/api/composite.md#graphs) */
const MAX_FAILED = 14

function checkVersion({ major, text }: ApiVersion): void {
  if (major >= GRAPH_SINCE) return
  throw halted(`The version of a subrequest in a graph must be ${GRAPH_SINCE}.0 or later, not ${text}.`)
}

/** The replies in the order in which the steps run, and whether the graph is there now. */
interface GraphOutcome {
  readonly replies: readonly Reply[]
  readonly isSuccessful: boolean
}

async function runGraph(ctx: Context, run: Run): Promise<GraphOutcome> {
  try {
    const outcome = await runAtomically(ctx, run)
    return { replies: makeReplies(run, outcome), isSuccessful: outcome.failed === undefined }
  } catch (thrown) {
    // Graphs before this one are there for good, so the call as a whole has to tell which.
    const reply = errorReply(toApiError(thrown, ctx))
    return { replies: run.steps.map(() => reply), isSuccessful: false }
  }
}

function notRun(steps: readonly unknown[]): GraphOutcome {
  const reply = haltedReply(
    `The graph was not run since more than ${MAX_FAILED} graphs of the request failed.`,
  )
  return { replies: steps.map(() => reply), isSuccessful: false }
}

function makeResult({ graphId, steps, order }: Graph, { replies, isSuccessful }: GraphOutcome) {
  const byStep = new Map(order.map((number, location) => [number, replies[location]!]))
  const inOrder = steps.map((_, number) => byStep.get(number)!)
  const compositeResponse = steps.map((step, number) => makeSubresponse(step, inOrder[number]!))
  const body = { graphId, graphResponse: { compositeResponse }, isSuccessful }
  return { body, errors: collectErrors(inOrder) }
}

async function makeRun(ctx: Context, { steps, order }: Graph, call: Call, dispatch: Dispatch): Promise<Run> {
  const faults = await meetSteps(ctx, dispatch, steps)
  const inOrder = order.map((number) => steps[number]!)
  return { dispatch, call, steps: inOrder, faults, allOrNone: true, checkVersion }
}

/** Composites of up to 500 nodes; each graph is all or nothing by itself. (docs/reference/api/composite.md#limits, docs/reference/api/composite.md#graphs) */
export const graph: Handler<object> = async (ctx, call, _params, dispatch) => {
  const inside = { ...ctx, nested: 'graph' } as const
  let failed = 0
  const results: ReturnType<typeof makeResult>[] = []
  const operations: Operation[] = []
  const pauseIfDue = makePauses()
  for (const one of parseGraphs(ctx, dispatch, call)) {
    await pauseIfDue()
    if (failed > MAX_FAILED) {
      results.push(makeResult(one, notRun(one.steps)))
      continue
    }
    const run = await makeRun(inside, one, call, dispatch)
    const outcome = await runGraph(inside, run)
    if (!outcome.isSuccessful) failed++
    results.push(makeResult(one, outcome))
    operations.push(...makeOperations(run.steps, outcome.replies, run.faults))
  }
  return answerAsWhole(operations, {
    status: 200,
    body: { graphs: results.map(({ body }) => body) },
    stepErrors: results.flatMap(({ errors }) => errors),
  })
}
