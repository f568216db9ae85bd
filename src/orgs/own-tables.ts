import { loginSql } from '../auth/history/login-history.sql.ts'
import { passwordSql } from '../auth/users/passwords.sql.ts'
import { preferenceSql } from '../auth/users/preferences.sql.ts'
import type { Sql } from '../base/sql.ts'
import { recentSql } from '../recent/recently-viewed.sql.ts'
import { metadataSql } from '../schema/snapshot/metadata.sql.ts'
import { pageSql } from '../soql/sql/page.sql.ts'
import { bytesSql } from '../storage/bytes.sql.ts'
import { absentTablesSql, inAnySchema } from '../storage/database/absent-tables.sql.ts'
import type { Db } from '../storage/database/db.ts'
import type { Org } from '../storage/orgs/org.ts'
import { PREPARED_ORG } from '../storage/orgs/orgs.sql.ts'
import { createOrgSchema } from '../storage/orgs/orgs.ts'
import { importJournalSql } from './imports/import-journal.sql.ts'
import { SNAPSHOT_TABLE, snapshotSql } from './stored-values/snapshot.sql.ts'

/*
 * The tables of an org that are not tables of objects.
 */

/** A log-in should not take longer the first time: passwords are there from the beginning. */
const createAtOnce = (org: Org): Sql[] => [...metadataSql.createTables(org), ...passwordSql.createTables(org)]

/**
 * By the table that makes them with the first statement that names it. What else is made with it is named only by later statements:
 * pages refer to their cursor.
 */
const ON_FIRST_USE: Readonly<Record<string, (org: Org) => Sql[]>> = {
  _query_cursor: pageSql.createTables,
  [SNAPSHOT_TABLE]: snapshotSql.createTables,
  _import_batch: importJournalSql.createTable,
  _waiting_bytes: bytesSql.createTables,
  _recently_used: recentSql.createTables,
  _preference: preferenceSql.createTable,
  _login: loginSql.createTable,
}

/** Creates the schema of an org with the tables that it needs at once, and notes how the others are made. */
export async function createOwnTables(db: Db, org: Org): Promise<void> {
  await createOrgSchema(db, org)
  await db.script(createAtOnce(org))
  const noted = Object.entries(ON_FIRST_USE).map(([name, create]) =>
    inAnySchema(org.schemaName, name, create(org)),
  )
  await db.query(absentTablesSql.note(org.schemaName, noted))
}

/** The same for an image of the database, which has all of them. */
export async function createPreparedTables(db: Db): Promise<void> {
  await createOrgSchema(db, PREPARED_ORG)
  const others = Object.values(ON_FIRST_USE).flatMap((create) => create(PREPARED_ORG))
  await db.script([...createAtOnce(PREPARED_ORG), ...others])
}
