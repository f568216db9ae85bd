import type { Sql } from '../base/sql.ts'
import type { Org } from '../storage/org.ts'
import type { Asking } from './asking.ts'
import type { RecordQuery } from './compile.ts'
import { querySql } from './statement.sql.ts'

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

/** The statement of a query's first page; kept with the query unless it depends on who asks and when. */
export function firstPage(org: Org, query: RecordQuery, asking: Asking, most: number): Sql {
  const key = `${org.schemaName} ${most} ${asking.deletedToo}`
  const known = query.statements.get(key)
  if (known !== undefined) return known
  const { watched, asked } = watch(asking)
  const statement = querySql.first(org, query, watched, most)
  if (!asked()) query.statements.set(key, statement)
  return statement
}
