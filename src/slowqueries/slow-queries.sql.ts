import { type Sql, sql } from '../base/sql.ts'

/** Maximum number of queries of an org, and how long one is kept after it was slow for the last time. */
export const MAX_QUERIES = 200
const KEPT = sql`interval '7 days'`

/** Notes of a slow query. */
export interface NotedRow {
  readonly key: string
  readonly query: string
  readonly version: number
  readonly times: number
  readonly milliseconds: number
  readonly maxMilliseconds: number
}

const columns = sql`key as id, query, version, times, total_ms as milliseconds, max_ms as "maxMilliseconds",
  extract(epoch from first_at)::float8 as "firstAt", extract(epoch from last_at)::float8 as "lastAt"`

export const slowQuerySql = {
  note(orgId: string, rows: readonly NotedRow[]): Sql {
    const list = (name: keyof NotedRow) => sql`${rows.map((row) => String(row[name]))}::text[]`
    return sql`insert into objectry.slow_query as known (org_id, key, query, version, times, total_ms, max_ms)
               select ${orgId}, key, query, version::integer, times::bigint, total::float8, max::float8
               from unnest(${list('key')}, ${list('query')}, ${list('version')}, ${list('times')}, ${list('milliseconds')}, ${list('maxMilliseconds')})
                 as noted (key, query, version, times, total, max)
               order by key
               on conflict (org_id, key) do update
                 set times = known.times + excluded.times, total_ms = known.total_ms + excluded.total_ms,
                     max_ms = greatest(known.max_ms, excluded.max_ms), version = excluded.version, last_at = now()`
  },

  /** Forgets old queries of an org, and those beyond the maximum. */
  forget: (orgId: string): Sql =>
    sql`delete from objectry.slow_query
        where org_id = ${orgId}
          and (last_at < now() - ${KEPT}
               or key in (select key from objectry.slow_query where org_id = ${orgId}
                          order by last_at desc, key offset ${sql.raw(String(MAX_QUERIES))}))`,

  /** The queries that took longest in all come first. */
  list: (orgId: string): Sql =>
    sql`select ${columns} from objectry.slow_query
        where org_id = ${orgId} and last_at >= now() - ${KEPT} order by total_ms desc, key`,

  find: (orgId: string, key: string): Sql =>
    sql`select ${columns} from objectry.slow_query where org_id = ${orgId} and key = ${key}`,

  clear: (orgId: string): Sql => sql`delete from objectry.slow_query where org_id = ${orgId}`,
}
