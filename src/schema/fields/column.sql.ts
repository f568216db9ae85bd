import { CALLER } from '../../base/caller.sql.ts'
import { quoteText, type Sql, sql } from '../../base/sql.ts'
import type { Field } from './field.ts'

/** When the caller used the record of that id last. */
const lastUse = (use: 'viewed' | 'referenced', id: Sql): Sql =>
  sql`(select ${sql.raw(use === 'viewed' ? 'viewed_at' : 'referenced_at')} from ${sql.id(CALLER.schema, '_recently_used')}
       where user_id = ${CALLER.user} and record_id = ${id})`

/** What stands between the times of the last view and of the last reference. */
export const BETWEEN_USES = '|'

/** Both times of the record of an alias as one text, null when it was never used: one look for both of them. */
export const bothUses = (table?: string): Sql =>
  sql`(select concat(viewed_at, ${sql.raw(quoteText(BETWEEN_USES))}, referenced_at) from ${sql.id(CALLER.schema, '_recently_used')}
       where user_id = ${CALLER.user} and record_id = ${table === undefined ? sql.id('id') : sql.id(table, 'id')})`

/** Whether the caller used the record of that id lately. */
export const usedLately = (id: Sql): Sql =>
  sql`exists (select from ${sql.id(CALLER.schema, '_recently_used')}
              where user_id = ${CALLER.user} and record_id = ${id})`

/**
 * A field's value in a row of its object: its column, or what of it is the caller's own.
 * @param table alias; undefined where the statement names the table alone
 */
export function fieldValue({ column, definition }: Field, table?: string): Sql {
  const at = (name: string) => (table === undefined ? sql.id(name) : sql.id(table, name))
  return definition.recent === undefined ? at(column!) : lastUse(definition.recent, at('id'))
}
