import { type Sql, sql } from '../base/sql.ts'
import type { Org } from '../storage/org.ts'

/** What proves who a user is: no field of the user, so no query, export or snapshot shows it. */
const secrets = (org: Org) => sql.id(org.schemaName, '_user_secret')
const users = (org: Org) => sql.id(org.schemaName, 'user')

const moment = (seconds: number) => sql`to_timestamp(${seconds}::float8)`

export const passwordSql = {
  createTables: (org: Org): Sql[] => [
    sql`create table if not exists ${secrets(org)} (
          user_id text collate "C" primary key,
          password_hash text not null,
          failures integer not null default 0,
          locked_until timestamptz,
          changed_at timestamptz not null,
          must_change boolean not null default false)`,
  ],

  /** The users of a copied org keep their passwords. */
  copy: (from: Org, to: Org): Sql => sql`insert into ${secrets(to)} select * from ${secrets(from)}`,

  set: (org: Org, userId: string, hash: string, mustChange: boolean, now: number): Sql =>
    sql`insert into ${secrets(org)} (user_id, password_hash, changed_at, must_change)
        values (${userId}, ${hash}, ${moment(now)}, ${mustChange})
        on conflict (user_id) do update set password_hash = excluded.password_hash, failures = 0,
          locked_until = null, changed_at = excluded.changed_at, must_change = excluded.must_change`,

  unlock: (org: Org, userId: string): Sql =>
    sql`update ${secrets(org)} set failures = 0, locked_until = null where user_id = ${userId}`,

  mustChange: (org: Org, userId: string): Sql =>
    sql`select must_change as "mustChange" from ${secrets(org)} where user_id = ${userId}`,

  /**
   * Counts an attempt before it is made, so that of any number of attempts at once no more than the allowed ones are
   * made. Comes back empty when the user is locked or has no password.
   */
  claimAttempt: (org: Org, userId: string, most: number, lockSeconds: number, now: number): Sql => {
    const failures = sql`(case when locked_until is null then failures else 0 end + 1)`
    return sql`update ${secrets(org)} set failures = ${failures},
                 locked_until = case when ${failures} >= ${most}::integer
                                     then ${moment(now)} + ${lockSeconds}::float8 * interval '1 second' end
               where user_id = ${userId} and (locked_until is null or locked_until <= ${moment(now)})
               returning password_hash as hash, must_change as "mustChange"`
  },

  isLocked: (org: Org, userId: string, now: number): Sql =>
    sql`select from ${secrets(org)} where user_id = ${userId} and locked_until > ${moment(now)}`,

  noteLogin: (org: Org, userId: string, time: string): Sql =>
    sql`update ${users(org)} set lastlogindate = ${time}::text::timestamptz where id = ${userId}`,

  notePasswordChange: (org: Org, userId: string, time: string): Sql =>
    sql`update ${users(org)} set lastpasswordchangedate = ${time}::text::timestamptz where id = ${userId}`,

  /** Ids of users with what is known of their passwords. */
  states: (org: Org, now: number): Sql =>
    sql`select user_id as id, coalesce(locked_until > ${moment(now)}, false) as "isLocked", must_change as "mustChange"
        from ${secrets(org)}`,
}
