import type { Sql } from '../../base/sql.ts'
import type { QueryContext } from './query-context.ts'

/** Wraps a query context to record whether a statement depends on its user or its time. */
function trackCallerUse(queryContext: QueryContext): {
  readonly watched: QueryContext
  readonly requested: () => boolean
} {
  let requested = false
  const report = <Name extends keyof QueryContext>(name: Name): QueryContext[Name] => {
    requested = true
    return queryContext[name]
  }
  const tracked: QueryContext = {
    deletedToo: queryContext.deletedToo,
    visible: queryContext.visible,
    visibleRows(object, alias, sought) {
      const rule = queryContext.visibleRows(object, alias, sought)
      if (rule !== undefined) requested = true
      return rule
    },
    get namedUser() {
      return report('namedUser')
    },
    get userId() {
      return report('userId')
    },
    get today() {
      return report('today')
    },
    get now() {
      return report('now')
    },
    get timeZone() {
      return report('timeZone')
    },
    get fiscalYear() {
      return report('fiscalYear')
    },
    get weekStart() {
      return report('weekStart')
    },
  }
  return { watched: tracked, requested: () => requested }
}

/** Statements of a query that depend only on what their keys contain. */
export type StatementCache = Map<string, Sql>

/** Gets or makes a statement. Cached under its key unless it depends on the user or the time. */
export function cacheStatement(
  statements: StatementCache,
  key: string,
  queryContext: QueryContext,
  make: (queryContext: QueryContext) => Sql,
): Sql {
  const known = statements.get(key)
  if (known !== undefined) return known
  const { watched, requested } = trackCallerUse(queryContext)
  const statement = make(watched)
  if (!requested()) statements.set(key, statement)
  return statement
}
