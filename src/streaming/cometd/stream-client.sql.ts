import { type Sql, sql } from '../../base/sql.ts'
import type { Org } from '../../storage/orgs/org.ts'

/** Of advisory locks: one number for each kind. */
const LOCK = '720260110'

const isThere = sql`expires_at > now()`

const after = (milliseconds: number): Sql => sql`now() + ${milliseconds} * interval '1 millisecond'`

/** A client as it is stored. */
export interface ClientRow {
  readonly id: string
  readonly version: string
  readonly connect: string | null
  /** JSON. */
  readonly subscriptions: string
  readonly sentBy: string | null
}

const columns = sql`id, version, connect, subscriptions, sent_by as "sentBy"`

/** Whose client it is. */
export interface Owner {
  readonly org: Org
  readonly userId: string
}

const isOwn = (id: string, { org, userId }: Owner): Sql =>
  sql`id = ${id} and org_id = ${org.id} and user_id = ${userId}`

/** A change of a client as it was found. */
export interface ClientChange {
  readonly row: ClientRow
  /** The version that is changed. */
  readonly before: string
  /** After which it expires, in milliseconds. */
  readonly life: number
  /** It may expire earlier than it would have. */
  readonly isShortened: boolean
}

export const streamClientSql = {
  /** One after the other, so that they can be counted. */
  lock: (org: Org) =>
    sql`select pg_advisory_xact_lock(hashtextextended(${org.id}::text, ${sql.raw(LOCK)}::bigint))`,

  deleteAbsent: (org: Org) =>
    sql`delete from objectry.stream_client where org_id = ${org.id} and not (${isThere})`,

  /** Inserts nothing when the org has as many as it may have. */
  insert: (
    { id, version, subscriptions }: ClientRow,
    { org, userId }: Owner,
    { max, life }: { readonly max: number; readonly life: number },
  ) =>
    sql`insert into objectry.stream_client (id, org_id, user_id, version, subscriptions, expires_at)
        select ${id}, ${org.id}, ${userId}, ${version}, ${subscriptions}, ${after(life)}
        where (select count(*) from objectry.stream_client where org_id = ${org.id}) < ${max}
        returning id`,

  /** Clients that are there, each with its owner. */
  find: (ids: readonly string[]) =>
    sql`select ${columns}, org_id as "orgId", user_id as "userId" from objectry.stream_client
        where id = any(${ids}::text[]) and ${isThere}`,

  /** Changes clients that have the version which is changed. Returns the versions that are stored now, by id. */
  update(changes: readonly ClientChange[]): Sql {
    const rows = changes.map(({ row }) => row)
    const ids = rows.map(({ id }) => id)
    const lives = changes.map(({ life }) => life)
    return sql`with held as materialized (
                 select id from objectry.stream_client where id = any(${ids}::text[]) order by id for update)
               update objectry.stream_client client
               set version = made.version, connect = made.connect, subscriptions = made.subscriptions, sent_by = made.sent_by,
                   expires_at = case when is_shortened then now() + life * interval '1 millisecond'
                                else greatest(expires_at, now() + life * interval '1 millisecond') end
               from unnest(${ids}::text[], ${changes.map(({ before }) => before)}::text[], ${rows.map(({ version }) => version)}::text[],
                           ${rows.map(({ connect }) => connect)}::text[], ${rows.map(({ subscriptions }) => subscriptions)}::text[],
                           ${rows.map(({ sentBy }) => sentBy)}::text[], ${lives}::float8[],
                           ${changes.map(({ isShortened }) => isShortened)}::boolean[])
                    as made (id, before, version, connect, subscriptions, sent_by, life, is_shortened), held
               where client.id = held.id and made.id = held.id and client.version = made.before
               returning client.id, client.version`
  },

  delete: (id: string, owner: Owner) =>
    sql`delete from objectry.stream_client where ${isOwn(id, owner)} returning id`,

  versions: (ids: readonly string[]) =>
    sql`select id, version from objectry.stream_client where id = any(${ids}::text[])`,
}
