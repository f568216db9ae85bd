import { ApiError } from '../../base/api-error.ts'
import type { Call } from '../../calls/call.ts'
import { readEnvelope } from '../../calls/envelope.ts'
import type { Dispatch } from '../../calls/route.ts'
import type { Context } from '../../context.ts'
import { findDependencies } from '../steps/dependency-order.ts'
import { parseSteps, STEP_MEMBERS, type Step } from '../steps/subrequest.ts'

/** (docs/reference/api/composite.md#graphs) */
const MAX_GRAPHS = 75
const MAX_NODES = 500
const MAX_DEPTH = 15

/** Begins with a letter or a digit, shorter than 40 characters, without a dot. */
const GRAPH_ID = /^[A-Za-z0-9][^.]{0,38}$/

export interface Graph {
  readonly graphId: string
  readonly steps: readonly Step[]
  /** Numbers of the steps in the order in which they run. */
  readonly order: readonly number[]
}

const overLimit = (message: string) => new ApiError('LIMIT_EXCEEDED', message)

/** Reads the graphs of a call. One mistake in any of them refuses the whole call before anything runs. */
export function parseGraphs(ctx: Context, dispatch: Dispatch, call: Call): Graph[] {
  const envelope = readEnvelope(call, ['graphs'])
  if (envelope.filled('graphs').length > MAX_GRAPHS) {
    throw overLimit(`The request can’t contain more than ${MAX_GRAPHS} graphs.`)
  }
  const seen = new Set<string>()
  let nodes = 0
  return envelope.envelopes('graphs', ['graphId', 'compositeRequest'])!.map((graph) => {
    const graphId = graph.required('graphId', graph.text('graphId'))
    if (!GRAPH_ID.test(graphId)) {
      throw graph.refusal(
        `Provided graphId ('${graphId.slice(0, 255)}') must start with a letter or a number, be shorter than 40 characters and hold no period`,
        'graphId',
      )
    }
    if (seen.has(graphId)) throw graph.refusal(`Duplicate graphId found: ${graphId}`, 'graphId')
    seen.add(graphId)
    nodes += graph.filled('compositeRequest').length
    if (nodes > MAX_NODES) throw overLimit(`The request can’t contain more than ${MAX_NODES} nodes.`)
    const steps = parseSteps(ctx, dispatch, graph.envelopes('compositeRequest', STEP_MEMBERS)!)
    const { order, depth } = findDependencies(steps)
    if (depth > MAX_DEPTH) {
      throw overLimit(`The graph ${graphId} is deeper than ${MAX_DEPTH} nodes that depend on each other.`)
    }
    return { graphId, steps, order }
  })
}
