import { ApiError } from '../../base/api-error.ts'
import type { Context } from '../../context.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { AuditFields } from '../../schema/objects/table.sql.ts'
import { requireObject, type SchemaSnapshot } from '../../schema/snapshot/snapshot.ts'
import type { ChildAggregate, ParentEffect } from '../../standard/behaviour/parent-effect.ts'
import type { ColumnValue } from '../../storage/database/db.ts'
import { namingLocked } from '../../storage/database/fault-error.ts'
import { databaseFault } from '../../storage/database/pg-error.ts'
import {
  type PlannedRecord,
  planRecord,
  RecordsRefused,
  type Refusals,
  throwRefusals,
} from '../prepare/planned-record.ts'
import { checkComputedNumbers } from '../prepare/validate.ts'
import { makeAuditFields } from './audit-fields.ts'
import { listOldFields, toStored } from './derive-values.ts'
import { oldName, parentEffectsSql } from './parent-effects.sql.ts'
import { isEarly, listEffects, lock, type PendingEffects, type Where, type Written } from './plan-effects.ts'

/** Writes of parents by their children. */
export interface ParentWrites {
  /** Changes them as the platform does: with what they derive, their triggers and rules, whatever the caller may write. */
  change(
    ctx: Context,
    object: ObjectType,
    records: readonly PlannedRecord[],
    known: PendingEffects,
  ): Promise<void>
  /** True if such a change needs nothing but the statement that writes it. */
  areOnlyWritten(ctx: Context, object: ObjectType, records: readonly PlannedRecord[]): boolean
}

/** Parents that a rule of their own refuses to change refuse the records that would change them. */
function blame(
  refused: RecordsRefused,
  object: ObjectType,
  { reference }: ParentEffect,
  records: readonly Written[],
): RecordsRefused {
  const errors = new Map(
    [...refused.refusals].map(([parent, error]) => [(parent as PlannedRecord).id, error]),
  )
  const field = object.field(reference)!
  const known = records.flatMap((record) => {
    const error = errors.get(String(record.values?.get(field)))
    return error === undefined ? [] : [[record, error] as const]
  })
  const [first] = errors.values()
  return new RecordsRefused(new Map(known.length > 0 ? known : records.map((record) => [record, first!])))
}

/** @throws RecordsRefused for parents whose fields cannot hold what their children add up to */
async function changeChecked(
  ctx: Context,
  parent: ObjectType,
  planned: readonly PlannedRecord[],
  pending: PendingEffects,
  parents: ParentWrites,
  isRollUp: boolean,
): Promise<void> {
  const refusals: Refusals<PlannedRecord> = new Map()
  for (const record of planned) {
    try {
      checkComputedNumbers(record.values)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      refusals.set(record, isRollUp ? tooLarge(parent) : error)
    }
  }
  throwRefusals(refusals)
  await parents.change(ctx, parent, planned, pending)
}

/** The caller may not see the roll-up: neither its name nor its value is told. */
const tooLarge = ({ name }: ObjectType): ApiError =>
  new ApiError('NUMBER_OUTSIDE_VALID_RANGE', `A roll-up of ${name} cannot hold the sum of its details`)

const refuseAll = (records: readonly Written[], error: ApiError): RecordsRefused =>
  new RecordsRefused(new Map(records.map((record) => [record, error])))

/** True if a roll-up's parents notice nothing but its value: then one statement sets it where it differs. */
function isUnnoticed(
  ctx: Context,
  parent: ObjectType,
  { isAfterTriggers, sets }: ParentEffect,
  parents: ParentWrites,
): boolean {
  if (isAfterTriggers !== true) return false
  const values = new Map(Object.keys(sets).map((name) => [parent.field(name)!, null]))
  return parents.areOnlyWritten(ctx, parent, [planRecord('', values)])
}

/**
 * Changes the parents by what their children are now.
 * @param when which effects, if the children have after-triggers
 */
