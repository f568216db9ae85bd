import { sql } from '../base/sql.ts'
import type { Org } from '../storage/orgs/org.ts'

export const storageSql = {
  /** Bytes of the tables of an org and their indexes. */
  ofOrg: ({ schemaName }: Org) =>
    sql`select coalesce(sum(pg_total_relation_size(c.oid)), 0)::float8 as bytes
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = ${schemaName} and c.relkind = 'r'`,
}
