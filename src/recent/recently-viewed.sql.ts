import { type Sql, sql } from '../base/sql.ts'
import type { Org } from '../storage/orgs/org.ts'

const table = (org: Org) => sql.id(org.schemaName, '_recently_used')

/** A record that somebody used, and when. */
export interface UseRow {
  readonly userId: string
  readonly recordId: string
  readonly viewedAt: string | null
  readonly referencedAt: string | null
}

/** So many records of an object are remembered for a user. (docs/reference/api/metadata.md#recently-viewed-records) */
export const MAX_CACHED = 200

export const recentSql = {
  createTables: (org: Org): Sql[] => [
    sql`create table ${table(org)} (
          user_id text collate "C" not null,
          record_id text collate "C" not null,
          viewed_at timestamptz(0),
          referenced_at timestamptz(0),
          primary key (user_id, record_id))`,
  ],

  note(org: Org, rows: readonly UseRow[]): Sql {
    const list = (name: keyof UseRow) => sql`${rows.map((row) => row[name])}::text[]`
    return sql`insert into ${table(org)} as known (user_id, record_id, viewed_at, referenced_at)
               select user_id, record_id, viewed_at::timestamptz, referenced_at::timestamptz
               from unnest(${list('userId')}, ${list('recordId')}, ${list('viewedAt')}, ${list('referencedAt')})
                 as used (user_id, record_id, viewed_at, referenced_at)
               order by user_id, record_id
               on conflict (user_id, record_id) do update
                 set viewed_at = greatest(known.viewed_at, excluded.viewed_at),
                     referenced_at = greatest(known.referenced_at, excluded.referenced_at)`.forNode()
  },

  /** Forgets what users have not used for long, object by object. */
  forget: (org: Org, userIds: readonly string[]): Sql =>
    sql`delete from ${table(org)} old using (
          select user_id, record_id,
                 row_number() over (partition by user_id, left(record_id, 3)
                                    order by greatest(viewed_at, referenced_at) desc, record_id desc) as place
          from ${table(org)} where user_id = any(${userIds}::text[])
        ) as ranked
        where ranked.place > ${MAX_CACHED}::integer and old.user_id = ranked.user_id
          and old.record_id = ranked.record_id`.forNode(),

  /** The records that a user used and when, the newest use first; `prefix`: of one object. */
  list: (org: Org, userId: string, prefix: string | undefined, max: number): Sql =>
    sql`select record_id as id, extract(epoch from greatest(viewed_at, referenced_at))::float8 as seconds from ${table(org)}
        where user_id = ${userId} and ${prefix === undefined ? sql`true` : sql`left(record_id, 3) = ${prefix}`}
        order by greatest(viewed_at, referenced_at) desc, record_id desc limit ${max}::integer`,
}
