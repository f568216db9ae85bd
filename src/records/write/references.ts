import { getMasters, levelOnMaster } from '../../access/sharing.ts'
import { ApiError } from '../../base/api-error.ts'
import type { Context } from '../../context.ts'
import type { Field, RecordValues } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { PlannedRecord, Refusals } from '../prepare/planned-record.ts'
import { rowsFor } from '../read/row-access.ts'
import { referencesSql } from './references.sql.ts'

/** The references among values that need a check: all but those to the caller's own user. */
function referencesIn(ctx: Context, values: RecordValues): [Field, string][] {
  return [...values].filter(
    (entry): entry is [Field, string] =>
      entry[0].referenceTo.length > 0 && entry[1] !== null && entry[1] !== ctx.principal.userId,
  )
}

export function hasReferences(ctx: Context, records: readonly PlannedRecord[]): boolean {
  return records.some(({ values }) => referencesIn(ctx, values).length > 0)
}

/** A record that another one refers to. */
interface Referenced {
  readonly id: string
  readonly isDeleted: boolean
  readonly read: boolean
  readonly edit: boolean
  readonly full: boolean
}

/**
 * The error of a reference, if it is not allowed.
 * @param said whether the caller set it; access to a target that a trigger set is not checked
 */
function checkReference(
  object: ObjectType,
  field: Field,
  target: Referenced | undefined,
  said: boolean,
): ApiError | undefined {
  if (target === undefined || (said && !target.read)) {
    return new ApiError('INVALID_CROSS_REFERENCE_KEY', 'invalid cross reference id', { status: 400 })
  }
  if (target.isDeleted) return new ApiError('ENTITY_IS_DELETED', 'entity is deleted', { status: 400 })
  if (!said || !getMasters(object).includes(field)) return undefined
  if (target[levelOnMaster(object, 'edit')]) return undefined
  return new ApiError(
    'INSUFFICIENT_ACCESS_ON_CROSS_REFERENCE_ENTITY',
    'insufficient access rights on cross-reference id',
  )
}

/**
 * Refuses references to records that do not exist, and locks the others against deletion until the transaction ends.
 * One statement for all records.
 */
export async function lockReferences(
  ctx: Context,
  object: ObjectType,
  records: readonly PlannedRecord[],
): Promise<Refusals<PlannedRecord>> {
  const refusals: Refusals<PlannedRecord> = new Map()
  const references = records.map((record) => ({ record, ids: referencesIn(ctx, record.values) }))
  const idsByObject = new Map<ObjectType, Set<string>>()
  for (const [, id] of references.flatMap(({ ids }) => ids)) {
    const object = ctx.schema.objectOfId(id)!
    idsByObject.set(object, (idsByObject.get(object) ?? new Set()).add(id))
  }
  if (idsByObject.size === 0) return refusals
  // Always in one order, so that two calls with the same parents cannot deadlock.
  const wanted = new Map(
    [...idsByObject]
      .sort(([a], [b]) => (a.name < b.name ? -1 : 1))
      .map(([object, ids]) => [object, [...ids].sort()] as const),
  )
  const makeRules = (object: ObjectType) => ({
    read: rowsFor(ctx, object, 'read'),
    edit: rowsFor(ctx, object, 'edit'),
    full: rowsFor(ctx, object, 'full'),
  })
  const rows = await ctx.db.query<Referenced>(referencesSql.lock(ctx.org, wanted, makeRules))
  const byId = new Map(rows.map((row) => [row.id, row]))
  for (const { record, ids } of references) {
    for (const [field, id] of ids) {
      const said = record.prepared.get(field) === id
      const error = checkReference(object, field, byId.get(id), said)
      if (error === undefined) continue
      refusals.set(record, error)
      break
    }
  }
  return refusals
}
