import { sql } from '../../src/base/sql.ts'
import { makeAllTables } from './make-all-tables.sql.ts'
import type { TestOrg } from './org.ts'

const columns = (schema: string) =>
  sql`select table_name || '.' || column_name || ' ' || data_type || coalesce('(' || numeric_precision || ',' || numeric_scale || ')', '')
             || ' ' || coalesce(collation_name, '') || ' ' || is_nullable || ' ' || coalesce(column_default, '') as line
      from information_schema.columns where table_schema = ${schema} and table_name !~ '^_'`

const indexes = (schema: string) =>
  sql`select indexdef as line from pg_indexes where schemaname = ${schema} and tablename !~ '^_'`

const constraints = (schema: string) =>
  sql`select r.relname || ' ' || c.conname || ' ' || pg_get_constraintdef(c.oid) as line
      from pg_constraint c join pg_class r on r.oid = c.conrelid
      join pg_namespace n on n.oid = r.relnamespace
      where n.nspname = ${schema} and r.relname !~ '^_' and c.contype in ('p', 'f', 'u', 'c')`

const sequences = (schema: string) =>
  sql`select 'sequence ' || sequencename as line from pg_sequences where schemaname = ${schema}`

/** Returns the columns, indexes, constraints and counters of an org in the database, a line each, without the org's name. */
export async function loadCatalog({ db, org }: Pick<TestOrg, 'db' | 'org'>): Promise<string[]> {
  await makeAllTables({ db, org })
  const lines: string[] = []
  for (const part of [columns, indexes, constraints, sequences]) {
    const rows = await db.query<{ line: string }>(part(org.schemaName))
    lines.push(...rows.map(({ line }) => line.replaceAll(org.schemaName, 'org')))
  }
  return lines.sort()
}
