import { type Sql, sql } from '../base/sql.ts'
import { comparableColumn, comparableValue } from '../schema/ddl.sql.ts'
import type { Field } from '../schema/field.ts'
import type { ObjectType } from '../schema/object-type.ts'
import type { Org } from '../storage/org.ts'
import type { RecordValues } from './record-input.ts'

/** Who wrote, and when: `time` is a text with whole seconds. */
export interface Stamp {
  readonly userId: string
  readonly time: string
}

interface NewRecord {
  readonly id: string
  readonly values: RecordValues
}

/** A reference that points down from a parent, and the object that has it. */
export interface Child {
  readonly field: Field
  readonly object: ObjectType
}

const SYSTEM_COLUMNS = [
  'id',
  'createddate',
  'createdbyid',
  'lastmodifieddate',
  'lastmodifiedbyid',
  'systemmodstamp',
]

const table = (org: Org, object: ObjectType) => sql.id(org.schemaName, object.table)

const touched = ({ userId, time }: Stamp) =>
  sql`lastmodifieddate = ${time}::text::timestamptz, lastmodifiedbyid = ${userId}, systemmodstamp = ${time}::text::timestamptz`

function assignments(values: RecordValues, stamp: Stamp): Sql {
  const set = [...values].map(([field, value]) => sql`${sql.id(field.column!)} = ${value}`)
  return sql.join([...set, touched(stamp)])
}

export const writeSql = {
  /** One statement for all records; a field that a record lacks gets its column's default. */
  insert(org: Org, object: ObjectType, records: readonly NewRecord[], { userId, time }: Stamp): Sql {
    const fields = [...new Set(records.flatMap((record) => [...record.values.keys()]))]
    const columns = [...SYSTEM_COLUMNS, ...fields.map((field) => field.column!)].map((name) => sql.id(name))
    const rows = records.map(({ id, values }) => {
      const own = fields.map((field) => (values.has(field) ? sql`${values.get(field)}` : sql`default`))
      return sql`(${sql.join([sql`${id}, ${time}, ${userId}, ${time}, ${userId}, ${time}`, ...own])})`
    })
    return sql`insert into ${table(org, object)} (${sql.join(columns)}) values ${sql.join(rows)}`
  },

  update: (org: Org, object: ObjectType, id: string, values: RecordValues, stamp: Stamp) =>
    sql`update ${table(org, object)} set ${assignments(values, stamp)} where id = ${id} and not isdeleted returning id`,

  /** For a unique key: at most one record has it. */
  updateByKey: (
    org: Org,
    object: ObjectType,
    key: Field,
    value: unknown,
    values: RecordValues,
    stamp: Stamp,
  ) =>
    sql`update ${table(org, object)} set ${assignments(values, stamp)}
        where ${comparableColumn(key)} = ${comparableValue(key, value)} and not isdeleted returning id`,

  /** Whether a record is there and alive. */
  state: (org: Org, object: ObjectType, id: string) =>
    sql`select isdeleted as "isDeleted" from ${table(org, object)} where id = ${id}`,

  markDeleted: (org: Org, object: ObjectType, ids: readonly string[], stamp: Stamp) =>
    sql`update ${table(org, object)} set isdeleted = true, ${touched(stamp)}
        where id = any(${ids}::text[]) and not isdeleted returning id`,

  /**
   * What deleting parents does to the records that point to them, in one statement: `listed` ways are told with the
   * number of the way, references in `cleared` become null.
   */
  childrenOf(
    org: Org,
    listed: readonly Child[],
    cleared: ReadonlyMap<ObjectType, readonly Field[]>,
    parents: readonly string[],
    { time }: Stamp,
  ): Sql {
    const pointing = (column: Sql) => sql`${column} = any(${parents}::text[])`
    // A record may point in several of its fields, and one statement changes a row only once.
    const updates = [...cleared].map(([object, fields], index) => {
      const columns = fields.map((field) => sql.id(field.column!))
      const set = columns.map(
        (column) => sql`${column} = case when ${pointing(column)} then null else ${column} end`,
      )
      return sql`${sql.id(`cleared_${index}`)} as (
                   update ${table(org, object)} set ${sql.join(set)}, systemmodstamp = ${time}::text::timestamptz
                   where (${sql.join(columns.map(pointing), ' or ')}) and not isdeleted)`
    })
    const found = listed.map(
      ({ field, object }, index) =>
        sql`select ${index}::integer as way, id from ${table(org, object)}
            where ${pointing(sql.id(field.column!))} and not isdeleted`,
    )
    const select =
      found.length > 0 ? sql.join(found, ' union all ') : sql`select 0 as way, '' as id where false`
    return updates.length > 0 ? sql`with ${sql.join(updates)} ${select}` : select
  },

  /** The live record that has a unique value already. */
  holderOf: (org: Org, object: ObjectType, field: Field, value: unknown) =>
    sql`select id from ${table(org, object)}
        where ${comparableColumn(field)} = ${comparableValue(field, value)} and not isdeleted`,
}
