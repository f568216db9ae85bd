import { sql } from '../../base/sql.ts'
import type { Org } from './org.ts'

/** Statements of Citus, the extension that makes one database of several PostgreSQL servers. */
export const clusterSql = {
  /** Places a schema on one node, and what is made in it later too. */
  distribute: (org: Org) => sql`select citus_schema_distribute(${org.schemaName}::text::regnamespace)`,

  /** A move to another node gives a schema a new placement. */
  placement: (org: Org) =>
    sql`select placement.placementid::text as placement from pg_dist_placement placement
        join pg_dist_shard shard on shard.shardid = placement.shardid
        where shard.logicalrelid = ${`"${org.schemaName}"."_object"`}::text::regclass`,
}
