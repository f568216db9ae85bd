import { type Sql, sql } from '../../src/base/sql.ts'

/** A statement whose text no other number has. */
export const numberedStatement = (number: number): Sql =>
  sql`select ${number}::int as ${sql.id(`number_${number}`)}, pg_backend_pid() as backend`

/** How many statements the connection has prepared, and whether that of a number is one of them. */
export const preparedStatements = (number: number): Sql =>
  sql`select count(*)::int as total, coalesce(bool_or(statement like ${`%number_${number}"%`}), false) as "hasNumber"
      from pg_prepared_statements`

export const readJit = sql`select current_setting('jit') as jit`

/** The table of an org's schema that `readAll` reads, in two versions. */
export const tableSql = {
  make: (schema: string): Sql[] => [
    sql`create schema ${sql.id(schema)}`,
    sql`create table ${sql.id(schema, 'thing')} (id int)`,
  ],
  widen: (schema: string): Sql => sql`alter table ${sql.id(schema, 'thing')} add column more int`,
  readAll: (schema: string): Sql => sql`select * from ${sql.id(schema, 'thing')}`,
}
