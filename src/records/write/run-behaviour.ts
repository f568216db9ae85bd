import { decidesAccess } from '../../access/guards.ts'
import { ApiError } from '../../base/api-error.ts'
import type { Context } from '../../context.ts'
import type { RecordValues } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { metadataSql } from '../../schema/snapshot/metadata.sql.ts'
import { requireObject } from '../../schema/snapshot/snapshot.ts'
import type { Write } from '../../standard/behaviour.ts'
import { findBehaviour } from '../../standard/behaviours.ts'
import type { ColumnValue } from '../../storage/database/db.ts'
import { applyDefaults } from '../prepare/defaults.ts'
import { type PlannedRecord, planRecord, type Refusals, throwRefusals } from '../prepare/planned-record.ts'
import { makeAuditFields } from './audit-fields.ts'
import { lockAddedReferences } from './references.ts'
import { writeSql } from './write.sql.ts'

async function insertAdded(
  ctx: Context,
  object: ObjectType,
  records: readonly Readonly<Record<string, ColumnValue>>[],
): Promise<string[]> {
  const planned: PlannedRecord[] = []
  for (const given of records) {
    const values: RecordValues = new Map()
    for (const [name, value] of Object.entries(given)) values.set(object.field(name)!, value)
    applyDefaults(object, values)
    planned.push(planRecord(await ctx.ids.make(object.keyPrefix, ctx.db), values))
  }
  await lockAddedReferences(ctx, planned)
  if (planned.length > 0) await ctx.db.query(writeSql.insert(ctx.org, object, planned, makeAuditFields(ctx)))
  return planned.map(({ id }) => id)
}

const makeWrite = (ctx: Context, object: ObjectType): Write => ({
  org: ctx.org,
  db: ctx.db,
  schema: ctx.schema,
  object,
  audit: makeAuditFields(ctx),
  insert: (name, records) => insertAdded(ctx, requireObject(ctx.schema, name), records),
})

/** Whether an insert of the object's records is more than the statement that writes them. */
export function insertsMore(object: ObjectType): boolean {
  const behaviour = findBehaviour(object)
  return (
    behaviour?.refuseInsert !== undefined ||
    behaviour?.beforeInsert !== undefined ||
    behaviour?.afterInsert !== undefined ||
    decidesAccess(object.name)
  )
}

/** Whether a change of the object's records is more than the statement that writes them. */
export const changesMore = (object: ObjectType): boolean =>
  findBehaviour(object)?.beforeChange !== undefined ||
  findBehaviour(object)?.afterChange !== undefined ||
  decidesAccess(object.name)

/** Whether a change of the object's records depends on what their behaviour completes. */
export const completesChanges = (object: ObjectType): boolean =>
  findBehaviour(object)?.completeUpdate !== undefined

/**
 * Completes and checks records before they are written.
 * @returns the errors by record
 */
export function completeRecords(
  ctx: Context,
  object: ObjectType,
  records: readonly PlannedRecord[],
  purpose: 'create' | 'update',
): Refusals<PlannedRecord> {
  const refusals: Refusals<PlannedRecord> = new Map()
  const behaviour = findBehaviour(object)
  const complete = purpose === 'create' ? behaviour?.completeInsert : behaviour?.completeUpdate
  if (complete === undefined) return refusals
  for (const record of records) {
    try {
      record.values = new Map(record.values)
      complete(record.values, object, ctx.schema)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      refusals.set(record, error)
    }
  }
  return refusals
}

/** What precedes the statement of an insert. */
export async function runBeforeInsert(
  ctx: Context,
  object: ObjectType,
  records: readonly PlannedRecord[],
): Promise<void> {
  const { refuseInsert, beforeInsert } = findBehaviour(object) ?? {}
  if (refuseInsert !== undefined) throwRefusals(await refuseInsert(makeWrite(ctx, object), records))
  if (beforeInsert !== undefined) await beforeInsert(makeWrite(ctx, object), records)
}

/** The errors of changes that the behaviour refuses because of other records. */
export const refuseChanges = async (
  ctx: Context,
  object: ObjectType,
  records: readonly PlannedRecord[],
): Promise<ReadonlyMap<PlannedRecord, ApiError>> =>
  (await findBehaviour(object)?.refuseChange?.(makeWrite(ctx, object), records)) ?? new Map()

/** What precedes the statement of a change. */
export async function runBeforeChange(
  ctx: Context,
  object: ObjectType,
  records: readonly PlannedRecord[],
): Promise<void> {
  await findBehaviour(object)?.beforeChange?.(makeWrite(ctx, object), records)
}

/** The errors of records that the behaviour does not let anybody delete, by id. */
export const refuseDeletes = async (
  ctx: Context,
  object: ObjectType,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ApiError>> =>
  (await findBehaviour(object)?.refuseDelete?.(makeWrite(ctx, object), ids)) ?? new Map()

/** Makes every process reload its access data after the commit. */
async function invalidateAccess(ctx: Context): Promise<void> {
  await ctx.db.query(metadataSql.bumpAccess(ctx.org))
  ctx.db.afterCommit(ctx.accessChanged)
}

/** What follows from new records. */
export async function runAfterInsert(
  ctx: Context,
  object: ObjectType,
  records: readonly PlannedRecord[],
): Promise<void> {
  const afterInsert = findBehaviour(object)?.afterInsert
  if (afterInsert !== undefined) await afterInsert(makeWrite(ctx, object), records)
  if (decidesAccess(object.name)) await invalidateAccess(ctx)
}

/** What follows from changed or deleted records. */
export async function runAfterChange(
  ctx: Context,
  object: ObjectType,
  records: readonly { readonly id: string }[],
): Promise<void> {
  const afterChange = findBehaviour(object)?.afterChange
  if (afterChange !== undefined) {
    await afterChange(
      makeWrite(ctx, object),
      records.map(({ id }) => id),
    )
  }
  if (decidesAccess(object.name)) await invalidateAccess(ctx)
}
