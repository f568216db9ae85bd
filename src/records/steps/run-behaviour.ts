import { decidesAccess } from '../../access/guards.ts'
import { ApiError } from '../../base/api-error.ts'
import type { Context } from '../../context.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { bumpAccess } from '../../schema/snapshot/bump-access.ts'
import { requireObject } from '../../schema/snapshot/snapshot.ts'
import type { Write } from '../../standard/behaviour/behaviour.ts'
import { findBehaviour } from '../../standard/behaviours.ts'
import {
  type PlannedRecord,
  RecordsRefused,
  type Refusals,
  throwRefusals,
} from '../prepare/planned-record.ts'
import type { AddedWrites } from './added-writes.ts'
import { makeAuditFields } from './audit-fields.ts'
import { DeletionRefused } from './delete-cascading.ts'

const makeWrite = (ctx: Context, object: ObjectType, added: AddedWrites): Write => {
  const find = (name: string) => requireObject(ctx.schema, name)
  return {
    org: ctx.org,
    db: ctx.db,
    schema: ctx.schema,
    lenient: ctx.settings.lenient,
    object,
    audit: makeAuditFields(ctx),
    checkTopicQuery: (query) => ctx.topics.checkQuery(ctx, query),
    insert: (name, records) => added.insert(ctx, find(name), records),
    change: (name, records) => added.change(ctx, find(name), records),
    remove: (name, ids) => added.remove(ctx, find(name), ids),
  }
}

/** A refusal of what the platform writes beside the caller's records refuses all of these. */
async function refusingTogether<Result>(
  records: readonly { readonly id: string }[],
  run: () => Promise<Result>,
): Promise<Result> {
  try {
    return await run()
  } catch (failure) {
    const errors = failure instanceof RecordsRefused ? [...failure.refusals.values()] : []
    const error = failure instanceof DeletionRefused ? failure.error : errors[0]
    if (error === undefined) throw failure
    throw new RecordsRefused(new Map(records.map((record) => [record, error])))
  }
}

/** The records whose write calls for more than the statement that writes them. */
export function findCalling(
  object: ObjectType,
  records: readonly PlannedRecord[],
  purpose: 'create' | 'update',
): readonly PlannedRecord[] {
  const names = findBehaviour(object)?.hooksFor
  if (names === undefined) return records
  const fields = names.map((name) => object.field(name)!)
  const isEmpty = (value: unknown) => value === undefined || (value === null && purpose === 'create')
  return records.filter(({ values }) => fields.some((field) => !isEmpty(values.get(field))))
}

/** True if an insert of the records is more than the statement that writes them. */
export function insertsMore(object: ObjectType, records: readonly PlannedRecord[]): boolean {
  const { refuseInsert, beforeInsert, afterInsert } = findBehaviour(object) ?? {}
  const isHooked = beforeInsert !== undefined || afterInsert !== undefined
  return (
    refuseInsert !== undefined ||
    (isHooked && findCalling(object, records, 'create').length > 0) ||
    decidesAccess(object.name)
  )
}

/** True if a change of the records is more than the statement that writes them. */
export function changesMore(object: ObjectType, records: readonly PlannedRecord[]): boolean {
  const { beforeChange, afterChange } = findBehaviour(object) ?? {}
  const isHooked = beforeChange !== undefined || afterChange !== undefined
  return (isHooked && findCalling(object, records, 'update').length > 0) || decidesAccess(object.name)
}

/** True if the behaviour completes new or changed records. */
export const completes = (object: ObjectType, purpose: 'create' | 'update'): boolean => {
  const behaviour = findBehaviour(object)
  return (purpose === 'create' ? behaviour?.completeInsert : behaviour?.completeUpdate) !== undefined
}

/** True if the behaviour may refuse changes because of other records. */
export const mayRefuseChanges = (object: ObjectType): boolean =>
  findBehaviour(object)?.refuseChange !== undefined

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

