import { ID_DIGITS, startOfIds } from '../../base/record-id.ts'
import { quoteText, type Sql, sql } from '../../base/sql.ts'
import type { Field } from '../../schema/fields/field.ts'
import { historyName, isToldInFull } from '../../schema/fields/tracked-field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { type AuditFields, created, SYSTEM_COLUMNS, table } from '../../schema/objects/table.sql.ts'
import { withCheckCharacters } from '../../standard/views/check-characters.sql.ts'
import { clockSql } from '../../storage/database/timestamp.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { nextBlock } from '../../storage/orgs/orgs.sql.ts'
import { BLOCK_SIZE } from '../../storage/orgs/record-ids.ts'
import type { PlannedRecord } from '../prepare/planned-record.ts'
import { collectFields, makeArrays, unnestRows } from '../prepare/written-rows.sql.ts'

/** The counter of an id in base 62, as `makeRecordId` writes it. */
const COUNTER = [8, 7, 6, 5, 4, 3, 2, 1, 0]
  .map((place) => `substr('${ID_DIGITS}', 1 + (n / ${62 ** place} % 62)::integer, 1)`)
  .join(' || ')

/**
 * Inserts rows about locked records whose order by `CreatedDate, Id` is that in which the records were locked, whichever server does it:
 * their times and ids are taken by the database while the lock is held. Each id is the first of a block of its own, so that it follows all
 * that were made before.
 * @param rows a query that gives the columns, of records that it locks or that are locked
 */
function insertOrdered(
  org: Org,
  object: ObjectType,
  columns: readonly Sql[],
  rows: Sql,
  { userId, timestamp }: AuditFields,
): Sql {
  const listed = sql.join(columns)
  const start = sql.raw(quoteText(startOfIds(object.keyPrefix)))
  const system = SYSTEM_COLUMNS.map((name) => sql.id(name))
  // Offsets keep what is volatile from being evaluated more than once, or before the locks.
  return sql`insert into ${table(org, object)} (${sql.join([...system, ...columns])})
             select ${sql.raw(withCheckCharacters('named.id'))}, at, ${userId}, at, ${userId}, at, ${listed}
             from (select ${start} || ${sql.raw(COUNTER)} as id, counted.*
                   from (select ${nextBlock(org)} * ${sql.raw(String(BLOCK_SIZE))}::bigint as n, ${clockSql(timestamp)} as at, locked.*
                         from (${rows} offset 0) locked offset 0) counted offset 0) named`
}

const text = (value: string) => sql.raw(quoteText(value))

/** An object with the one that keeps its changes. */
export interface Tracked {
  readonly object: ObjectType
  readonly history: ObjectType
  /** The history's reference to the object. */
  readonly parent: Field
  /** The objects that a field may point to. */
  readonly targetsOf: (field: Field) => readonly ObjectType[]
}

/** A value as JSON text, in the form in which records show it. */
const asJson = (field: Field, value: Sql): Sql =>
  field.type.history.jsonText?.(value, field) ?? sql`to_json(${value})::text`

/** The name of the record that an id belongs to. */
function nameOf(org: Org, targets: readonly ObjectType[], id: Sql): Sql {
  const names = targets.flatMap((target) =>
    target.nameField?.column === undefined
      ? []
      : [
          sql`(select ${sql.id('t', target.nameField.column)}::text from ${table(org, target)} t where t.id = ${id})`,
        ],
  )
  return names.length === 0 ? sql`null::text` : sql`coalesce(${sql.join(names)})`
}

interface Change {
  readonly name: string
  readonly dataType: string
  readonly was: Sql
  readonly is: Sql
  readonly isChanged: Sql
}

/** The rows that a change of a field makes: of a reference one with names, then one with ids. */
function changesOf(org: Org, tracked: Tracked, field: Field, isGiven: Sql): Change[] {
  const column = field.column!
  const was = sql.id('was', column)
  const is = sql`(${sql.id('written', column)})::${sql.raw(field.type.column(field.definition)!)}`
  const isChanged = sql`${isGiven} and ${was} is distinct from ${is}`
  const name = historyName(field)
  const { dataType } = field.type.history
  if (!isToldInFull(field)) return [{ name, dataType, was: sql`null::text`, is: sql`null::text`, isChanged }]
  const values = { name, dataType, was: asJson(field, was), is: asJson(field, is), isChanged }
  if (field.type.refers !== true) return [values]
  const targets = tracked.targetsOf(field)
  const named = (id: Sql) => sql`to_json(${nameOf(org, targets, id)})::text`
  return [{ ...values, dataType: 'Text', was: named(was), is: named(is) }, values]
}

