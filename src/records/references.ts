import { ApiError } from '../base/api-error.ts'
import type { Context } from '../context.ts'
import type { Field } from '../schema/field.ts'
import { WrongKind } from '../schema/fields/field-type.ts'
import type { ObjectType } from '../schema/object-type.ts'
import type { Db } from '../storage/db.ts'
import { isObject, type ParentByKey, wrongKind } from './coerce.ts'
import type { RecordInput, RecordValues } from './record-input.ts'
import { referencesSql } from './references.sql.ts'

/** How many ids of an ambiguous key a message lists. */
const MOST_LISTED = 10

const notFound = (value: unknown, field: string, object: string) =>
  new ApiError(
    'INVALID_FIELD',
    `Foreign key external ID: ${String(value).slice(0, 255)} not found for field ${field} in entity ${object}`,
  )

/** The object that a nested parent is looked up in: a polymorphic one has to say which. */
function targetObject(ctx: Context, { field, target }: ParentByKey): ObjectType {
  const { attributes } = target
  const type = isObject(attributes) ? attributes.type : undefined
  const named = typeof type === 'string' ? type.toLowerCase() : undefined
  const wanted = field.referenceTo.find((name) => name.toLowerCase() === named)
  const name =
    wanted ?? (type === undefined && field.referenceTo.length === 1 ? field.referenceTo[0] : undefined)
  const object = name === undefined ? undefined : ctx.schema.object(name)
  if (object === undefined) {
    throw new ApiError(
      'INVALID_FIELD',
      `The ${field.definition.relationship} relationship needs attributes with a type, one of: ${field.referenceTo.join(', ')}`,
    )
  }
  return object
}

function keyOf(
  object: ObjectType,
  { target, member }: ParentByKey,
  input: RecordInput,
): { key: Field; value: unknown } {
  const members = Object.keys(target).filter((member) => member !== 'attributes')
  const key = members.length === 1 ? object.field(members[0]!) : undefined
  if (key === undefined || !key.idLookup) {
    throw new ApiError(
      'INVALID_FIELD',
      `A related ${object.name} is named by exactly one external ID or lookup field, not by: [${members.join(', ').slice(0, 255)}]`,
    )
  }
  const value = target[members[0]!]
  if (typeof value === 'object' && value !== null) {
    throw wrongKind(key.type.describedAs, value, input, [member, members[0]!])
  }
  return { key, value }
}

/** Ids of the live records whose key has the value; none for a value that the key cannot have. */
export async function findByKey(
  ctx: Context,
  object: ObjectType,
  key: Field,
  value: unknown,
  most = MOST_LISTED,
): Promise<string[]> {
  let stored: unknown
  try {
    stored = key.type.coerce(value, key)
  } catch (error) {
    if (error instanceof WrongKind) return []
    throw error
  }
  if (stored === null || !fits(key, stored)) return []
  const rows = await ctx.db.query<{ id: string }>(referencesSql.findByKey(ctx.org, object, key, stored, most))
  return rows.map((row) => row.id)
}

/** A number outside a field's range is the value of no record, and no parameter either. */
function fits(key: Field, stored: unknown): boolean {
  try {
    key.type.validate?.(stored as string, key)
    return true
  } catch (error) {
    if (error instanceof ApiError) return error.code !== 'NUMBER_OUTSIDE_VALID_RANGE'
    throw error
  }
}

/** Puts the ids of parents that were named by a key into their reference fields. */
export async function resolveParents(
  ctx: Context,
  parents: readonly ParentByKey[],
  values: RecordValues,
  input: RecordInput,
): Promise<void> {
  for (const parent of parents) {
    const object = targetObject(ctx, parent)
    const { key, value } = keyOf(object, parent, input)
    const ids = await findByKey(ctx, object, key, value)
    if (ids.length === 0) throw notFound(value, key.name, object.name)
    if (ids.length > 1) {
      throw new ApiError(
        'INVALID_FIELD',
        `More than one record found for external id field: [${ids.join(', ')}]`,
      )
    }
    values.set(parent.field, ids[0]!)
  }
}

/** The references among values that have to be looked at: all but the caller's own id. */
function referencesIn(ctx: Context, records: readonly RecordValues[]): [Field, string][] {
  return records.flatMap((values) =>
    [...values].filter(
      (entry): entry is [Field, string] =>
        entry[0].referenceTo.length > 0 && entry[1] !== null && entry[1] !== ctx.principal.userId,
    ),
  )
}

export function hasReferences(ctx: Context, records: readonly RecordValues[]): boolean {
  return referencesIn(ctx, records).length > 0
}

/**
 * Refuses references to records that are gone or never were, and keeps the others from going until the transaction
 * ends. One statement for all records.
 */
export async function lockReferences(ctx: Context, tx: Db, records: readonly RecordValues[]): Promise<void> {
  const references = referencesIn(ctx, records)
  const idsByObject = new Map<ObjectType, Set<string>>()
  for (const [, id] of references) {
    const object = ctx.schema.objectOfId(id)!
    idsByObject.set(object, (idsByObject.get(object) ?? new Set()).add(id))
  }
  if (idsByObject.size === 0) return
  // Always in one order, so that two calls with the same parents do not wait for each other in a ring.
  const wanted = new Map(
    [...idsByObject]
      .sort(([a], [b]) => (a.name < b.name ? -1 : 1))
      .map(([object, ids]) => [object, [...ids].sort()] as const),
  )
  const rows = await tx.query<{ id: string; isDeleted: boolean }>(referencesSql.lock(ctx.org, wanted))
  const deleted = new Map(rows.map((row) => [row.id, row.isDeleted]))
  for (const [, id] of references) {
    const state = deleted.get(id)
    if (state === undefined) {
      throw new ApiError('INVALID_CROSS_REFERENCE_KEY', 'invalid cross reference id', { status: 400 })
    }
    if (state) throw new ApiError('ENTITY_IS_DELETED', 'entity is deleted', { status: 400 })
  }
}
