import { type Sql, sql } from '../base/sql.ts'

/** Bytes that wait for the record that they become part of lie here, piece by piece. */
const table = sql`objectry.waiting_bytes`

/** How long they may wait: far longer than a call takes. */
const KEPT = sql`interval '1 hour'`

export const bytesSql = {
  store: (id: string, number: number, piece: Uint8Array) =>
    sql`insert into ${table} (id, number, piece) values (${id}, ${number}, ${piece})`,

  discard: (ids: readonly string[]) => sql`delete from ${table} where id = any(${ids}::text[])`,

  /** What a server left that ended in between. */
  discardOld: sql`delete from ${table} where stored_at < now() - ${KEPT}`,

  /** A statement in which bytes that wait take the place of values; `waiting` has their ids by the places. */
  filledIn({ pieces, values }: Sql, waiting: ReadonlyMap<number, string>): Sql {
    const parts = [sql.raw(pieces[0]!)]
    for (const [place, value] of values.entries()) {
      const id = waiting.get(place)
      const whole = sql`(select string_agg(piece, ''::bytea order by number) from ${table} where id = ${id})`
      parts.push(id === undefined ? sql`${value}` : whole, sql.raw(pieces[place + 1]!))
    }
    return sql.join(parts, '')
  },
}
