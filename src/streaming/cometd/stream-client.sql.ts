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

  find: (id: string, owner: Owner) =>
    sql`select ${columns} from objectry.stream_client where ${isOwn(id, owner)} and ${isThere}`,

  /**
   * @param life after which it expires, in milliseconds
   * @param isShortened it may expire earlier than it would have
   * @returns its id; nothing if it has another version by now
   */
  update: (
    { id, version, connect, subscriptions, sentBy }: ClientRow,
    before: string,
    { life, isShortened }: { readonly life: number; readonly isShortened: boolean },
  ) =>
    sql`update objectry.stream_client
        set version = ${version}, connect = ${connect}, subscriptions = ${subscriptions}, sent_by = ${sentBy},
            expires_at = ${isShortened ? after(life) : sql`greatest(expires_at, ${after(life)})`}
        where id = ${id} and version = ${before}
        returning id`,

  delete: (id: string, owner: Owner) =>
    sql`delete from objectry.stream_client where ${isOwn(id, owner)} returning id`,

  versions: (ids: readonly string[]) =>
    sql`select id, version from objectry.stream_client where id = any(${ids}::text[])`,
}
