import type { Sql } from '../../base/sql.ts'
import type { QueryContext } from './query-context.ts'

/** The same, and whether anything was asked that another user, or another moment, would answer otherwise. */
function watch(queryContext: QueryContext): {
  readonly watched: QueryContext
  readonly requested: () => boolean
} {
  let requested = false
  const report = <Name extends keyof QueryContext>(name: Name): QueryContext[Name] => {
    requested = true
    return queryContext[name]
  }
  const watched: QueryContext = {
    deletedToo: queryContext.deletedToo,
    visibleRows(object, alias, sought) {
      const rule = queryContext.visibleRows(object, alias, sought)
      if (rule !== undefined) requested = true
      return rule
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
    get fiscalStartMonth() {
      return report('fiscalStartMonth')
    },
  }
  return { watched, requested: () => requested }
}

/** Statements of a query that depend on nothing but what their keys say. */
export type Statements = Map<string, Sql>

/** A statement; kept under its key unless it depends on who asks and when. */
export function keepStatement(
  statements: Statements,
  key: string,
  queryContext: QueryContext,
  make: (queryContext: QueryContext) => Sql,
): Sql {
  const known = statements.get(key)
  if (known !== undefined) return known
  const { watched, requested } = watch(queryContext)
  const statement = make(watched)
  if (!requested()) statements.set(key, statement)
  return statement
}