/** The values of a field, and whether each record is given one; undefined when all are. */
function listGiven(field: Field, records: readonly PlannedRecord[]) {
  const values = records.map(({ values }) => values.get(field) ?? field.type.emptyValue ?? null)
  const given = records.map(({ values }) => values.has(field))
  return { values, given: given.includes(false) ? given : undefined }
}

export const historySql = {
  /** Inserts the history rows of locked records. */
  states: (org: Org, object: ObjectType, records: readonly PlannedRecord[], audit: AuditFields): Sql => {
    const fields = collectFields(object, records)
    const columns = fields.map(({ column }) => sql.id(column!))
    const rows = sql`select ${sql.join(columns)} from ${unnestRows(fields, makeArrays(records, fields))}`
    return insertOrdered(org, object, columns, rows, audit)
  },

  /** Encrypted values as they are stored, of records that nobody changes until the transaction ends. */
  encrypted: (org: Org, object: ObjectType, fields: readonly Field[], ids: readonly string[]): Sql =>
    sql`select id, ${sql.join(fields.map(({ column }) => sql.id(column!)))} from ${table(org, object)}
        where id = any(${ids}::text[]) and not isdeleted order by id for no key update`,

  /** One row for each new record. */
  creations: (
    org: Org,
    { history, parent }: Tracked,
    ids: readonly string[],
    records: readonly string[],
    audit: AuditFields,
  ): Sql =>
    sql`insert into ${table(org, history)} (${sql.join([...SYSTEM_COLUMNS, parent.column!].map((name) => sql.id(name)))}, field, datatype)
        select made.id, ${created(audit)}, made.record, 'created', 'Text'
        from unnest(${ids}::text[], ${records}::text[]) as made (id, record)`,

  /**
   * A row for each of the fields that the records, which are about to be written, have another value in. Locks the records in the order of
   * their ids. Returns the time of the rows as text, `2026-11-20T21:30:00Z`; null without any.
   */
  changes(
    org: Org,
    tracked: Tracked,
    fields: readonly Field[],
    records: readonly PlannedRecord[],
    audit: AuditFields,
  ): Sql {
    const { object, history, parent } = tracked
    const recordIds = records.map(({ id }) => id)
    const lists: Sql[] = [sql`${recordIds}::text[]`]
    const columns: Sql[] = [sql`id`]
    const changes: Change[] = []
    for (const field of fields) {
      const { values, given } = listGiven(field, records)
      lists.push(sql`${values}::${sql.raw(field.type.parameter)}[]`)
      columns.push(sql.id(field.column!))
      const flag = sql.id(`${field.column!} given`)
      if (given !== undefined) {
        lists.push(sql`${given}::boolean[]`)
        columns.push(flag)
      }
      const isGiven = given === undefined ? sql`true` : sql`written.${flag}`
      changes.push(...changesOf(org, tracked, field, isGiven))
    }
    const rows = changes.map(
      ({ name, dataType, was, is, isChanged }, index) =>
        sql`(${sql.raw(String(index))}, ${text(name)}, ${text(dataType)}, ${was}, ${is}, ${isChanged})`,
    )
    const stored = fields.map(({ column }) => sql.id(column!))
    const names = [parent.column!, 'field', 'datatype', 'oldvalue', 'newvalue'].map((name) => sql.id(name))
    const changed = sql`select was.id as ${names[0]!}, one.field, one.datatype, one.was as oldvalue, one.new as newvalue
                        from (select ${sql.join([sql`id`, ...stored])} from ${table(org, object)}
                              where id = any(${recordIds}::text[]) and not isdeleted order by id for no key update) was
                        join unnest(${sql.join(lists)}) as written (${sql.join(columns)}) on written.id = was.id collate "C"
                        cross join lateral (values ${sql.join(rows)}) as one (position, field, datatype, was, new, changed)
                        where one.changed order by was.id, one.position`
    // Listed before: a cluster counts on the coordinator, and would else have the node of the org count.
    const listed = sql`select * from changed`
    return sql`with changed as materialized (${changed}),
                    made as (${insertOrdered(org, history, names, listed, audit)} returning createddate)
               select to_char(max(createddate) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as time from made`
  },
}
