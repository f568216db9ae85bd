/** Words that may not be aliases. (docs/reference/api/queries.md#names) */
export const RESERVED_ALIASES: ReadonlySet<string> = new Set([
  'AND',
  'ASC',
  // Every record has this member, with its type.
  'ATTRIBUTES',
  'DESC',
  'EXCLUDES',
  'FIRST',
  'FROM',
  'GROUP',
  'HAVING',
  'IN',
  'INCLUDES',
  'LAST',
  'LIKE',
  'LIMIT',
  'NOT',
  'NULL',
  'NULLS',
  'OR',
  'SELECT',
  'USING',
  'WHERE',
  'WITH',
])

/**
 * Words that may not be the name of an object or begin a path. Of the list, only Group is also an object. So the error
 * about a missing name points at where it is missing: `SELECT Id, FROM Account`.
 */
export const RESERVED_NAMES: ReadonlySet<string> = RESERVED_ALIASES.difference(new Set(['GROUP']))
