import { type Sql, sql } from '../../base/sql.ts'
import { fromSeconds } from '../../storage/database/timestamp.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'

/** Password hashes are in no field of the user, so that no query, export or snapshot contains them. */
const secrets = (org: Org) => sql.id(org.schemaName, '_user_secret')
const users = (org: Org) => sql.id(org.schemaName, 'user')

export const passwordSql = {
  createTables: (org: Org): Sql[] => [
    sql`create table ${secrets(org)} (
          user_id text collate "C" primary key,
          password_hash text not null,
          changed_at timestamptz not null,
          must_change boolean not null default false)`,
  ],

  /** Users of a copied org keep their passwords. */
  copy: (from: Org, to: Org): Sql =>
    sql`insert into ${secrets(to)} (user_id, password_hash, changed_at, must_change)
        select user_id, password_hash, changed_at, must_change from ${secrets(from)}`,

  set: (org: Org, userId: string, hash: string, mustChange: boolean, now: number): Sql =>
    sql`insert into ${secrets(org)} (user_id, password_hash, changed_at, must_change)
        values (${userId}, ${hash}, ${fromSeconds(now)}, ${mustChange})
        on conflict (user_id) do update set password_hash = excluded.password_hash,
          changed_at = excluded.changed_at, must_change = excluded.must_change`,

  find: (org: Org, userId: string): Sql =>
    sql`select password_hash as hash, must_change as "mustChange" from ${secrets(org)} where user_id = ${userId}`,

  findStored: (org: Org, userId: string, hash: string): Sql =>
    sql`select user_id from ${secrets(org)} where user_id = ${userId} and password_hash = ${hash}`,

  mustChange: (org: Org, userId: string): Sql =>
    sql`select must_change as "mustChange" from ${secrets(org)} where user_id = ${userId}`,

  recordLogin: (org: Org, userId: string, time: string): Sql =>
    sql`update ${users(org)} set lastlogindate = ${time}::text::timestamptz where id = ${userId}`,

  recordPasswordChange: (org: Org, userId: string, time: string): Sql =>
    sql`update ${users(org)} set lastpasswordchangedate = ${time}::text::timestamptz where id = ${userId}`,

  /** Ids of users with a password. */
  states: (org: Org): Sql => sql`select user_id as id, must_change as "mustChange" from ${secrets(org)}`,
}