/** Sets references of new records that their other references decide. */
export async function findReferences(
  ctx: Context,
  object: ObjectType,
  records: readonly PlannedRecord[],
  added: AddedWrites,
): Promise<void> {
  const find = findBehaviour(object)?.findReferences
  if (find !== undefined) await find(makeWrite(ctx, object, added), records)
}

/** Runs before the statement of an insert. */
export async function runBeforeInsert(
  ctx: Context,
  object: ObjectType,
  records: readonly PlannedRecord[],
  added: AddedWrites,
): Promise<void> {
  const { refuseInsert, beforeInsert } = findBehaviour(object) ?? {}
  if (refuseInsert === undefined && beforeInsert === undefined) return
  const write = makeWrite(ctx, object, added)
  if (refuseInsert !== undefined) throwRefusals(await refuseInsert(write, records))
  const calling = findCalling(object, records, 'create')
  if (beforeInsert !== undefined && calling.length > 0)
    await refusingTogether(calling, () => beforeInsert(write, calling))
}

/** The errors of changes that the behaviour refuses because of other records. */
export const refuseChanges = async (
  ctx: Context,
  object: ObjectType,
  records: readonly PlannedRecord[],
  added: AddedWrites,
): Promise<ReadonlyMap<PlannedRecord, ApiError>> =>
  (await findBehaviour(object)?.refuseChange?.(makeWrite(ctx, object, added), records)) ?? new Map()

/** Runs before the statement of a change. */
export async function runBeforeChange(
  ctx: Context,
  object: ObjectType,
  records: readonly PlannedRecord[],
  added: AddedWrites,
): Promise<void> {
  const beforeChange = findBehaviour(object)?.beforeChange
  if (beforeChange === undefined) return
  const calling = findCalling(object, records, 'update')
  if (calling.length === 0) return
  const write = makeWrite(ctx, object, added)
  await refusingTogether(calling, () => beforeChange(write, calling))
}

/** The errors of records that the behaviour does not let anybody delete. */
export const refuseDeletes = async (
  ctx: Context,
  object: ObjectType,
  records: readonly PlannedRecord[],
  added: AddedWrites,
): Promise<Refusals<PlannedRecord>> => {
  const { kept, refuseDelete } = findBehaviour(object) ?? {}
  const ids = records.map(({ id }) => id)
  const refused = new Map(await refuseDelete?.(makeWrite(ctx, object, added), ids))
  for (const id of (await kept?.find(ctx, ids)) ?? [])
    refused.set(id, new ApiError('DELETE_FAILED', kept!.message))
  return new Map(
    records.flatMap((record) => {
      const error = refused.get(record.id)
      return error === undefined ? [] : [[record, error]]
    }),
  )
}

/** Makes every process reload its access data after the commit. */
async function invalidateAccess(ctx: Context): Promise<void> {
  await bumpAccess(ctx.db, ctx.org)
  ctx.db.afterCommit(ctx.accessChanged)
}

/** Runs after an insert. */
export async function runAfterInsert(
  ctx: Context,
  object: ObjectType,
  records: readonly PlannedRecord[],
  added: AddedWrites,
): Promise<void> {
  const afterInsert = findBehaviour(object)?.afterInsert
  const calling = afterInsert === undefined ? [] : findCalling(object, records, 'create')
  if (afterInsert !== undefined && calling.length > 0) {
    const write = makeWrite(ctx, object, added)
    await refusingTogether(calling, () => afterInsert(write, calling))
  }
  if (decidesAccess(object.name)) await invalidateAccess(ctx)
}

/** Runs after a change or a deletion. */
export async function runAfterChange(
  ctx: Context,
  object: ObjectType,
  records: readonly { readonly id: string }[],
  added: AddedWrites,
): Promise<void> {
  const afterChange = findBehaviour(object)?.afterChange
  if (afterChange !== undefined && records.length > 0) {
    const write = makeWrite(ctx, object, added)
    const ids = records.map(({ id }) => id)
    await refusingTogether(records, () => afterChange(write, ids))
  }
  if (decidesAccess(object.name)) await invalidateAccess(ctx)
}
