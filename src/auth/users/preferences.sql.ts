import { type Sql, sql } from '../../base/sql.ts'
import type { Org } from '../../storage/orgs/org.ts'

const table = (org: Org) => sql.id(org.schemaName, '_preference')

export const preferenceSql = {
  createTable: (org: Org): Sql[] => [
    sql`create table ${table(org)} (
          user_id text collate "C" not null,
          name text collate "C" not null,
          value text not null,
          primary key (user_id, name))`,
  ],

  /** Locks the preferences of a user: one call at a time changes them, so that limits and conditions hold. */
  lock: (org: Org, userId: string): Sql =>
    sql`select pg_advisory_xact_lock(hashtextextended(${`${org.id}${userId}`}::text, 720260103::bigint))`,

  list: (org: Org, userId: string): Sql =>
    sql`select name, value from ${table(org)} where user_id = ${userId} order by name`,

  find: (org: Org, userId: string, name: string): Sql =>
    sql`select value from ${table(org)} where user_id = ${userId} and name = ${name}`,

  /** How much a user keeps under other names. */
  others: (org: Org, userId: string, name: string): Sql =>
    sql`select count(*)::integer as count, coalesce(sum(octet_length(value)), 0)::integer as bytes
        from ${table(org)} where user_id = ${userId} and name <> ${name}`,

  put: (org: Org, userId: string, name: string, value: string): Sql =>
    sql`insert into ${table(org)} (user_id, name, value) values (${userId}, ${name}, ${value})
        on conflict (user_id, name) do update set value = excluded.value`,

  remove: (org: Org, userId: string, name: string): Sql =>
    sql`delete from ${table(org)} where user_id = ${userId} and name = ${name} returning name`,
}
