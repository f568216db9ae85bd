import { CALLER } from '../../base/caller.sql.ts'
import { quoteText, type Sql, sql } from '../../base/sql.ts'
import type { Field } from './field.ts'

/** When the caller last viewed or referenced the record with the id. */
const lastUse = (use: 'viewed' | 'referenced', id: Sql): Sql =>
  sql`(select ${sql.raw(use === 'viewed' ? 'viewed_at' : 'referenced_at')} from ${sql.id(CALLER.schema, '_recently_used')}
       where user_id = ${CALLER.user} and record_id = ${id})`

/** Separates the times of the last view and the last reference. */
export const USE_SEPARATOR = '|'

/** Both times of a record as one text, so that one subquery finds both; null when the caller never used the record. */
export const bothUses = (table?: string): Sql =>
  sql`(select concat(viewed_at, ${sql.raw(quoteText(USE_SEPARATOR))}, referenced_at) from ${sql.id(CALLER.schema, '_recently_used')}
       where user_id = ${CALLER.user} and record_id = ${table === undefined ? sql.id('id') : sql.id(table, 'id')})`

/** Whether the caller recently viewed the record with the id. */
export const isRecentlyUsed = (id: Sql): Sql =>
  sql`exists (select from ${sql.id(CALLER.schema, '_recently_used')}
              where user_id = ${CALLER.user} and record_id = ${id})`

/**
 * A field's value in a row of its object: its column or that of the field whose address it is, or for a field that
 * differs by caller, a subquery.
 * @param table alias; undefined where the statement names the table alone
 */
export function fieldValue({ column, definition }: Field, table?: string): Sql {
  const at = (name: string) => (table === undefined ? sql.id(name) : sql.id(table, name))
  if (definition.addressOf !== undefined) return at(definition.addressOf.toLowerCase())
  return definition.recent === undefined ? at(column!) : lastUse(definition.recent, at('id'))
}
