import { type Sql, sql } from '../base/sql.ts'
import type { Org } from './orgs/org.ts'

/** Bytes that wait for the record that they become part of lie here, piece by piece. */
const table = (org: Org) => sql.id(org.schemaName, '_waiting_bytes')

/** How long they may wait: far longer than a call takes. */
const KEPT = sql`interval '1 hour'`

export const bytesSql = {
  /** Only calls that are under way use it, so nobody misses its rows after a crash. */
  createTables: (org: Org): Sql[] => [
    sql`create unlogged table if not exists ${table(org)} (
          id text collate "C" not null,
          number integer not null,
          piece bytea not null,
          stored_at timestamptz not null default now(),
          primary key (id, number))`,
    sql`alter table ${table(org)} alter column piece set storage external`,
  ],

  store: (org: Org, id: string, number: number, piece: Uint8Array) =>
    sql`insert into ${table(org)} (id, number, piece) values (${id}, ${number}, ${piece})`,

  discard: (org: Org, ids: readonly string[]) =>
    sql`delete from ${table(org)} where id = any(${ids}::text[])`,

  /** What a server left that ended in between. */
  discardOld: (org: Org) => sql`delete from ${table(org)} where stored_at < now() - ${KEPT}`,

  /** A statement in which bytes that wait take the place of values; `waiting` has their ids by the places. */
  filledIn(org: Org, { pieces, values }: Sql, waiting: ReadonlyMap<number, string>): Sql {
    const parts = [sql.raw(pieces[0]!)]
    for (const [location, value] of values.entries()) {
      const id = waiting.get(location)
      const whole = sql`(select string_agg(piece, ''::bytea order by number) from ${table(org)} where id = ${id})`
      parts.push(id === undefined ? sql`${value}` : whole, sql.raw(pieces[location + 1]!))
    }
    return sql.join(parts, '')
  },
}
