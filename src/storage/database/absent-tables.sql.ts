import { createHash } from 'node:crypto'
import { quoteIdentifier, quoteText, type Sql, sql } from '../../base/sql.ts'

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

  /**
   * Makes tables, unless they are there. Who makes one at the same time waits, and makes it if the other transaction is rolled back.
   * In a transaction that sees what was there when it began, the row of a table that others have made since must not be touched.
   * @param names in the order in which all make them
   */
  make: (schemaName: string, names: readonly string[]): Sql =>
    sql.raw(`do $make$
      declare
        wanted text;
        found_hash text;
        statement text;
      begin
        -- The transaction that makes a database is known to nobody else.
        if to_regclass('objectry.absent_table') is null then return; end if;
        foreach wanted in array array[${names.map(quoteText)}] loop
          continue when to_regclass(format('%I.%I', ${quoteText(schemaName)}, wanted)) is not null;
          delete from objectry.absent_table where schema_name = ${quoteText(schemaName)} and name = wanted returning hash into found_hash;
          continue when found_hash is null;
          for statement in select jsonb_array_elements_text(statements) from objectry.table_statements where hash = found_hash loop
            execute replace(statement, ${quoteText(ANY_SCHEMA)}, ${quoteText(startOfNames(schemaName))});
          end loop;
        end loop;
      end $make$`),
}
