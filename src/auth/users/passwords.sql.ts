import { type Sql, sql } from '../../base/sql.ts'
import type { Org } from '../../storage/orgs/org.ts'

/** What proves who a user is: no field of the user, so no query, export or snapshot shows it. */
const secrets = (org: Org) => sql.id(org.schemaName, '_user_secret')
const users = (org: Org) => sql.id(org.schemaName, 'user')

const timestamp = (seconds: number) => sql`to_timestamp(${seconds}::float8)`

export const passwordSql = {
  createTables: (org: Org): Sql[] => [
    sql`create table if not exists ${secrets(org)} (
          user_id text collate "C" primary key,
          password_hash text not null,
          changed_at timestamptz not null,
          must_change boolean not null default false)`,
  ],

  /** The users of a copied org keep their passwords. */
  copy: (from: Org, to: Org): Sql =>
    sql`insert into ${secrets(to)} (user_id, password_hash, changed_at, must_change)
        select user_id, password_hash, changed_at, must_change from ${secrets(from)}`,

  set: (org: Org, userId: string, hash: string, mustChange: boolean, now: number): Sql =>
    sql`insert into ${secrets(org)} (user_id, password_hash, changed_at, must_change)
        values (${userId}, ${hash}, ${timestamp(now)}, ${mustChange})
        on conflict (user_id) do update set password_hash = excluded.password_hash,
          changed_at = excluded.changed_at, must_change = excluded.must_change`,

  find: (org: Org, userId: string): Sql =>
    sql`select password_hash as hash, must_change as "mustChange" from ${secrets(org)} where user_id = ${userId}`,

  mustChange: (org: Org, userId: string): Sql =>
    sql`select must_change as "mustChange" from ${secrets(org)} where user_id = ${userId}`,

  noteLogin: (org: Org, userId: string, time: string): Sql =>
    sql`update ${users(org)} set lastlogindate = ${time}::text::timestamptz where id = ${userId}`,

  notePasswordChange: (org: Org, userId: string, time: string): Sql =>
    sql`update ${users(org)} set lastpasswordchangedate = ${time}::text::timestamptz where id = ${userId}`,

  /** Ids of users who have a password. */
  states: (org: Org): Sql => sql`select user_id as id, must_change as "mustChange" from ${secrets(org)}`,
}
