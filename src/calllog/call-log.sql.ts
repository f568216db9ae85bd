import { type Sql, sql } from '../base/sql.ts'
import { fromSeconds } from '../storage/database/timestamp.sql.ts'

/** How many calls of an org are kept, and of how many the bodies. */
const MAX_CALLS = 10_000
const MAX_WITH_BODIES = 200
const KEPT = sql`interval '7 days'`

const LOCK = 720260104

/** Members of a call's JSON. */
const COLUMNS = sql`time timestamptz, request_id text, method text, path text, route text, status integer,
  error_code text, duration_ms float8, statements integer, database_ms float8, username text, client_id text,
  client_address text, bytes_in bigint, bytes_out bigint, statement_list json, request text, response text`

const NAMES = sql`time, request_id, method, path, route, status, error_code, duration_ms, statements, database_ms,
  username, client_id, client_address, bytes_in, bytes_out, statement_list, request, response`

const summary = sql`number::text as id, to_char(time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as time,
  request_id as "requestId", method, path, route, status, error_code as "errorCode", duration_ms as "durationMs",
  statements, database_ms as "databaseMs", username as "user", client_id as app, client_address as "clientAddress",
  bytes_in::float8 as "bytesIn", bytes_out::float8 as "bytesOut"`

/** Which calls are wanted. */
export interface CallFilter {
  readonly after?: string | undefined
  readonly before?: string | undefined
  readonly user?: string | undefined
  readonly app?: string | undefined
  /** The client id of an app whose calls are left out. */
  readonly withoutApp?: string | undefined
  readonly path?: string | undefined
  /** Seconds since 1970. */
  readonly since?: number | undefined
  /** From the first to the last one. */
  readonly status?: readonly [first: number, last: number] | undefined
  readonly limit: number
}

const when = <T>(value: T | undefined, condition: (value: T) => Sql): Sql =>
  value === undefined ? sql`true` : condition(value)

export const callLogSql = {
  /** Calls of an org get their numbers in the order in which they can be read, so that none is missed by who reads on. */
  lock: (orgId: string) =>
    sql`select pg_advisory_xact_lock(hashtextextended(${orgId}::text, ${LOCK}::bigint))`,

  /** @param calls a JSON array */
  insert: (orgId: string, calls: string) =>
    sql`insert into objectry.call (org_id, ${NAMES})
        select ${orgId}, ${NAMES} from json_to_recordset(${calls}::json) as noted (${COLUMNS})`,

  /** Forgets old calls, and those beyond the maximum. */
  forget: (orgId: string) =>
    sql`delete from objectry.call
        where org_id = ${orgId}
          and (time < now() - ${KEPT}
               or number <= (select number from objectry.call where org_id = ${orgId}
                             order by number desc offset ${sql.raw(String(MAX_CALLS))} limit 1))`,

  forgetBodies: (orgId: string) =>
    sql`update objectry.call set request = null, response = null
        where org_id = ${orgId} and (request is not null or response is not null)
          and number <= (select number from objectry.call where org_id = ${orgId} and (request is not null or response is not null)
                         order by number desc offset ${sql.raw(String(MAX_WITH_BODIES))} limit 1)`,

  list: (orgId: string, { after, before, user, app, withoutApp, path, since, status, limit }: CallFilter) =>
    sql`select ${summary} from objectry.call
        where org_id = ${orgId} and time >= now() - ${KEPT}
          and ${when(after, (number) => sql`number > ${number}::bigint`)}
          and ${when(before, (number) => sql`number < ${number}::bigint`)}
          and ${when(user, (name) => sql`lower(username) = lower(${name})`)}
          and ${when(app, (clientId) => sql`client_id = ${clientId}`)}
          and ${when(withoutApp, (clientId) => sql`client_id is distinct from ${clientId}`)}
          and ${when(path, (part) => sql`strpos(lower(path), lower(${part})) > 0`)}
          and ${when(since, (seconds) => sql`time >= ${fromSeconds(seconds)}`)}
          and ${when(status, ([first, last]) => sql`status between ${first}::integer and ${last}::integer`)}
        order by ${after === undefined ? sql`number desc` : sql`number`} limit ${limit}::integer`,

  find: (orgId: string, id: string) =>
    sql`select ${summary}, statement_list as "statementList", request, response
        from objectry.call where org_id = ${orgId} and number = ${id}::bigint`,

  newest: (orgId: string) =>
    sql`select coalesce(max(number), 0)::text as id from objectry.call where org_id = ${orgId}`,

  settings: (orgIds: readonly string[]) =>
    sql`select org_id as "orgId" from objectry.call_settings
        where org_id = any(${orgIds}::text[]) and keeps_bodies`,

  set: (orgId: string, keepsBodies: boolean) =>
    sql`insert into objectry.call_settings (org_id, keeps_bodies) values (${orgId}, ${keepsBodies})
        on conflict (org_id) do update set keeps_bodies = excluded.keeps_bodies`,

  clearBodies: (orgId: string) =>
    sql`update objectry.call set request = null, response = null
        where org_id = ${orgId} and (request is not null or response is not null)`,
}
