import { getMasters, levelOnMaster } from '../../access/sharing.ts'
import { ApiError } from '../../base/api-error.ts'
import { derivedRecordId } from '../../base/record-id.ts'
import type { Sql } from '../../base/sql.ts'
import type { Context } from '../../context.ts'
import type { Field, RecordValues } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { namingLocked } from '../../storage/database/fault-error.ts'
import { type PlannedRecord, type Refusals, throwRefusals } from '../prepare/planned-record.ts'
import { rowsFor } from '../read/row-access.ts'
import { referencesSql } from './references.sql.ts'

/** Ids by object. Always in one order, so that two calls with the same parents cannot deadlock. */
export function groupByObject(
  ctx: Pick<Context, 'schema'>,
  ids: readonly string[],
): Map<ObjectType, readonly string[]> {
  const grouped = Map.groupBy(new Set(ids), (id) => ctx.schema.objectOfId(id)!)
  return new Map(
    [...grouped]
      .sort(([a], [b]) => (a.name < b.name ? -1 : 1))
      .map(([object, listed]) => [object, listed.sort()] as const),
  )
}

/** True if it is what the field has before an org chooses: a record that every org has, and that nobody deletes. */
function isOfPlatform(field: Field, id: string): boolean {
  if (field.definition.orgDefault === undefined) return false
  const keyPrefix = id.slice(0, 3)
  return id === derivedRecordId(keyPrefix, keyPrefix)
}

/** The references among values that need a check: not those to the caller's own user and to what is always there. */
function referencesIn(ctx: Context, values: RecordValues): [Field, string][] {
  const found: [Field, string][] = []
  for (const [field, value] of values) {
    if (field.referenceTo.length === 0 || value === null || value === ctx.principal.userId) continue
    if (!isOfPlatform(field, value as string)) found.push([field, value as string])
  }
  return found
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

const deletedTarget = () => new ApiError('ENTITY_IS_DELETED', 'entity is deleted', { status: 400 })

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
  if (target.isDeleted) return deletedTarget()
  if (!said || !getMasters(object).includes(field)) return undefined
  if (target[levelOnMaster(object, 'edit')]) return undefined
  return new ApiError(
    'INSUFFICIENT_ACCESS_ON_CROSS_REFERENCE_ENTITY',
    'insufficient access rights on cross-reference id',
  )
}

/** The targets that exist, by id, locked against deletion until the transaction ends. */
async function lockTargets(
  ctx: Context,
  ids: readonly string[],
  makeRules: (object: ObjectType) => Readonly<Record<'read' | 'edit' | 'full', Sql | undefined>>,
): Promise<ReadonlyMap<string, Referenced>> {
  if (ids.length === 0) return new Map()
  const lock = referencesSql.lock(ctx.org, groupByObject(ctx, ids), makeRules)
  const rows = await namingLocked(ctx, ids, () => ctx.db.query<Referenced>(lock))
  return new Map(rows.map((row) => [row.id, row]))
}

const NO_RULES = { read: undefined, edit: undefined, full: undefined }

/** Locks records against deletion until the transaction ends. Returns the ids of those that are not deleted. */
export async function holdTargets(ctx: Context, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const found = await lockTargets(ctx, ids, () => NO_RULES)
  return new Set([...found.values()].filter(({ isDeleted }) => !isDeleted).map(({ id }) => id))
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
  const references = records.map((record) => ({ record, ids: referencesIn(ctx, record.values) }))
  const byId = await lockTargets(
    ctx,
    references.flatMap(({ ids }) => ids.map(([, id]) => id)),
    (target) => ({
      read: rowsFor(ctx, target, 'read'),
      edit: rowsFor(ctx, target, 'edit'),
      full: rowsFor(ctx, target, 'full'),
    }),
  )
  return refuse(references, (record, field, id) => {
    const said = record.prepared.get(field) === id
    return checkReference(object, field, byId.get(id), said)
  })
}

/** The same for records that the platform adds to those of the caller, whose access does not matter. */
export async function lockAddedReferences(ctx: Context, records: readonly PlannedRecord[]): Promise<void> {
  const references = records.map((record) => ({ record, ids: referencesIn(ctx, record.values) }))
  const ids = references.flatMap(({ ids }) => ids.map(([, id]) => id))
  const living = await holdTargets(ctx, ids)
  throwRefusals(refuse(references, (_record, _field, id) => (living.has(id) ? undefined : deletedTarget())))
}

/** The first error of each record. */
function refuse(
  references: readonly { readonly record: PlannedRecord; readonly ids: readonly [Field, string][] }[],
  check: (record: PlannedRecord, field: Field, id: string) => ApiError | undefined,
): Refusals<PlannedRecord> {
  const refusals: Refusals<PlannedRecord> = new Map()
  for (const { record, ids } of references) {
    for (const [field, id] of ids) {
      const error = check(record, field, id)
      if (error === undefined) continue
      refusals.set(record, error)
      break
    }
  }
  return refusals
}
