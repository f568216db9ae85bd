import type { Sql } from '../base/sql.ts'
import type { Org } from '../storage/org.ts'
import type { Asking } from './asking.ts'
import type { RecordQuery } from './compile.ts'
import { keepStatement } from './keep-statement.ts'
import { querySql } from './statement.sql.ts'

/** The statement of a query's first page. */
export function firstPage(org: Org, query: RecordQuery, asking: Asking, most: number): Sql {
  const key = `${org.schemaName} ${most} ${asking.deletedToo}`
  return keepStatement(query.statements, key, asking, (watched) => querySql.first(org, query, watched, most))
}
