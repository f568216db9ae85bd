import { sql } from '../../src/base/sql.ts'
import type { TestOrg } from './org.ts'

/** The tables of an org and of the platform in which a text stands anywhere, snapshots and notes included. */
export async function tablesWith({ db, org }: Pick<TestOrg, 'db' | 'org'>, text: string): Promise<string[]> {
  const tables = await db.query<{ schema: string; name: string }>(
    sql`select table_schema as schema, table_name as name from information_schema.tables
        where table_type = 'BASE TABLE' and (table_schema in (${org.schemaName}, 'objectry') or table_schema like ${`%${org.schemaName}`})
        order by 1, 2`,
  )
  const found: string[] = []
  for (const { schema, name } of tables) {
    const [row] = await db.query(
      sql`select 1 from ${sql.id(schema, name)} t where position(${text}::text in t::text) > 0 limit 1`,
    )
    if (row !== undefined) found.push(name)
  }
  return found
}
