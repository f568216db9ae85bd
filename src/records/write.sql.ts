import { type Sql, sql } from '../base/sql.ts'
import { comparableColumn, comparableValue } from '../schema/ddl.sql.ts'
import type { Field } from '../schema/field.ts'
import type { ChildRelationship, ObjectType } from '../schema/object-type.ts'
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
   * What deleting parents does to the records that point to them, over all relationships in one statement: restricted
   * ones are only told, cascading ones only listed, the others are cleared.
   */
  childrenOf(
    org: Org,
    children: readonly { readonly relationship: ChildRelationship; readonly object: ObjectType }[],
    parents: readonly string[],
    stamp: Stamp,
  ): Sql {
    const parts = children.map(({ relationship, object }, index) => {
      const column = sql.id(relationship.field.column!)
      const pointing = sql`${column} = any(${parents}::text[]) and not isdeleted`
      return relationship.onDelete === 'clear'
        ? sql`${sql.id(`c${index}`)} as (update ${table(org, object)} set ${column} = null, systemmodstamp = ${stamp.time}::text::timestamptz where ${pointing} returning id)`
        : sql`${sql.id(`c${index}`)} as (select id from ${table(org, object)} where ${pointing})`
    })
    const results = children.flatMap(({ relationship }, index) =>
      relationship.onDelete === 'clear'
        ? []
        : [sql`select ${index}::integer as relationship, id from ${sql.id(`c${index}`)}`],
    )
    const found =
      results.length > 0
        ? sql.join(results, ' union all ')
        : sql`select 0 as relationship, '' as id where false`
    return sql`with ${sql.join(parts)} ${found}`
  },

  /** The live record that has a unique value already. */
  holderOf: (org: Org, object: ObjectType, field: Field, value: unknown) =>
    sql`select id from ${table(org, object)}
        where ${comparableColumn(field)} = ${comparableValue(field, value)} and not isdeleted`,
}
