import { createHash } from 'node:crypto'
import { quoteIdentifier, type Sql, sql } from '../../base/sql.ts'

/** Stands for the schema of an org in the statements that make a table. */
const ANY_SCHEMA = '"org_any".'

/** How a table and what belongs to it are made, in any org. */
interface TableStatements {
  readonly name: string
  /** Identifies the statements: orgs that were made alike share them. */
  readonly hash: string
  readonly statements: readonly string[]
}

const startOfNames = (schemaName: string) => `${quoteIdentifier(schemaName)}.`

/** @param made the statements that make the table in an org */
export function inAnySchema(schemaName: string, name: string, made: readonly Sql[]): TableStatements {
  const statements = made.map(({ text }) => text.replaceAll(startOfNames(schemaName), ANY_SCHEMA))
  const hash = createHash('sha256').update(JSON.stringify(statements)).digest('hex')
  return { name, hash, statements }
}

export const absentTablesSql = {
  /** Notes tables of an org that are made when a statement names them. */
  note: (schemaName: string, tables: readonly TableStatements[]): Sql =>
    sql`with noted as (
          select * from jsonb_to_recordset(${JSON.stringify(tables)}::jsonb) as noted (name text, hash text, statements jsonb)),
        stored as (
          insert into objectry.table_statements (hash, statements) select distinct on (hash) hash, statements from noted
          on conflict (hash) do nothing)
        insert into objectry.absent_table (schema_name, name, hash) select ${schemaName}, name, hash from noted`,

  names: (schemaName: string): Sql =>
    sql`select name from objectry.absent_table where schema_name = ${schemaName}`,

  /** Those of objects, and nobody makes them until the transaction ends. */
  hold: (schemaName: string): Sql =>
    sql`select name from objectry.absent_table where schema_name = ${schemaName} and name !~ '^_' order by name for update`,

  /** The transaction that makes a database is known to nobody else. */
  isMigrated: sql`select to_regclass('objectry.absent_table') is not null as "isMigrated"`,

  /**
   * Takes tables out of the absent ones, and returns the statements that make them. Who takes one at the same time waits, and gets it if
   * the other transaction is rolled back.
   * @param names in the order in which all make them
   */
  take: (schemaName: string, names: readonly string[]): Sql =>
    sql`with wanted as (
          select name from objectry.absent_table where schema_name = ${schemaName} and name = any(${names}::text[])
          order by name for update),
        taken as (
          delete from objectry.absent_table absent using wanted
          where absent.schema_name = ${schemaName} and absent.name = wanted.name returning absent.name, absent.hash)
        select statements from taken join objectry.table_statements using (hash) order by name`,

  /** Those of some tables that are there. */
  present: (schemaName: string, names: readonly string[]): Sql =>
    sql`select name from unnest(${names}::text[]) as name where to_regclass(format('%I.%I', ${schemaName}::text, name)) is not null`,

  /** The statements of a table as those of an org. */
  inSchema: (schemaName: string, statement: string): Sql =>
    sql.raw(statement.replaceAll(ANY_SCHEMA, startOfNames(schemaName))),
}
