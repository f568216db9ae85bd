import { type Sql, sql } from '../../base/sql.ts'
import type { Field } from '../fields/field.ts'

type Convert = (column: Sql) => Sql

const asItIs: Convert = (column) => column
const trimmed: Convert = (column) => sql`nullif(btrim(${column}), '')`

/**
 * Converts values between column types, in the formats of the interface: a datetime becomes the text that a client
 * would have read. Whether every value can be converted is checked before.
 */
const CONVERSIONS: Readonly<Record<string, Readonly<Record<string, Convert>>>> = {
  text: {
    text: asItIs,
    integer: (column) => sql`${trimmed(column)}::numeric::integer`,
    numeric: (column) => sql`${trimmed(column)}::numeric`,
    boolean: (column) => sql`coalesce(lower(btrim(${column})) = 'true', false)`,
    date: (column) => sql`left(${trimmed(column)}, 10)::date`,
    timestamptz: (column) => sql`date_trunc('second', ${trimmed(column)}::timestamptz)`,
    time: (column) => sql`left(${trimmed(column)}, 12)::time`,
  },
  integer: { integer: asItIs, numeric: asItIs, text: (column) => sql`${column}::text` },
  numeric: {
    numeric: asItIs,
    integer: (column) => sql`${column}::integer`,
    text: (column) => sql`trim_scale(${column})::text`,
  },
  boolean: { boolean: asItIs, text: (column) => sql`${column}::text` },
  date: {
    date: asItIs,
    timestamptz: (column) => sql`${column}::timestamp at time zone 'UTC'`,
    text: (column) => sql`to_char(${column}, 'YYYY-MM-DD')`,
  },
  timestamptz: {
    timestamptz: asItIs,
    date: (column) => sql`(${column} at time zone 'UTC')::date`,
    text: (column) => sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS".000+0000"')`,
  },
  time: { time: asItIs, text: (column) => sql`to_char(${column}, 'HH24:MI:SS.MS"Z"')` },
  bytea: { bytea: asItIs },
}

/** Expression for the values of a column in its new type; undefined when they cannot be converted. */
export function findConversion(before: Field, after: Field): Sql | undefined {
  // The database cannot decrypt. In the other direction values stay plain until an upgrade encrypts them.
  if (before.type.encrypted !== undefined && after.type.encrypted === undefined) return undefined
  const fixed = before.type.constraint !== undefined || after.type.constraint !== undefined
  if (fixed && before.type !== after.type) return undefined
  // Texts may be ids of one object; that is checked before.
  const becomesReference = after.referenceTo.length > 0 && before.referenceTo.length === 0
  if (becomesReference && (before.type.parameter !== 'text' || after.referenceTo.length > 1)) return undefined
  const column = sql.id(before.column!)
  if (before.type === after.type) return column
  return CONVERSIONS[before.type.parameter]?.[after.type.parameter]?.(column)
}
