import { quoteIdentifier, type Sql, sql } from '../base/sql.ts'

/**
 * Has the values of a column stored as they are: compressing them takes more time than the saved bytes are worth. Citus refuses
 * the command, and compresses them.
 */
export const storeUncompressed = (table: Sql, column: string): Sql =>
  sql.raw(`do $$ begin
    alter table ${table.text} alter column ${quoteIdentifier(column)} set storage external;
  exception when feature_not_supported then null;
  end $$`)
