import { asCaller } from '../base/caller.sql.ts'
import type { Sql } from '../base/sql.ts'
import type { Db } from './database/db.ts'
import type { Org } from './orgs/org.ts'

/** A `Db` whose statements may contain placeholders for the caller. */
export function callersDb(db: Db, org: Org, userId: string): Db {
  const fillIn = (statement: Sql) => asCaller(statement, org.schemaName, userId)
  const own: Db = {
    isTransaction: db.isTransaction,
    query: (statement) => db.query(fillIn(statement)),
    rows: (statement) => db.rows(fillIn(statement)),
    script: (statements) => db.script(statements),
    transaction: (work) => db.transaction((inside) => work(callersDb(inside, org, userId))),
    attempt: (work) => db.attempt((inside) => work(inside === db ? own : callersDb(inside, org, userId))),
    // The work of a run for several calls cannot rely on the caller of one.
    coalesce: (work, item) => db.coalesce(work, item),
    afterCommit: (task) => db.afterCommit(task),
  }
  return own
}
