import { CALLER } from '../../base/caller.sql.ts'
import { quoteText, type Sql, sql } from '../../base/sql.ts'
import type { Field, RowSource } from './field.ts'
import type { CopiedField, FieldDefinition } from './field-definition.ts'

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

/** True if the caller recently viewed the record with the id. */
export const isRecentlyUsed = (id: Sql): Sql =>
  sql`exists (select from ${sql.id(CALLER.schema, '_recently_used')}
              where user_id = ${CALLER.user} and record_id = ${id})`

/** The value of a field of the record that a reference leads to; null where there is none. */
function copied({ references, field }: CopiedField, at: (name: string) => Sql): Sql {
  const [{ name, to }, ...further] = references as [
    CopiedField['references'][number],
    ...CopiedField['references'],
  ]
  const target = (object: string, index: number) =>
    sql`${sql.id(CALLER.schema, object.toLowerCase())} ${sql.id(`c${index}`)}`
  const joins = further.map(
    ({ name, to }, index) =>
      sql` join ${target(to, index + 1)} on ${sql.id(`c${index + 1}`, 'id')} = ${sql.id(`c${index}`, name.toLowerCase())}`,
  )
  // The reference is named outside of the target's columns, one of which may be called like it.
  return sql`(select ${sql.id(`c${further.length}`, field.toLowerCase())} as found from (select ${at(name.toLowerCase())} as id) r
              join ${target(to, 0)} on c0.id = r.id${sql.join(joins, '')} where not c0.isdeleted)`
}

/** The last record of a record's history in which a field differs from the record before; the first one has none before it. */
function lastChange({ object, reference, field }: NonNullable<FieldDefinition['lastChange']>): Sql {
  const states = (alias: string) =>
    sql`from ${sql.id(CALLER.schema, object.toLowerCase())} ${sql.id(alias)} where ${sql.id(alias, reference.toLowerCase())} = r.id and not ${sql.id(alias)}.isdeleted`
  const name = field.toLowerCase()
  // Named, so that it is not taken for the record's own column of that name.
  return sql`(select h.id as found ${states('h')} and ${sql.id('h', name)} is distinct from ${sql.id('h', `prev${name}`)}
              and h.id <> (select f.id ${states('f')} order by f.createddate, f.id limit 1)
              order by h.createddate desc, h.id desc limit 1)`
}

const LARGEST_INTEGER = 2_147_483_647

/** The sum of a field over the record with the id and all below it that are not deleted. */
function summed(
  { object, reference, field }: NonNullable<FieldDefinition['sumBelow']>,
  id: Sql,
  type: string,
): Sql {
  const table = sql.id(CALLER.schema, object.toLowerCase())
  const sum = sql`sum(${sql.id('n', field.toLowerCase())})`
  return sql`(with recursive line (id) as (
                select ${id}
                union select below.id from ${table} below join line on below.${sql.id(reference.toLowerCase())} = line.id where not below.isdeleted)
              select ${type === 'integer' ? sql`least(${sum}, ${sql.raw(String(LARGEST_INTEGER))})::integer` : sum}
              from ${table} n join line on n.id = line.id)`
}

/** Longer lines of records are not followed. */
const MAX_LEVELS = 1000

/** Where a record is in a hierarchy: the id of the one at the top, or its level from there. */
function placed(
  { object, reference, shows }: NonNullable<FieldDefinition['placeBy']>,
  at: (name: string) => Sql,
): Sql {
  const table = sql.id(CALLER.schema, object.toLowerCase())
  const above = reference.toLowerCase()
  return sql`(with recursive line (id, above, level) as (
                select ${at('id')}, ${at(above)}, 1
                union all select upper.id, upper.${sql.id(above)}, line.level + 1 from ${table} upper
                join line on upper.id = line.above where line.level < ${sql.raw(String(MAX_LEVELS))})
              select line.${sql.id(shows === 'top' ? 'id' : 'level')} from line order by line.level desc limit 1)`
}

/** The time by the clock of the org, which may have been moved. */
export const now = sql`(now() + coalesce((select clock_ahead * interval '1 millisecond' from objectry.org
                                   where id = (select id from ${sql.id(CALLER.schema, 'organization')} limit 1)), interval '0'))`
/** Name of the caller's time zone. */
export const timeZone = sql`coalesce((select timezonesidkey from ${sql.id(CALLER.schema, 'user')} where id = ${CALLER.user}), 'UTC')`
/** The day where the caller is. */
export const today = sql`(${now} at time zone ${timeZone})::date`
const openTask = sql`select from ${sql.id(CALLER.schema, 'task')} task where task.whatid = r.id and not task.isclosed and not task.isdeleted`
const hangsOn = (object: 'attachment' | 'contentdocumentlink', reference: string) =>
  sql`exists (select from ${sql.id(CALLER.schema, object)} other where other.${sql.id(reference)} = r.id and not other.isdeleted)`
const SHOWN = {
  openActivity: sql`exists (${openTask}) or exists (select from ${sql.id(CALLER.schema, 'event')} event
              where event.whatid = r.id and not event.isdeleted and event.enddatetime > ${now})`,
  overdueTask: sql`exists (${openTask} and task.activitydate < ${today})`,
  lastActivity: sql`greatest(
              (select max(task.activitydate) from ${sql.id(CALLER.schema, 'task')} task where task.whatid = r.id and task.isclosed and not task.isdeleted),
              (select max(event.activitydate) from ${sql.id(CALLER.schema, 'event')} event where event.whatid = r.id and not event.isdeleted))`,
  attachment: sql`${hangsOn('attachment', 'parentid')} or ${hangsOn('contentdocumentlink', 'linkedentityid')}`,
} as const

/**
 * A field's value in a row of its object: its column or that of the field whose address it is, or for a field that
 * differs by caller, a subquery.
 * @param row alias of the table; undefined where the statement names the table alone
 */
export function fieldValue({ column, definition, type, formula }: Field, row?: string | RowSource): Sql {
  if (formula !== undefined) return formula.toSql(typeof row === 'object' ? row : { alias: row })
  const table = typeof row === 'object' ? row.alias : row
  const at = (name: string) => (table === undefined ? sql.id(name) : sql.id(table, name))
  if (definition.copyOf !== undefined) {
    const values = definition.copyOf.map((one) => copied(one, at))
    return sql`coalesce(${sql.join(type.emptyValue === undefined ? values : [...values, sql`${sql.raw(String(type.emptyValue))}`])})`
  }
  if (definition.namedBy !== undefined)
    return sql`coalesce(${copied(definition.namedBy, at)} = ${at('id')}, false)`
  if (definition.sumBelow !== undefined) return summed(definition.sumBelow, at('id'), type.parameter)
  if (definition.placeBy !== undefined) return placed(definition.placeBy, at)
  if (definition.shows !== undefined)
    return sql`(select ${SHOWN[definition.shows]} from (select ${at('id')} as id) r)`
  if (definition.lastChange !== undefined)
    return sql`(select ${lastChange(definition.lastChange)} from (select ${at('id')} as id) r)`
  if (definition.addressOf !== undefined) return at(definition.addressOf.toLowerCase())
  return definition.recent === undefined ? at(column!) : lastUse(definition.recent, at('id'))
}
