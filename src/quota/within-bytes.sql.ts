import { type Sql, sql } from '../base/sql.ts'

/** Counted for a value besides its text: its name, quotes and commas. */
const VALUE_BYTES = 16

/** A sum of many terms as a shallow expression: PostgreSQL takes a chain of additions apart one level after the other. */
function sum(terms: readonly Sql[]): Sql {
  if (terms.length <= 2) return sql.join(terms, ' + ')
  const middle = terms.length >> 1
  return sql`(${sum(terms.slice(0, middle))}) + (${sum(terms.slice(middle))})`
}

/**
 * The first rows of an ordered statement, as many as take `maxBytes` in an answer; the first one in any case. Two columns more say how many bytes they take
 * up to there, and how many rows there were.
 * @param weights how many times the value of each column stands in the answer
 */
export function withinBytes(statement: Sql, weights: readonly number[], maxBytes: number): Sql {
  const names = weights.map((_, index) => sql.id(`c${index}`))
  const sizes = weights.flatMap((weight, index) => {
    if (weight === 0) return []
    const size = sql`(coalesce(octet_length(${names[index]!}::text), 4) + ${sql.raw(String(VALUE_BYTES))})::bigint`
    return weight === 1 ? [size] : [sql`${size} * ${sql.raw(String(weight))}`]
  })
  const list = sql.join(names)
  const bytes = sizes.length === 0 ? sql`0::bigint` : sum(sizes)
  // A window without an order takes the rows as the statement gives them.
  return sql`select ${list}, taken, available from (
      select ${list}, sum(${bytes}) over (rows unbounded preceding) as taken, row_number() over () as number, count(*) over () as available
      from (${statement}) as read (${list})) as counted
    where taken <= ${maxBytes}::bigint or number = 1 order by number`
}
