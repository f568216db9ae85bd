import { ApiError } from '../../base/api-error.ts'
import { getOrInsert } from '../../base/get-or-insert.ts'
import type { Context } from '../../context.ts'
import type { Field } from '../../schema/fields/field.ts'
import { WrongKind } from '../../schema/fields/field-type.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { ColumnValue } from '../../storage/database/db.ts'
import { rowsFor } from '../read/row-access.ts'
import { referencesSql } from '../steps/references.sql.ts'

/** Maximum number of ids of an ambiguous key in a message. */
const MAX_LISTED = 10

/** No record has a number outside the field's range, and such a number would be an invalid parameter. */
function fits(key: Field, stored: Exclude<ColumnValue, null>): boolean {
  try {
    key.type.validate?.(stored, key)
    return true
  } catch (error) {
    if (error instanceof ApiError) return error.code !== 'NUMBER_OUTSIDE_VALID_RANGE'
    throw error
  }
}

/** The stored form of a key's value; undefined for a value that the key cannot have. */
function coerceKey(key: Field, value: unknown): Exclude<ColumnValue, null> | undefined {
  try {
    const stored = key.type.coerce(value, key)
    return stored !== null && fits(key, stored) ? stored : undefined
  } catch (error) {
    if (error instanceof WrongKind) return undefined
    throw error
  }
}

/** The form in which two keys are equal: without case, unless the field is case-sensitive. */
export const toComparable = (key: Field, value: ColumnValue): ColumnValue =>
  typeof value === 'string' && key.definition.caseSensitive !== true ? value.toUpperCase() : value

/** The same of what a client sent; undefined for a value that the key cannot have. */
export function comparableKey(key: Field, value: unknown): ColumnValue | undefined {
  const stored = coerceKey(key, value)
  return stored === undefined ? undefined : toComparable(key, stored)
}

/** Ids of the live records whose key has the value, oldest first; empty for a value that the key cannot have. */
export async function findByKey(
  ctx: Context,
  object: ObjectType,
  key: Field,
  value: unknown,
  max = MAX_LISTED,
): Promise<string[]> {
  const stored = coerceKey(key, value)
  if (stored === undefined) return []
  const rows = await ctx.db.query<{ id: string }>(
    referencesSql.findByKey(ctx.org, object, key, stored, max, rowsFor(ctx, object, 'read')),
  )
  return rows.map((row) => row.id)
}

/** The same for many values in one statement: ids by value, up to ten each. */
export async function findByKeys(
  ctx: Context,
  object: ObjectType,
  key: Field,
  values: readonly unknown[],
): Promise<ReadonlyMap<unknown, readonly string[]>> {
  const found = new Map<unknown, string[]>()
  if (values.length === 1) return found.set(values[0], await findByKey(ctx, object, key, values[0]))
  const requested = [...new Set(values)].flatMap((value) => {
    const stored = coerceKey(key, value)
    return stored === undefined ? [] : [{ value, stored }]
  })
  if (requested.length === 0) return found
  const stored = requested.map((entry) => entry.stored)
  const rows = await ctx.db.query<{ position: number; id: string }>(
    referencesSql.findByKeys(ctx.org, object, key, stored, MAX_LISTED, rowsFor(ctx, object, 'read')),
  )
  for (const { position, id } of rows) getOrInsert(found, requested[position]!.value, () => []).push(id)
  return found
}
