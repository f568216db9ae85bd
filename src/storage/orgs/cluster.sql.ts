import { sql } from '../../base/sql.ts'
import type { Org } from './org.ts'

/** Statements of Citus, the extension that makes a cluster of several PostgreSQL servers. */
export const clusterSql = {
  /** True if the database is the coordinator of a cluster. */
  isCluster: sql`select exists (select from pg_extension where extname = 'citus') as "isCluster"`,
  /** Places a schema on one node of the cluster, and what is made in it later too. */
  distribute: (org: Org) => sql`select citus_schema_distribute(${org.schemaName}::text::regnamespace)`,
}
