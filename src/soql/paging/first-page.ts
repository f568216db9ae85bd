import type { Sql } from '../../base/sql.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { keepStatement } from '../analyze/keep-statement.ts'
import type { QueryContext } from '../analyze/query-context.ts'
import type { RecordQuery } from '../compile/compile.ts'
import { querySql } from '../sql/statement.sql.ts'

/** The statement of a query's first page. */
export function firstPage(org: Org, query: RecordQuery, queryContext: QueryContext, max: number): Sql {
  const key = `${org.schemaName} ${max} ${queryContext.deletedToo}`
  return keepStatement(query.statements, key, queryContext, (watched) =>
    querySql.first(org, query, watched, max),
  )
}
