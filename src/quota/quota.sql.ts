import { sql } from '../base/sql.ts'

/** Account for which something is counted: the calls of an org, those of one of its apps, or its events. */
export interface Scope {
  readonly orgId: string
  /** Undefined for the org as a whole. */
  readonly clientId?: string | undefined
  /** Which events; undefined: calls. */
  readonly events?: 'delivered' | 'published' | undefined
}

/** Names of event counts begin with it, and no client id does. */
const EVENTS = '#'

const nameOf = ({ clientId, events }: Scope) => (events === undefined ? (clientId ?? '') : EVENTS + events)

const isApp = sql.raw(`scope <> '' and scope not like '${EVENTS}%'`)

/** Slots of the sliding window of a count. For calls it is a day, and a slot a minute; that of published events is an hour. */
export const WINDOW_SLOTS = 1440

const DAY_MINUTES = WINDOW_SLOTS

/** Server clocks differ a little: minutes that have not begun here are counted too. */
const SKEW_MINUTES = 5

/** How long the lease of a process that does not report stays unavailable to others before it may be returned, in seconds. */
export const LEASE_SECONDS = 4

/**
 * How much longer the lease is kept after that: a hanging process may have made those calls without flushing them yet. The
 * lease of a killed process becomes free after this time.
 */
const SILENT_SECONDS = 30

/** The state that a process reports when it asks for a lease. */
interface LeaseRequest {
  readonly process: string
  /** Calls left in its lease. */
  readonly kept: number
  /** Minimum number of calls it wants; 0 requests no lease. */
  readonly wanted: number
  /** Its long calls that are running. */
  readonly longCalls: number
  /** Calls that it has made and not reported, by minute. */
  readonly made: ReadonlyMap<number, number>
}

/** The quota of a scope: limits, use and leases. */
export interface QuotaState {
  /** Calls in the window, by all processes. */
  readonly used: number
  /** Calls left in the leases of other processes, which they may return. */
  readonly leased: number
  /** Long calls of other processes. */
  readonly longCalls: number
  /** Calls left in the lease of this process. */
  readonly held: number
  /** Calls that any process may still lease. */
  readonly free: number
}

/** How long calls by hour are kept. */
const KEPT_HOURS = 48

interface HourCalls {
  readonly hour: number
  readonly version: number
  readonly calls: number
}

interface DayCalls {
  /** `2026-11-25` */
  readonly day: string
  readonly version: number
  readonly clientId: string
  readonly calls: number
}

/**
 * Counts of calls by minute, and the leases of processes. Minutes are those of the org's clock, counted from 1970; leases
 * concern processes and use the database's clock.
 */
