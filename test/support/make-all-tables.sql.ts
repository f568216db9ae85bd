import { sql } from '../../src/base/sql.ts'
import { absentTablesSql } from '../../src/storage/database/absent-tables.sql.ts'
import type { TestOrg } from './org.ts'

/** Makes the tables of all objects of an org, which else are made when they are used. */
export async function makeAllTables({ db, org }: Pick<TestOrg, 'db' | 'org'>): Promise<void> {
  const absent = await db.query<{ name: string }>(absentTablesSql.names(org.schemaName))
  await db.script(absent.map(({ name }) => sql`select from ${sql.id(org.schemaName, name)} limit 0`))
}
