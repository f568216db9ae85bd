import { type Sql, sql } from '../../base/sql.ts'
import { fromSeconds } from '../../storage/database/timestamp.sql.ts'

/** A rule that an attempt counts toward. */
interface Counted {
  readonly scope: string
  readonly address: string
  readonly max: number
  readonly seconds: number
}

/** Prefix of all scopes that concern a user. */
export const scopeOfUser = (orgId: string, userId: string) => `user/${orgId}/${userId}`

const unnestRules = (counted: readonly Counted[]) =>
  sql`unnest(${counted.map(({ scope }) => scope)}::text[], ${counted.map(({ address }) => address)}::text[],
             ${counted.map(({ max }) => max)}::integer[], ${counted.map(({ seconds }) => seconds)}::float8[])
      as asked (scope, address, max_count, seconds)`

export const attemptSql = {
  /**
   * Counts one attempt toward all of its rules, or toward none if one of them is exhausted. Concurrent statements may
   * count more than is allowed; the returned counts show that. The last allowed attempt starts the wait. Rows are locked
   * in a fixed order to avoid deadlocks.
   */
  take: (counted: readonly Counted[], now: number): Sql =>
    sql`insert into objectry.attempt as kept (scope, address, count, max_count, ends_at)
        select scope, address, 1, max_count, ${fromSeconds(now)} + seconds * interval '1 second'
        from ${unnestRules(counted)}
        where not exists (
          select from objectry.attempt used join ${unnestRules(counted)} using (scope, address)
          where used.count >= asked.max_count and used.ends_at > ${fromSeconds(now)})
        order by scope, address
        on conflict (scope, address) do update set
          count = case when kept.ends_at <= ${fromSeconds(now)} then 1 else kept.count + 1 end,
          max_count = excluded.max_count,
          ends_at = case when kept.ends_at <= ${fromSeconds(now)} or kept.count + 1 >= excluded.max_count
                         then excluded.ends_at else kept.ends_at end
        returning count > max_count as "isOver"`,

  /** Seconds until the last of the exhausted rules allows attempts again. */
  wait: (counted: readonly Counted[], now: number): Sql =>
    sql`select extract(epoch from max(used.ends_at) - ${fromSeconds(now)})::float8 as wait
        from objectry.attempt used join ${unnestRules(counted)} using (scope, address)
        where used.count >= asked.max_count and used.ends_at > ${fromSeconds(now)}`,

  release: (counted: readonly Counted[]): Sql =>
    sql`with given as (
          select scope, address from objectry.attempt join ${unnestRules(counted)} using (scope, address)
          where count > 0 order by scope, address for update of attempt)
        update objectry.attempt set count = count - 1 from given
        where attempt.scope = given.scope and attempt.address = given.address`,

  forgetAt: (scope: string, address: string): Sql =>
    sql`delete from objectry.attempt where scope = ${scope} and address = ${address}`,

  forget: (scope: string): Sql => sql`delete from objectry.attempt where scope = ${scope}`,

  /** Ids of users of an org who are locked, at one address or at all unknown addresses. */
  lockedUsers: (orgId: string, now: number): Sql =>
    sql`select distinct split_part(scope, '/', 3) as id from objectry.attempt
        where starts_with(scope, ${scopeOfUser(orgId, '')}) and count >= max_count and ends_at > ${fromSeconds(now)}`,

  sweep: (now: number): Sql => sql`delete from objectry.attempt where ends_at <= ${fromSeconds(now)}`,

  isKnownAt: (orgId: string, userId: string, address: string): Sql =>
    sql`select from objectry.known_address
        where org_id = ${orgId} and user_id = ${userId} and address = ${address}`,

  /** Updated at most once a day: most log-ins come from the same address as the last one. */
  recordAddress: (orgId: string, userId: string, address: string, now: number): Sql =>
    sql`insert into objectry.known_address as known (org_id, user_id, address, seen_at)
        values (${orgId}, ${userId}, ${address}, ${fromSeconds(now)})
        on conflict (org_id, user_id, address) do update set seen_at = excluded.seen_at
        where known.seen_at < excluded.seen_at - interval '1 day'`,

  sweepKnown: (now: number): Sql =>
    sql`delete from objectry.known_address where seen_at < ${fromSeconds(now)}`,
}
