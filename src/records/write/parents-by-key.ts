import { ApiError } from '../../base/api-error.ts'
import { getOrInsert } from '../../base/get-or-insert.ts'
import { isObject } from '../../base/json.ts'
import type { Context } from '../../context.ts'
import { type Field, isKey, type RecordValues } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { type ParentByKey, wrongKind } from '../prepare/coerce.ts'
import type { RecordInput } from '../prepare/record-input.ts'
import { findByKeys } from './find-by-key.ts'

/** A record that refers to parents by their keys. */
export interface WithParents {
  readonly input: RecordInput
  readonly values: RecordValues
  readonly parents: readonly ParentByKey[]
}

interface ParentKey {
  readonly object: ObjectType
  readonly key: Field
  readonly value: unknown
}

/** The object of a nested parent; for a polymorphic reference its attributes must name it. */
function findTargetObject(ctx: Context, { field, target }: ParentByKey): ObjectType {
  const { attributes } = target
  const type = isObject(attributes) ? attributes.type : undefined
  const named = typeof type === 'string' ? type.toLowerCase() : undefined
  const wanted = field.referenceTo.find((name) => name.toLowerCase() === named)
  const name =
    wanted ?? (type === undefined && field.referenceTo.length === 1 ? field.referenceTo[0] : undefined)
  const object = name === undefined ? undefined : ctx.visible.object(name)
  if (object === undefined) {
    throw new ApiError(
      'INVALID_FIELD',
      `The ${field.definition.relationship} relationship needs attributes with a type, one of: ${field.referenceTo.join(', ')}`,
    )
  }
  return object
}

function parseParent(ctx: Context, parent: ParentByKey, input: RecordInput): ParentKey {
  const object = findTargetObject(ctx, parent)
  const { target, member } = parent
  const members = Object.keys(target).filter((name) => name !== 'attributes')
  const key = members.length === 1 ? object.field(members[0]!) : undefined
  if (key === undefined || !isKey(key)) {
    throw new ApiError(
      'INVALID_FIELD',
      `A related ${object.name} is named by exactly one external ID or lookup field, not by: [${members.join(', ').slice(0, 255)}]`,
    )
  }
  const value = target[members[0]!]
  if (typeof value === 'object' && value !== null) {
    throw wrongKind(key.type.describedAs, value, input, [member, members[0]!])
  }
  return { object, key, value }
}

function getOnlyId(ids: readonly string[], { object, key, value }: ParentKey): string {
  if (ids.length === 1) return ids[0]!
  const message =
    ids.length === 0
      ? `Foreign key external ID: ${String(value).slice(0, 255)} not found for field ${key.name} in entity ${object.name}`
      : `More than one record found for external id field: [${ids.join(', ')}]`
  throw new ApiError('INVALID_FIELD', message)
}

/** Runs a step for one record and returns its error, so that the other records of the list go on. */
function attempt<T>(step: () => T): T | ApiError {
  try {
    return step()
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

/**
 * Resolves parents given by a key to ids and sets the reference fields. One statement for each key, whatever the number
 * of records.
 * @returns the errors by record
 */
export async function resolveParents(
  ctx: Context,
  records: readonly WithParents[],
): Promise<ReadonlyMap<WithParents, ApiError>> {
  const errors = new Map<WithParents, ApiError>()
  const uses: { record: WithParents; field: Field; wanted: ParentKey }[] = []
  const valuesByKey = new Map<Field, { object: ObjectType; values: unknown[] }>()
  for (const record of records) {
    for (const parent of record.parents) {
      const wanted = attempt(() => parseParent(ctx, parent, record.input))
      if (wanted instanceof ApiError) {
        errors.set(record, wanted)
        break
      }
      const { object, key, value } = wanted
      uses.push({ record, field: parent.field, wanted })
      getOrInsert(valuesByKey, key, () => ({ object, values: [] as unknown[] })).values.push(value)
    }
  }
  const found = new Map<Field, ReadonlyMap<unknown, readonly string[]>>()
  for (const [key, { object, values }] of valuesByKey) {
    found.set(key, await findByKeys(ctx, object, key, values))
  }
  for (const { record, field, wanted } of uses) {
    if (errors.has(record)) continue
    const ids = found.get(wanted.key)?.get(wanted.value) ?? []
    const id = attempt(() => getOnlyId(ids, wanted))
    if (id instanceof ApiError) errors.set(record, id)
    else record.values.set(field, id)
  }
  return errors
}
