import { getOrInsert } from '../base/get-or-insert.ts'
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

/** Statements whose text depends on nothing but the object, the kind of write and the fields: made once each. */
const remembered = new WeakMap<ObjectType, Map<string, Sql>>()
const MOST_REMEMBERED = 500

/** The remembered statement with these values, or the one that `make` makes, whose values they must be. */
function withValues(
  object: ObjectType,
  kind: string,
  fields: Iterable<Field>,
  values: readonly unknown[],
  make: () => Sql,
): Sql {
  const known = getOrInsert(remembered, object, () => new Map<string, Sql>())
  let key = kind
  for (const field of fields) key += ` ${field.column}`
  const statement = known.get(key)
  if (statement !== undefined) return statement.with(values)
  const made = make()
  if (known.size < MOST_REMEMBERED) known.set(key, made)
  return made
}

function assignments(values: RecordValues, stamp: Stamp): Sql {
  const set = [...values].map(([field, value]) => sql`${sql.id(field.column!)} = ${value}`)
  return sql.join([...set, touched(stamp)])
}

export const writeSql = {
  /** A new record; fields that it has no value for get their column's default. */
  insert(org: Org, object: ObjectType, id: string, values: RecordValues, { userId, time }: Stamp): Sql {
    const own = [id, time, userId, time, userId, time, ...values.values()]
    return withValues(object, 'insert', values.keys(), own, () => {
      const columns = [...SYSTEM_COLUMNS, ...[...values.keys()].map((field) => field.column!)]
      return sql`insert into ${table(org, object)} (${sql.join(columns.map((name) => sql.id(name)))})
                 values (${sql.join(own.map((value) => sql`${value}`))})`
    })
  },

  update(org: Org, object: ObjectType, id: string, values: RecordValues, stamp: Stamp): Sql {
    const { time, userId } = stamp
    const own = [...values.values(), time, userId, time, id]
    return withValues(
      object,
      'update',
      values.keys(),
      own,
      () =>
        sql`update ${table(org, object)} set ${assignments(values, stamp)} where id = ${id} and not isdeleted returning id`,
    )
  },

  /** For a unique key: at most one record has it. */
  updateByKey(
    org: Org,
    object: ObjectType,
    key: Field,
    value: unknown,
    values: RecordValues,
    stamp: Stamp,
  ): Sql {
    const { time, userId } = stamp
    const own = [...values.values(), time, userId, time, value]
    return withValues(
      object,
      `by ${key.column}:`,
      values.keys(),
      own,
      () =>
        sql`update ${table(org, object)} set ${assignments(values, stamp)}
            where ${comparableColumn(key)} = ${comparableValue(key, value)} and not isdeleted returning id`,
    )
  },

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
