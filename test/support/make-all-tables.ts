import { absentTablesSql } from '../../src/storage/database/absent-tables.sql.ts'
import type { TestOrg } from './org.ts'

/** Makes the tables of all objects of an org, which else are made when they are used. */
export async function makeAllTables({ db, org }: Pick<TestOrg, 'db' | 'org'>): Promise<void> {
  const absent = await db.query<{ name: string }>(absentTablesSql.names(org.schemaName))
  if (absent.length === 0) return
  const names = absent.map(({ name }) => name).sort()
  await db.script([absentTablesSql.make(org.schemaName, names)])
}
