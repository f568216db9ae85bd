import type { Db } from '../database/db.ts'
import { clusterSql, type NodeAddress, type OrgPlace } from './cluster.sql.ts'
import type { Org } from './org.ts'

/*
 * A cluster is a PostgreSQL database with the extension Citus: it has several servers, its nodes. The platform's own tables are on one of
 * them, the coordinator. The schema of each org is on one node as a whole, so a statement is carried out there, as it is.
 */

/** Has a node of the cluster, if there is one, keep a schema that was just made. */
export async function placeSchema(db: Db, org: Org): Promise<void> {
  if (db.isCluster) await db.query(clusterSql.distribute(org))
}

/** Identifies the node that an org is on, and the move that brought it there; undefined without a cluster. */
export async function loadPlacement(db: Db, org: Org): Promise<string | undefined> {
  if (!db.isCluster) return undefined
  const [row] = await db.query<{ placement: string }>(clusterSql.placement(org))
  return row?.placement
}

/** On a node, Citus puts a number behind the names of a table, of its indexes and constraints, and before it the hash of a name that it cuts. */
const ON_NODE = /^(.*?)(_[0-9a-f]{8})?_\d+$/

/** True if an index or a constraint with this name may be the one that a plan or an error names, on a node or in a plain database. */
export function isNamed(named: string, name: string): boolean {
  if (named === name) return true
  const [, start, hash] = ON_NODE.exec(named) ?? []
  return start !== undefined && (hash === undefined ? start === name : name.startsWith(start))
}

export interface ClusterNode extends NodeAddress {
  readonly isCoordinator: boolean
  /** False: orgs are neither made on it nor moved to it. */
  readonly takesOrgs: boolean
}

/** The nodes of a cluster, the coordinator first. */
export function loadNodes(db: Db): Promise<ClusterNode[]> {
  return db.query<ClusterNode>(clusterSql.nodes)
}

/** `host:port`. */
export const nodeName = ({ host, port }: NodeAddress): string => `${host}:${port}`

/** The names of the nodes that orgs are on, by the schema of the org. An org that is not distributed is absent. */
export async function loadPlaces(db: Db): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query<OrgPlace>(clusterSql.places)
  return new Map(rows.map((row) => [row.schemaName, nodeName(row)]))
}

/** The answer of a node about itself. */
interface Inspected {
  readonly walLevel: string
  /** Bytes of the orgs on it, by schema. */
  readonly bytes: Readonly<Record<string, number>>
}

/** Returns what the nodes of a cluster say of themselves, by name. A node that does not answer is absent. */
export async function inspectNodes(
  db: Db,
  nodes: readonly NodeAddress[],
): Promise<ReadonlyMap<string, Inspected>> {
  const rows = await db.transaction(async (tx) => {
    await tx.script(clusterSql.patience)
    return tx.query<NodeAddress & { answers: boolean; result: string }>(clusterSql.inspect(nodes))
  })
  const answered = rows.filter(({ answers }) => answers)
  return new Map(answered.map((row) => [nodeName(row), JSON.parse(row.result) as Inspected]))
}

/** Where an org of a cluster is. */
export interface Place {
  /** `host:port`; null: the org is not distributed. */
  readonly node: string | null
  /** Null: unknown, because its node does not answer. */
  readonly bytes: number | null
}

const NOWHERE: Place = { node: null, bytes: null }

/** Finds where the orgs of a cluster are; undefined for a database that is no cluster. */
export async function findPlaces(db: Db): Promise<((org: Org) => Place) | undefined> {
  if (!db.isCluster) return undefined
  const places = await loadPlaces(db)
  const inspected = await inspectNodes(db, await loadNodes(db))
  return ({ schemaName }) => {
    const node = places.get(schemaName)
    if (node === undefined) return NOWHERE
    const known = inspected.get(node)
    return { node, bytes: known === undefined ? null : (known.bytes[schemaName] ?? 0) }
  }
}

/** Makes tables of all orgs, or of one, such that a move can carry them while they are written. */
async function makeMovable(db: Db, org?: Org): Promise<void> {
  const tables = await db.query<{ schemaName: string; name: string; isUnlogged: boolean }>(
    clusterSql.immovable,
  )
  for (const { schemaName, name, isUnlogged } of tables) {
    if (org !== undefined && schemaName !== org.schemaName) continue
    const change = isUnlogged ? clusterSql.setLogged : clusterSql.identifyRows
    await db.script([change(schemaName, name)])
  }
}

/** Moves an org to another node while it is used. Its writes wait for a moment at the end. */
export async function moveOrg(db: Db, org: Org, node: NodeAddress): Promise<void> {
  await makeMovable(db, org)
  await db.transaction(async (tx) => {
    await tx.script(clusterSql.noTimeout)
    await tx.query(clusterSql.move(org, node))
  })
}

/** Moves of many orgs, which Citus carries out in the background. */
export interface Rebalance {
  /** `scheduled`, `running`, `failing`, `finished`, `cancelled`, `failed`. */
  readonly state: string
  /** Number of moves. */
  readonly moves: number
  readonly done: number
  /** Of the last move that failed; null: none did. */
  readonly error: string | null
}

/** The latest rebalance; undefined if there was none. */
export async function loadRebalance(db: Db): Promise<Rebalance | undefined> {
  const [rebalance] = await db.query<Rebalance>(clusterSql.rebalance)
  return rebalance
}

/**
 * Begins to move orgs in the background, so that the nodes that take orgs have about as much each.
 * @param drained a node that takes no orgs from now on; then only its orgs are moved
 * @returns false if there is nothing to move
 */
export async function startRebalance(db: Db, drained?: NodeAddress): Promise<boolean> {
  if (drained !== undefined) await db.query(clusterSql.takeNoOrgs(drained))
  await makeMovable(db)
  const [row] = await db.query<{ job: number | null }>(clusterSql.startRebalance(drained !== undefined))
  return row!.job !== null
}
