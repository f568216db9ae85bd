import type { Sql } from '../base/sql.ts'
import type { Asking } from './asking.ts'

/** The same, and whether anything was asked that another user, or another moment, would answer otherwise. */
function watch(asking: Asking): { readonly watched: Asking; readonly asked: () => boolean } {
  let asked = false
  const tell = <Name extends keyof Asking>(name: Name): Asking[Name] => {
    asked = true
    return asking[name]
  }
  const watched: Asking = {
    deletedToo: asking.deletedToo,
    visibleRows(object, alias, sought) {
      const rule = asking.visibleRows(object, alias, sought)
      if (rule !== undefined) asked = true
      return rule
    },
    get userId() {
      return tell('userId')
    },
    get today() {
      return tell('today')
    },
    get now() {
      return tell('now')
    },
    get timeZone() {
      return tell('timeZone')
    },
    get fiscalStartMonth() {
      return tell('fiscalStartMonth')
    },
  }
  return { watched, asked: () => asked }
}

/** Statements of a query that depend on nothing but what their keys say. */
export type Statements = Map<string, Sql>

/** A statement; kept under its key unless it depends on who asks and when. */
export function keepStatement(
  statements: Statements,
  key: string,
  asking: Asking,
  make: (asking: Asking) => Sql,
): Sql {
  const known = statements.get(key)
  if (known !== undefined) return known
  const { watched, asked } = watch(asking)
  const statement = make(watched)
  if (!asked()) statements.set(key, statement)
  return statement
}
