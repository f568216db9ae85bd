import { type Sql, sql } from '../../base/sql.ts'

/** Rows of several statements, each with the number of its statement, from 1, behind its columns. */
export type MakeShared = (statements: readonly Sql[]) => Sql

/** The type that a value is cast to where it stands. A list of values would be taken apart with the lists of others. */
const CAST = /^::(text|integer|bigint|numeric|float8|boolean|date|time|timestamptz)(?![\w[])/

/** Contains a space, so it differs from every alias in a statement. */
const VALUES = 'shared values'

const toText = (value: unknown) => (value === null || value === undefined ? null : String(value))

/**
 * One statement for several that have the same text, and differ in their values only. It joins a list of values with the statement, so
 * it is carried out for each of them, one after the other: the rows of each are together and in its own order.
 * @returns undefined if this cannot be done
 */
export function makeShared({ pieces, values, isReplanned }: Sql): MakeShared | undefined {
  if (isReplanned || values.length === 0 || pieces.length !== values.length + 1) return undefined
  const types = pieces.slice(1).map((piece) => CAST.exec(piece)?.[1])
  if (types.includes(undefined)) return undefined
  const names = types.map((_, index) => `v${index}`)
  const text = pieces.reduce((before, piece, index) => `${before}"${VALUES}".v${index - 1}${piece}`)
  const lists = types.map((type) => [[], sql.raw(`::text[]::${type}[]`)] as const)
  const parameters = sql.join(lists.map(([list, cast]) => sql`${list}${cast}`))
  const made = sql`select r.*, ${sql.id(VALUES)}.n from unnest(${parameters}) with ordinality as ${sql.id(VALUES)} (${sql.raw(names.join(', '))}, n)
    cross join lateral (${sql.raw(text)}) r`
  return (statements) =>
    made.with(values.map((_, index) => statements.map((statement) => toText(statement.values[index]))))
}
