import { type Sql, sql } from '../base/sql.ts'
import type { Org } from './orgs/org.ts'
import { storeUncompressed } from './uncompressed.sql.ts'

/** Bytes waiting to become part of a record are stored here in pieces. */
const table = (org: Org) => sql.id(org.schemaName, '_waiting_bytes')

/** How long they are kept: far longer than a call takes. */
const RETENTION = sql`interval '1 hour'`

export const bytesSql = {
  /** Unlogged: only calls in progress use it, and these do not survive a crash either. */
  createTables: (org: Org): Sql[] => [
    sql`create unlogged table ${table(org)} (
          id text collate "C" not null,
          number integer not null,
          piece bytea not null,
          stored_at timestamptz not null default now(),
          primary key (id, number))`,
    storeUncompressed(table(org), 'piece'),
  ],

  store: (org: Org, id: string, number: number, piece: Uint8Array) =>
    sql`insert into ${table(org)} (id, number, piece) values (${id}, ${number}, ${piece})`,

  discard: (org: Org, ids: readonly string[]) =>
    sql`delete from ${table(org)} where id = any(${ids}::text[])`,

  /** Deletes what a server left that ended in the middle of a call. */
  discardOld: (org: Org) => sql`delete from ${table(org)} where stored_at < now() - ${RETENTION}`,

  /** Replaces values of a statement with waiting bytes; `waiting` has their ids by the index of the value. */
  filledIn(org: Org, { pieces, values }: Sql, waiting: ReadonlyMap<number, string>): Sql {
    const parts = [sql.raw(pieces[0]!)]
    for (const [index, value] of values.entries()) {
      const id = waiting.get(index)
      const bytes = sql`(select string_agg(piece, ''::bytea order by number) from ${table(org)} where id = ${id})`
      parts.push(id === undefined ? sql`${value}` : bytes, sql.raw(pieces[index + 1]!))
    }
    return sql.join(parts, '')
  },
}