export const quotaSql = {
  used: (scope: Scope, minute: number) =>
    sql`select coalesce(sum(calls), 0)::integer as used from objectry.call_count
        where org_id = ${scope.orgId} and scope = ${nameOf(scope)}
          and minute > ${minute}::integer - ${DAY_MINUTES}::integer and minute <= ${minute}::integer + ${SKEW_MINUTES}::integer`,

  /** Calls in the window by app. */
  usedByApps: (orgId: string, minute: number) =>
    sql`select scope as "clientId", sum(calls)::integer as calls from objectry.call_count
        where org_id = ${orgId} and ${isApp}
          and minute > ${minute}::integer - ${DAY_MINUTES}::integer and minute <= ${minute}::integer + ${SKEW_MINUTES}::integer
        group by scope`,

  /**
   * Counts the calls that a process has made, leases as many as wanted and available, and returns the state of the scope. Without
   * a limit there are no leases, and the state has only the long calls of other processes. It is one statement: a server that
   * stands still, or is cut off, never holds the lock of the scope.
   */
  exchange: (
    scope: Scope,
    minute: number,
    limit: number | null,
    { process, kept, wanted, longCalls, made }: LeaseRequest,
  ) =>
    sql`select used, leased, long_calls as "longCalls", held, free
        from objectry.exchange_calls(${scope.orgId}, ${nameOf(scope)}, ${process}, ${minute}::integer, ${limit}::integer,
          ${kept}::integer, ${wanted}::integer, ${longCalls}::integer, ${LEASE_SECONDS}::integer, ${SILENT_SECONDS}::integer,
          ${[...made.keys()]}::integer[], ${[...made.values()]}::integer[])`,

  /** Calls in the window, and those that other processes have leased, without changing anything. */
  taken: (scope: Scope, minute: number, process: string) =>
    sql`with used as (${quotaSql.used(scope, minute)})
        select used + coalesce((
          select sum(calls) from objectry.call_lease
          where org_id = ${scope.orgId} and scope = ${nameOf(scope)} and process <> ${process}
            and expires_at > clock_timestamp() - ${SILENT_SECONDS}::integer * interval '1 second'), 0)::integer as taken
        from used`,

  /** Counts the calls that a process has made, ends its lease, and deletes counts older than every window. */
  release: (scope: Scope, process: string, made: ReadonlyMap<number, number>, earliest: number) =>
    sql`with old as (
          delete from objectry.call_count
          where org_id = ${scope.orgId} and scope = ${nameOf(scope)} and minute < ${earliest}::integer - 2 * ${DAY_MINUTES}::integer),
        lease as (
          delete from objectry.call_lease
          where org_id = ${scope.orgId} and scope = ${nameOf(scope)} and process = ${process})
        insert into objectry.call_count (org_id, scope, minute, calls)
        select ${scope.orgId}, ${nameOf(scope)}, minute, calls
        from unnest(${[...made.keys()]}::integer[], ${[...made.values()]}::integer[]) as made (minute, calls)
        on conflict (org_id, scope, minute) do update set calls = call_count.calls + excluded.calls`,

  /** Calls by hour are kept for two days. */
  addVersions: (orgId: string, days: readonly DayCalls[], hours: readonly HourCalls[]) =>
    sql`with old as (
          delete from objectry.version_hour
          where org_id = ${orgId} and hour < ${hours[0]!.hour}::integer - ${KEPT_HOURS}::integer),
        by_hour as (
          insert into objectry.version_hour (org_id, hour, version, calls)
          select ${orgId}, hour, version, calls
          from unnest(${hours.map(({ hour }) => hour)}::integer[], ${hours.map(({ version }) => version)}::integer[],
                      ${hours.map(({ calls }) => calls)}::integer[]) as made (hour, version, calls)
          on conflict (org_id, hour, version) do update set calls = version_hour.calls + excluded.calls)
        insert into objectry.version_use (org_id, day, version, client_id, calls)
        select ${orgId}, day::date, version, client_id, calls
        from unnest(${days.map(({ day }) => day)}::text[], ${days.map(({ version }) => version)}::integer[],
                    ${days.map(({ clientId }) => clientId)}::text[], ${days.map(({ calls }) => calls)}::integer[])
          as made (day, version, client_id, calls)
        on conflict (org_id, day, version, client_id) do update set calls = version_use.calls + excluded.calls`,

  /** Calls by hour and app, and by hour and version, of the hours from one to another one. */
  appsByHour: (orgId: string, from: number, to: number) =>
    sql`select minute / 60 as hour, scope as app, sum(calls)::integer as calls from objectry.call_count
        where org_id = ${orgId} and ${isApp} and minute >= ${from}::integer * 60 and minute < (${to}::integer + 1) * 60
        group by minute / 60, scope order by hour, calls desc, scope`,

  versionsByHour: (orgId: string, from: number, to: number) =>
    sql`select hour, version, calls from objectry.version_hour
        where org_id = ${orgId} and hour between ${from}::integer and ${to}::integer order by hour, version`,

  versionCalls: (orgId: string, since: string) =>
    sql`select version, client_id as "clientId", sum(calls)::integer as calls, max(day)::text as "lastDay"
        from objectry.version_use where org_id = ${orgId} and day >= ${since}::text::date
        group by version, client_id order by version, calls desc, client_id`,
}
