import { Sql } from './sql.ts'

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

/** The statement as a caller of an org sends it. */
export function asCaller(statement: Sql, schemaName: string, userId: string): Sql {
  const { pieces, values, plannedAnew } = statement
  if (!values.includes(CALLER.user)) return statement
  return new Sql(
    pieces.map((piece) => piece.replaceAll(SCHEMA, `"${schemaName}".`)),
    values.map((value) => (value === CALLER.user ? userId : value)),
    undefined,
    plannedAnew,
  )
}