export async function applyEffects(
  ctx: Context,
  object: ObjectType,
  pending: PendingEffects,
  records: readonly Written[],
  parents: ParentWrites,
  when?: 'before triggers' | 'after triggers',
): Promise<void> {
  for (const effect of listEffects(object)) {
    if (when !== undefined && (effect.isAfterTriggers === true) !== (when === 'after triggers')) continue
    const ids = pending.get(effect)
    if (ids === undefined || ids.size === 0) continue
    const parent = requireObject(ctx.schema, effect.parent)
    const listed = [...ids].sort()
    if (effect.kind === 'latest') await lock(ctx, new Map([[effect, new Set(ids)]]))
    if (effect.kind !== 'change' || isUnnoticed(ctx, parent, effect, parents)) {
      const audit = makeAuditFields(ctx)
      await ctx.db
        .query(parentEffectsSql.set(ctx.org, object, parent, effect, listed, audit))
        .catch((failure) => {
          throw databaseFault(failure)?.kind === 'out of range'
            ? refuseAll(records, tooLarge(parent))
            : failure
        })
      continue
    }
    const fields = Object.keys(effect.sets).map((name) => parent.field(name)!)
    const isRollUp = effect.isAfterTriggers === true
    const old = [...new Set([...listOldFields(parent), ...(isRollUp ? fields : [])])]
    const rows = await ctx.db.query<Record<string, ColumnValue>>(
      // A roll-up that stays the same is no change of the parent.
      parentEffectsSql.values(ctx.org, object, parent, effect, listed, old, isRollUp),
    )
    const planned = rows.map((row) => ({
      ...planRecord(row.id as string, new Map(fields.map((field) => [field, row[field.column!]!]))),
      old: new Map(old.map((field) => [field, toStored(field, row[oldName(field)]!)])),
    }))
    if (planned.length === 0) continue
    await changeChecked(ctx, parent, planned, pending, parents, isRollUp).catch((failure) => {
      throw failure instanceof RecordsRefused ? blame(failure, object, effect, records) : failure
    })
  }
}

/** Raises what parents have of the latest of their children by new ones. */
export async function raiseLatest(
  ctx: Context,
  object: ObjectType,
  records: readonly PlannedRecord[],
): Promise<void> {
  const effects = listEffects(object).filter((effect) => !isEarly(effect))
  for (const effect of effects) {
    const [{ of, where }] = Object.values(effect.sets) as [ChildAggregate]
    const [reference, day] = [object.field(effect.reference)!, object.field(of!)!]
    const counted = records.filter(
      ({ values }) =>
        typeof values.get(day) === 'string' &&
        (where === undefined || values.get(object.field(where)!) === true) &&
        ctx.schema.objectOfId(String(values.get(reference)))?.name === effect.parent,
    )
    if (counted.length === 0) continue
    const parent = requireObject(ctx.schema, effect.parent)
    const ids = counted.map(({ values }) => values.get(reference) as string)
    const days = counted.map(({ values }) => values.get(day) as string)
    const audit = makeAuditFields(ctx)
    await namingLocked(ctx, ids, () =>
      ctx.db.query(parentEffectsSql.raise(ctx.org, parent, effect, ids, days, audit)),
    )
  }
}

/** A parent whose values are not what its children add up to. */
interface DifferingParent {
  readonly id: string
  /** API names. */
  readonly fields: readonly string[]
}

/** The effects that records of an object get from others, each with the object of these. */
export const listReceived = (schema: SchemaSnapshot, parent: ObjectType) =>
  schema.storedObjects.flatMap((child) =>
    listEffects(child).flatMap((effect) => (effect.parent === parent.name ? [{ child, effect }] : [])),
  )

/** Compares what records have of others, which refer to them, with what these add up to. */
export async function compareParents(
  { db, org, schema }: Where,
  parent: ObjectType,
  ids: readonly string[],
): Promise<readonly DifferingParent[]> {
  const found: DifferingParent[] = []
  for (const { child, effect } of listReceived(schema, parent)) {
    const statement = parentEffectsSql.differing(org, child, parent, effect, ids)
    found.push(...(await db.query<DifferingParent>(statement)))
  }
  return found.filter(({ fields }) => fields.length > 0)
}

/**
 * Gives records what others, which refer to them, add up to.
 * @param keeps what stays of fields that clients may write: what is not empty and what a record without such others has, or only the latter
 */
export async function addUpAgain(
  { db, org, schema }: Where,
  parent: ObjectType,
  ids: readonly string[],
  audit: AuditFields,
  keeps: 'filled' | 'childless' = 'childless',
): Promise<void> {
  const received = listReceived(schema, parent)
  if (received.length === 0 || ids.length === 0) return
  // As writes of the others do: what they add meanwhile is counted here, or by them.
  const sorted = [...ids].sort()
  await namingLocked({}, sorted, () => db.query(parentEffectsSql.lock(org, parent, sorted, false)))
  for (const { child, effect } of received)
    await db.query(parentEffectsSql.set(org, child, parent, effect, sorted, audit, keeps))
}
