import { type Sql, sql } from '../../base/sql.ts'
import type { Field, RecordValues } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { table } from '../../schema/objects/table.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { PlannedRecord } from './planned-record.ts'

/** Every field that at least one of the records has a value for, in the object's order. */
export function collectFields(object: ObjectType, records: readonly PlannedRecord[]): Field[] {
  const given = new Set<Field>()
  for (const { values } of records) for (const field of values.keys()) given.add(field)
  return object.fields.filter((field) => given.has(field))
}

/** One array of values for each field, so that the statement's text does not depend on the number of records. */
export function makeArrays(records: readonly PlannedRecord[], fields: readonly Field[]): unknown[][] {
  const written = (values: RecordValues, field: Field) => values.get(field) ?? field.type.emptyValue ?? null
  return [
    records.map(({ id }) => id),
    ...fields.map((field) => records.map(({ values }) => written(values, field))),
  ]
}

/** The arrays as rows: `(id, name, ...)`. */
export function unnestRows(fields: readonly Field[], arrays: readonly unknown[][]): Sql {
  const types = ['text', ...fields.map((field) => field.type.parameter)]
  const lists = arrays.map((values, index) => sql`${values}::${sql.raw(types[index]!)}[]`)
  const names = ['id', ...fields.map((field) => field.column!)]
  return sql`unnest(${sql.join(lists)}) as written (${sql.join(names.map((name) => sql.id(name)))})`
}

export const allowedValuesSql = {
  /** The values of the controlling fields of records; the id comes first. */
  controllingValues: (org: Org, object: ObjectType, fields: readonly Field[], ids: readonly string[]): Sql =>
    sql`select ${sql.join([sql.id('id'), ...fields.map((field) => sql.id(field.column!))])}
        from ${table(org, object)} where id = any(${ids}::text[])`,
}
