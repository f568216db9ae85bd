import { sql } from '../base/sql.ts'

/** Whose calls are counted: those of an org, or those that one of its apps made. */
export interface Scope {
  readonly orgId: string
  /** Undefined: the whole org. */
  readonly clientId: string | undefined
}

const nameOf = ({ clientId }: Scope) => clientId ?? ''

/** Minutes of a day: the window that slides. */
const DAY = 1440

/** Servers' clocks differ a little: minutes that have not begun here are counted too. */
const SKEW = 5

/** How long others wait for what a process holds and may give back, without a word of it, in seconds. */
export const LEASE_SECONDS = 4

/**
 * How long it stays theirs after that: a process that hangs may have made those calls and not written them down yet. What a
 * killed one held is free again then.
 */
const SILENT_SECONDS = 30

/** What a process tells of itself when it asks for more. */
export interface Holding {
  readonly process: string
  /** Calls that it may still make without asking. */
  readonly kept: number
  /** Calls that it wants at least; 0 gives nothing. */
  readonly wanted: number
  /** Its calls that run for long. */
  readonly longCalls: number
}

/** What a scope may use, and what it has used. */
export interface Memberships {
  /** In the window, by all processes. */
  readonly used: number
  /** What other processes may still make without asking, and may give back. */
  readonly leased: number
  /** Long calls of other processes. */
  readonly longCalls: number
  /** Calls that this process may make by now without asking. */
  readonly held: number
  /** What is left for anybody. */
  readonly free: number
}

/** No lease is larger, and none takes more than this part of what is free: the nearer the end, the smaller they are. */
const MAX_LEASED = 2000
const PART_LEASED = 64

/**
 * Calls by the minute, and what each process may still make without asking. Minutes are those of the org's clock, counted
 * from 1970; leases are about processes and live by the database's own clock.
 */
export const quotaSql = {
  /** Everybody who asks about a scope takes turns; the turn ends with the transaction. */
  takeTurn: (scope: Scope) =>
    sql`insert into objectry.call_ledger (org_id, scope) values (${scope.orgId}, ${nameOf(scope)})
        on conflict (org_id, scope) do update set scope = excluded.scope`,

  add: (scope: Scope, minutes: readonly number[], calls: readonly number[]) =>
    sql`insert into objectry.call_count (org_id, scope, minute, calls)
        select ${scope.orgId}, ${nameOf(scope)}, minute, calls
        from unnest(${minutes}::integer[], ${calls}::integer[]) as made (minute, calls)
        on conflict (org_id, scope, minute) do update set calls = call_count.calls + excluded.calls`,

  used: (scope: Scope, minute: number) =>
    sql`select coalesce(sum(calls), 0)::integer as used from objectry.call_count
        where org_id = ${scope.orgId} and scope = ${nameOf(scope)}
          and minute > ${minute}::integer - ${DAY}::integer and minute <= ${minute}::integer + ${SKEW}::integer`,

  /** Calls in the window by app. */
  usedByApps: (orgId: string, minute: number) =>
    sql`select scope as "clientId", sum(calls)::integer as calls from objectry.call_count
        where org_id = ${orgId} and scope <> ''
          and minute > ${minute}::integer - ${DAY}::integer and minute <= ${minute}::integer + ${SKEW}::integer
        group by scope`,

  /**
   * Gives a process as much as it wants and there is, and tells where the scope stands. Without a limit nothing is
   * leased, and only what others run for long is asked.
   */
  exchange: (
    scope: Scope,
    minute: number,
    limit: number | null,
    { process, kept, wanted, longCalls }: Holding,
  ) =>
    sql`with used as (${quotaSql.used(scope, minute)}),
        others as (
          select coalesce(sum(calls), 0)::integer as held,
                 coalesce(sum(calls) filter (where expires_at > clock_timestamp()), 0)::integer as leased,
                 coalesce(sum(long_calls) filter (where expires_at > clock_timestamp()), 0)::integer as "longCalls"
          from objectry.call_lease
          where org_id = ${scope.orgId} and scope = ${nameOf(scope)} and process <> ${process}
            and expires_at > clock_timestamp() - ${SILENT_SECONDS}::integer * interval '1 second'),
        free as (
          select greatest(0, ${limit}::integer - used - others.held - ${kept}::integer) as calls from used, others),
        lease as (
          insert into objectry.call_lease (org_id, scope, process, calls, long_calls, expires_at)
          select ${scope.orgId}, ${nameOf(scope)}, ${process},
                 ${kept}::integer + case when ${wanted}::integer = 0 or ${limit}::integer is null then 0
                   else least(calls, greatest(${wanted}::integer,
                          least(calls / ${PART_LEASED}::integer, ${MAX_LEASED}::integer) - ${kept}::integer)) end,
                 ${longCalls}::integer, clock_timestamp() + ${LEASE_SECONDS}::integer * interval '1 second'
          from free
          on conflict (org_id, scope, process) do update
          set calls = excluded.calls, long_calls = excluded.long_calls, expires_at = excluded.expires_at
          returning calls as held)
        select used, leased, "longCalls", lease.held, coalesce(free.calls + ${kept}::integer - lease.held, 0) as free
        from used, others, lease, free`,

  /** A process that makes no calls holds nothing. */
  giveBack: (scope: Scope, process: string) =>
    sql`delete from objectry.call_lease
        where org_id = ${scope.orgId} and scope = ${nameOf(scope)} and process = ${process}`,

  addVersions: (
    orgId: string,
    days: readonly string[],
    versions: readonly number[],
    clients: readonly string[],
    calls: readonly number[],
  ) =>
    sql`insert into objectry.version_use (org_id, day, version, client_id, calls)
        select ${orgId}, day::date, version, client_id, calls
        from unnest(${days}::text[], ${versions}::integer[], ${clients}::text[], ${calls}::integer[])
          as made (day, version, client_id, calls)
        on conflict (org_id, day, version, client_id) do update set calls = version_use.calls + excluded.calls`,

  versionCalls: (orgId: string, since: string) =>
    sql`select version, client_id as "clientId", sum(calls)::integer as calls, max(day)::text as "lastDay"
        from objectry.version_use where org_id = ${orgId} and day >= ${since}::text::date
        group by version, client_id order by version, calls desc, client_id`,

  /** What no window reaches any more. */
  deleteOld: (scope: Scope, minute: number) =>
    sql`delete from objectry.call_count
        where org_id = ${scope.orgId} and scope = ${nameOf(scope)} and minute < ${minute}::integer - 2 * ${DAY}::integer`,
}
