import { getOrInsert } from './get-or-insert.ts'
import { quoteText, Sql, sql } from './sql.ts'

/**
 * What stands in a statement for whose call it is, so that what is derived from the schema is the same for every org and
 * user. The database of a call puts the real things in their place.
 */
export const CALLER = {
  /** A value: the id of the user. */
  user: Symbol('the id of the user'),
  /** A name: the org's schema. */
  schema: '$org',
} as const

const SCHEMA = `"${CALLER.schema}".`

const speaksOfCaller = ({ values }: Sql) => values.includes(CALLER.user)

/** Statements with the name of a schema, by their pieces: those that are remembered are sent again and again. */
const named = new WeakMap<Sql['pieces'], Map<string, Sql>>()

/** The statement as a caller of an org sends it. */
export function asCaller(statement: Sql, schemaName: string, userId: string): Sql {
  if (!speaksOfCaller(statement)) return statement
  const { pieces, values, isReplanned } = statement
  const known = getOrInsert(
    getOrInsert(named, pieces, () => new Map<string, Sql>()),
    schemaName,
    () =>
      new Sql(
        pieces.map((piece) => piece.replaceAll(SCHEMA, `"${schemaName}".`)),
        values,
        undefined,
        isReplanned,
      ),
  )
  return known.with(values.map((value) => (value === CALLER.user ? userId : value)))
}

/**
 * The same with the user in its text and not as a value, for a statement in which an expression has to be the same in two
 * places: PostgreSQL does not see that two parameters are one.
 */
export function asCallerInText(statement: Sql, schemaName: string, userId: () => string): Sql {
  if (!speaksOfCaller(statement)) return statement
  const { pieces, values } = asCaller(statement, schemaName, '')
  const parts = pieces.flatMap((piece, at) => {
    if (at === 0) return [sql.raw(piece)]
    const isUser = statement.values[at - 1] === CALLER.user
    return [isUser ? sql.raw(quoteText(userId())) : sql`${values[at - 1]}`, sql.raw(piece)]
  })
  return sql.join(parts, '')
}
