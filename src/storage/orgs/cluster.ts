import type { Db } from '../database/db.ts'
import { clusterSql } from './cluster.sql.ts'
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

/** What Citus puts behind the names of a table and of its constraints on a node: a number, and before it the hash of a name that it cuts. */
const ON_NODE = /^(.*?)(_[0-9a-f]{8})?_\d+$/

/** True if a constraint with this name may be the one that an error names, on a node or in a plain database. */
export function isConstraint(named: string, name: string): boolean {
  if (named === name) return true
  const [, start, hash] = ON_NODE.exec(named) ?? []
  return start !== undefined && (hash === undefined ? start === name : name.startsWith(start))
}
