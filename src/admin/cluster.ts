import { ApiError } from '../base/api-error.ts'
import { readEnvelope } from '../calls/envelope.ts'
import { type Handler, type Route, route } from '../calls/route.ts'
import type { Context } from '../context.ts'
import type { Db } from '../storage/database/db.ts'
import { LockRetries } from '../storage/database/lock-retries.ts'
import { databaseFault } from '../storage/database/pg-error.ts'
import {
  type ClusterNode,
  inspectNodes,
  loadNodes,
  loadPlaces,
  loadRebalance,
  moveOrg,
  nodeName,
  startRebalance,
} from '../storage/orgs/cluster.ts'
import { requireFirstOrg, requireOrg } from './orgs.ts'

async function requireCluster(ctx: Context): Promise<void> {
  await requireFirstOrg(ctx)
  if (ctx.db.isCluster) return
  throw new ApiError(
    'INVALID_OPERATION',
    'The database is no cluster: it is one PostgreSQL server, which has all orgs. docs/how-to/run-on-a-cluster.md says how to make one',
  )
}

function requireNode(nodes: readonly ClusterNode[], named: string, field: string): ClusterNode {
  const node = nodes.find((one) => nodeName(one) === named)
  if (node !== undefined) return node
  const names = nodes.map(nodeName).join(', ')
  throw new ApiError('INVALID_INPUT', `The cluster has no node ${named}. It has ${names}`, {
    fields: [field],
  })
}

/** A move writes to a node what another one sends it of its log. */
async function checkNodesForMoves(db: Db, nodes: readonly ClusterNode[]): Promise<void> {
  const inspected = await inspectNodes(db, nodes)
  const silent = nodes.map(nodeName).filter((name) => !inspected.has(name))
  if (silent.length > 0) {
    throw new ApiError('SERVER_UNAVAILABLE', `${silent.join(', ')} does not answer: nothing was moved`)
  }
  const low = [...inspected].find(([, { walLevel }]) => walLevel !== 'logical')
  if (low === undefined) return
  throw new ApiError(
    'INVALID_OPERATION',
    `${low[0]} has wal_level = ${low[1].walLevel}, and a move needs logical. Set wal_level = logical in its postgresql.conf, and restart it`,
  )
}

/** Citus refuses what it cannot do in its own words, which are for the operator of the cluster. */
async function explainRefusal<T>(refused: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const fault = databaseFault(error)?.kind
    if (error instanceof ApiError || (fault !== undefined && fault !== 'locked')) throw error
    throw new ApiError('INVALID_OPERATION', `${refused}: ${(error as Error).message}`, { cause: error })
  }
}

const readStatus: Handler<object> = async (ctx) => {
  await requireCluster(ctx)
  const [nodes, places] = [await loadNodes(ctx.db), await loadPlaces(ctx.db)]
  const inspected = await inspectNodes(ctx.db, nodes)
  const body = nodes.map(({ isCoordinator, takesOrgs, ...address }) => {
    const node = nodeName(address)
    const here = [...places].filter(([, place]) => place === node).map(([schemaName]) => schemaName)
    const known = inspected.get(node)
    const bytes = known && here.reduce((sum, schemaName) => sum + (known.bytes[schemaName] ?? 0), 0)
    const answers = known !== undefined
    return { node, isCoordinator, answers, takesOrgs, orgs: here.length, bytes: bytes ?? null }
  })
  return { status: 200, body: { nodes: body, rebalance: (await loadRebalance(ctx.db)) ?? null } }
}

const move: Handler<{ org: string }> = async (ctx, call, params) => {
  await requireCluster(ctx)
  const org = await requireOrg(ctx, params.org)
  const envelope = readEnvelope(call, ['to'])
  const nodes = await loadNodes(ctx.db)
  const target = requireNode(nodes, envelope.required('to', envelope.text('to')), 'to')
  const node = nodeName(target)
  const from = (await loadPlaces(ctx.db)).get(org.schemaName)
  if (from === undefined) {
    throw new ApiError(
      'INVALID_OPERATION',
      `Org "${org.name}" is not distributed, so it cannot be moved. Let the cluster have it first: select citus_schema_distribute('${org.schemaName}')`,
    )
  }
  if (from === node) throw new ApiError('INVALID_INPUT', `Org "${org.name}" is already on ${node}`)
  if (!target.takesOrgs) {
    throw new ApiError(
      'INVALID_OPERATION',
      `${node} takes no orgs. Let it: select citus_set_node_property('${target.host}', ${target.port}, 'shouldhaveshards', true)`,
    )
  }
  const both = [requireNode(nodes, from, 'to'), target]
  await checkNodesForMoves(ctx.db, both)
  const retries = new LockRetries(ctx)
  await explainRefusal(`Org "${org.name}" was not moved`, () =>
    retries.run(() => moveOrg(ctx.db, org, target)),
  )
  return { status: 200, body: { id: org.id, name: org.name, node } }
}

/** @param drained the node that is to have no orgs */
async function begin(ctx: Context, nodes: readonly ClusterNode[], drained?: ClusterNode) {
  await checkNodesForMoves(ctx.db, nodes)
  const isBegun = await explainRefusal('Nothing was moved', () => startRebalance(ctx.db, drained))
  const nothing = { state: 'finished', moves: 0, done: 0, error: null }
  return { status: 202, body: isBegun ? await loadRebalance(ctx.db) : nothing }
}

const rebalance: Handler<object> = async (ctx) => {
  await requireCluster(ctx)
  return begin(ctx, await loadNodes(ctx.db))
}

const drain: Handler<object> = async (ctx, call) => {
  await requireCluster(ctx)
  const envelope = readEnvelope(call, ['node'])
  const nodes = await loadNodes(ctx.db)
  const drained = requireNode(nodes, envelope.required('node', envelope.text('node')), 'node')
  const isOnlyOne = nodes.every((node) => node === drained || !node.takesOrgs)
  if (isOnlyOne) {
    throw new ApiError(
      'INVALID_OPERATION',
      `No other node takes orgs than ${nodeName(drained)}. Add one first: select citus_add_node('host', 5432)`,
    )
  }
  return begin(ctx, nodes, drained)
}

const readRebalance: Handler<object> = async (ctx) => {
  await requireCluster(ctx)
  return { status: 200, body: (await loadRebalance(ctx.db)) ?? null }
}

/** Says where the orgs of a cluster are, and moves them. */
export const clusterRoutes: readonly Route[] = [
  route('GET', '/cluster', 'setup', readStatus),
  route('GET', '/cluster/rebalance', 'setup', readRebalance),
  route('POST', '/cluster/rebalance', 'setup', rebalance),
  route('POST', '/cluster/drain', 'setup', drain),
  route('POST', '/orgs/:org/move', 'setup', move),
]
