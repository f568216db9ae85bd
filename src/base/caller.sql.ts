import { getOrInsert, oncePer } from './get-or-insert.ts'
import { quoteText, Sql, sql } from './sql.ts'

/**
 * Placeholders for the caller in a statement, so that a statement derived from the schema is the same for every org and
 * user. The database of a call replaces them with real values.
 */
export const CALLER = {
  /** A value: the id of the user. */
  user: Symbol('the id of the user'),
  /** A name: the org's schema. */
  schema: '$org',
} as const

const SCHEMA = `"${CALLER.schema}".`

/** True if a statement names the org's schema, by its pieces. */
const namesSchema = oncePer((pieces: Sql['pieces']) => pieces.some((piece) => piece.includes(SCHEMA)))

const refersToCaller = ({ pieces, values }: Sql) => values.includes(CALLER.user) || namesSchema(pieces)

/** Statements with the schema name filled in, by their pieces, since cached statements are sent repeatedly. */
const namedOf = oncePer<Sql['pieces'], Map<string, Sql>>(() => new Map())

/** The statement with the caller's org and user filled in. */
export function asCaller(statement: Sql, schemaName: string, userId: string): Sql {
  if (!refersToCaller(statement)) return statement
  const { pieces, values } = statement
  const known = getOrInsert(
    namedOf(pieces),
    schemaName,
    () =>
      new Sql(
        pieces.map((piece) => piece.replaceAll(SCHEMA, `"${schemaName}".`)),
        values,
        undefined,
        statement,
      ),
  )
  return known.with(values.map((value) => (value === CALLER.user ? userId : value)))
}

/**
 * The same with the user id in the text rather than as a value, for a statement that has to contain the same expression
 * twice: PostgreSQL does not treat two parameters with the same value as equal.
 */
export function asCallerInText(statement: Sql, schemaName: string, userId: () => string): Sql {
  if (!refersToCaller(statement)) return statement
  const { pieces, values } = asCaller(statement, schemaName, '')
  const parts = pieces.flatMap((piece, at) => {
    if (at === 0) return [sql.raw(piece)]
    const isUser = statement.values[at - 1] === CALLER.user
    return [isUser ? sql.raw(quoteText(userId())) : sql`${values[at - 1]}`, sql.raw(piece)]
  })
  return sql.join(parts, '')
}
