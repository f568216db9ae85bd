import { type Sql, sql } from '../base/sql.ts'
import type { Org } from './orgs/org.ts'
import { storeUncompressed } from './uncompressed.sql.ts'

/** Bytes waiting to become part of a record are stored here in pieces. */
const table = (org: Org) => sql.id(org.schemaName, '_waiting_bytes')

/** How long they are kept: far longer than a call takes. */
const RETENTION = sql`interval '1 hour'`

/** A row with columns of bytes. */
export interface FilledRow {
  readonly table: Sql
  /** The condition that finds it. */
  readonly row: Sql
}

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

  /**
   * Puts waiting bytes together in a column of a row. The row is written before, without them: a cluster carries out no insert that
   * puts something together.
   */
  fill: (org: Org, { table: target, row }: FilledRow, column: string, id: string) =>
    sql`update ${target} set ${sql.id(column)} =
          (select string_agg(piece, ''::bytea order by number) from ${table(org)} where id = ${id})
        where ${row}`,
}
