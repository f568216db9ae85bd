import { ApiError } from '../../base/api-error.ts'
import { getOrInsert } from '../../base/get-or-insert.ts'
import type { Context } from '../../context.ts'
import type { RecordValues } from '../../schema/fields/field.ts'
import type { AuditFields } from '../../schema/objects/audit-fields.sql.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { requireObject, type SchemaSnapshot } from '../../schema/snapshot/snapshot.ts'
import { findBehaviour } from '../../standard/behaviours.ts'
import type { ChildAggregate, ParentEffect } from '../../standard/parent-effect.ts'
import type { ColumnValue } from '../../storage/database/db.ts'
import { namingLocked } from '../../storage/database/fault-error.ts'
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

/** Changes parents as the platform does: with what they derive, their triggers and rules, whatever the caller may write. */
export type ChangeParents = (
  ctx: Context,
  object: ObjectType,
  records: readonly PlannedRecord[],
  known: PendingEffects,
) => Promise<void>

/** Where the records are. */
type Where = Pick<Context, 'org' | 'db' | 'schema'>

/**
 * Effects of records, each with the ids of the parents: none yet where the records refer to none. With those that the changes of
 * the parents will have in turn.
 */
export type PendingEffects = ReadonlyMap<ParentEffect, ReadonlySet<string>>

export const listEffects = (object: ObjectType): readonly ParentEffect[] =>
  findBehaviour(object)?.effects ?? []

const writes = (object: ObjectType, values: RecordValues, names: readonly string[]) =>
  names.some((name) => values.has(object.field(name)!))

/** Whether a change of these fields affects parents. */
export const mayAffectParents = (object: ObjectType, values: RecordValues): boolean =>
  listEffects(object).some(({ reference, from }) => writes(object, values, [reference, ...from]))

type ParentIds = Map<ParentEffect, Set<string>>

const collect = (effects: readonly ParentEffect[]): ParentIds =>
  new Map(effects.map((effect) => [effect, new Set()]))

/** Adds the parent, if it is one of the object that the effect is for. */
const add = ({ schema }: Where, found: ParentIds, effect: ParentEffect, id: unknown): void => {
  if (typeof id === 'string' && schema.objectOfId(id)?.name === effect.parent) found.get(effect)!.add(id)
}

/** Whether its parents are locked before their children. */
const isEarly = ({ kind }: ParentEffect): boolean => kind !== 'latest'

/** The effects that changes of these parents will have in turn. */
const listFurther = (schema: SchemaSnapshot, { parent, sets }: ParentEffect): readonly ParentEffect[] =>
  listEffects(requireObject(schema, parent)).filter(
    (effect) => isEarly(effect) && effect.from.some((name) => Object.hasOwn(sets, name)),
  )

/**
 * Locks the parents from above: first those of the parents that will be changed in turn, then those of one object at a time, in the order of
 * names and ids. Every write locks so, those of the parents themselves too: two cannot wait for each other.
 */
async function lock(ctx: Where, found: ParentIds, isLate = false): Promise<PendingEffects> {
  const byObject = new Map<string, { readonly ids: Set<string>; readonly further: Set<ParentEffect> }>()
  const listed = (object: string) =>
    getOrInsert(byObject, object, () => ({ ids: new Set(), further: new Set() }))
  for (const [effect, ids] of found) {
    const { parent, under, kind } = effect
    if (ids.size === 0) continue
    for (const id of ids) listed(parent).ids.add(id)
    for (const one of kind === 'change' ? listFurther(ctx.schema, effect) : [])
      listed(parent).further.add(one)
    if (under === undefined) continue
    const own = requireObject(ctx.schema, parent)
    for (const [id] of await ctx.db.rows(parentEffectsSql.references(ctx.org, own, [under], [...ids])))
      if (typeof id === 'string') listed(ctx.schema.objectOfId(id)!.name).ids.add(id)
  }
  const above: ParentIds = new Map()
  for (const [name, { ids, further }] of [...byObject].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const sorted = [...ids].sort()
    const object = requireObject(ctx.schema, name)
    await namingLocked(sorted, async () => {
      if (further.size > 0) return lockFromAbove(ctx, object, [...further], sorted, isLate, above)
      await ctx.db.query(parentEffectsSql.lock(ctx.org, object, sorted, isLate))
    })
  }
  return new Map([...found, ...above])
}

/** Locks records of one object after those that their change will change. No effect goes further up than that. */
async function lockFromAbove(
  ctx: Where,
  object: ObjectType,
  effects: readonly ParentEffect[],
  ids: readonly string[],
  isLate: boolean,
  above: ParentIds,
): Promise<void> {
  const upper = effects.map(({ reference, parent }) => ({
    reference,
    object: requireObject(ctx.schema, parent),
  }))
  const missed = collect(effects)
  const rows = await ctx.db.rows(parentEffectsSql.lockFromAbove(ctx.org, object, upper, ids, isLate))
  for (const effect of effects) getOrInsert(above, effect, () => new Set())
  for (const row of rows)
    for (const [index, effect] of effects.entries()) {
      add(ctx, above, effect, row[index])
      if (row[effects.length + index] !== true) add(ctx, missed, effect, row[index])
    }
  if ([...missed.values()].some(({ size }) => size > 0)) await lock(ctx, missed, true)
}

async function addStored(
  ctx: Where,
  object: ObjectType,
  effects: readonly ParentEffect[],
  ids: readonly string[],
  found: ParentIds,
  isLocked = false,
): Promise<void> {
  const names = [...new Set(effects.map(({ reference }) => reference))]
  const statement = isLocked ? parentEffectsSql.lockedReferences : parentEffectsSql.references
  const rows = await ctx.db.rows(statement(ctx.org, object, names, ids))
  for (const row of rows)
    for (const effect of effects) add(ctx, found, effect, row[names.indexOf(effect.reference)])
}

/** Adds the parents that the records are to have. */
function addGiven(
  ctx: Where,
  object: ObjectType,
  effects: readonly ParentEffect[],
  records: readonly Written[],
  found: ParentIds,
): void {
  for (const effect of effects) {
    const reference = object.field(effect.reference)!
    for (const { values } of records) add(ctx, found, effect, values?.get(reference))
  }
}

/**
 * The effects that new records will have. Their parents are locked before anything else of the write, so that two writes
 * cannot wait for each other.
 */
export async function planInsertEffects(
  ctx: Context,
  object: ObjectType,
  records: readonly PlannedRecord[],
): Promise<PendingEffects> {
  const effects = listEffects(object).filter(isEarly)
  const found = collect(effects)
  addGiven(ctx, object, effects, records, found)
  return lock(ctx, found)
}

/**
 * The effects that a change will have: on the parents before and after it.
 * @param known effects whose parents are locked already
 */
export async function planChangeEffects(
  ctx: Context,
  object: ObjectType,
  records: readonly PlannedRecord[],
  known: PendingEffects = new Map(),
): Promise<PendingEffects> {
  const called = listEffects(object).filter(({ reference, from }) =>
    records.some(({ values }) => writes(object, values, [reference, ...from])),
  )
  const early = called.filter((effect) => isEarly(effect) && !known.has(effect))
  const found = collect(called.filter((effect) => !known.has(effect)))
  const locked = new Map([...known].filter(([effect]) => called.includes(effect)))
  if (early.length === 0) return new Map([...locked, ...found])
  const ids = records.map(({ id }) => id)
  await addStored(ctx, object, early, ids, found)
  addGiven(ctx, object, early, records, found)
  return new Map([...locked, ...(await lock(ctx, found))])
}

/**
 * The effects of a change that comes next, or of a deletion, with those on all parents that the records have or are given. Locks the
 * records. Parents are locked before their children, so which ones they are was not certain, and some follow from what was derived.
 * @param known effects whose parents were found when the records were locked
 */
export async function withMoved(
  ctx: Context,
  object: ObjectType,
  pending: PendingEffects,
  records: readonly Written[],
  known: PendingEffects = new Map(),
): Promise<PendingEffects> {
  const movable = listEffects(object).filter((effect) => {
    const reference = object.field(effect.reference)!
    const isMoving = records.some(({ values }) => values?.has(reference) === true)
    return (
      pending.has(effect) && (isMoving || !known.has(effect)) && (!isEarly(effect) || reference.updateable)
    )
  })
  if (movable.length === 0) return pending
  const ids = records.map(({ id }) => id)
  const found = collect(movable)
  await addStored(ctx, object, movable, ids, found, true)
  addGiven(ctx, object, movable, records, found)
  const moved = new Map(
    [...found].map(([effect, parents]) => [effect, parents.difference(pending.get(effect)!)] as const),
  )
  if ([...moved.values()].every(({ size }) => size === 0)) return pending
  const locked = await lock(ctx, new Map([...moved].filter(([effect]) => isEarly(effect))), true)
  const all = new Map([...pending, ...moved])
  for (const [effect, parents] of [...locked, ...moved])
    all.set(effect, parents.union(pending.get(effect) ?? new Set()))
  return all
}

/** The effects of records that are deleted or restored. */
export async function planStoredEffects(
  ctx: Where,
  object: ObjectType,
  ids: readonly string[],
): Promise<PendingEffects> {
  const effects = listEffects(object)
  const found = collect(effects)
  if (effects.length > 0 && ids.length > 0) await addStored(ctx, object, effects, ids, found)
  return lock(ctx, found)
}

/** A record that was written, with its values unless it is deleted or restored. */
interface Written {
  readonly id: string
  readonly values?: RecordValues
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
  changeParents: ChangeParents,
): Promise<void> {
  const refusals: Refusals<PlannedRecord> = new Map()
  for (const record of planned) {
    try {
      checkComputedNumbers(record.values)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      refusals.set(record, error)
    }
  }
  throwRefusals(refusals)
  await changeParents(ctx, parent, planned, pending)
}

/** Changes the parents by what their children are now. */
export async function applyEffects(
  ctx: Context,
  object: ObjectType,
  pending: PendingEffects,
  records: readonly Written[],
  changeParents: ChangeParents,
): Promise<void> {
  for (const effect of listEffects(object)) {
    const ids = pending.get(effect)
    if (ids === undefined || ids.size === 0) continue
    const parent = requireObject(ctx.schema, effect.parent)
    const listed = [...ids].sort()
    if (effect.kind === 'latest') await lock(ctx, new Map([[effect, new Set(ids)]]))
    if (effect.kind !== 'change') {
      const audit = makeAuditFields(ctx)
      await ctx.db.query(parentEffectsSql.set(ctx.org, object, parent, effect, listed, audit))
      continue
    }
    const fields = Object.keys(effect.sets).map((name) => parent.field(name)!)
    const old = listOldFields(parent)
    const rows = await ctx.db.query<Record<string, ColumnValue>>(
      parentEffectsSql.values(ctx.org, object, parent, effect, listed, old),
    )
    const planned = rows.map((row) => ({
      ...planRecord(row.id as string, new Map(fields.map((field) => [field, row[field.column!]!]))),
      old: new Map(old.map((field) => [field, toStored(field, row[oldName(field)]!)])),
    }))
    if (planned.length === 0) continue
    await changeChecked(ctx, parent, planned, pending, changeParents).catch((failure) => {
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
    await namingLocked(ids, () =>
      ctx.db.query(parentEffectsSql.raise(ctx.org, parent, effect, ids, days, audit)),
    )
  }
}

/** Sets what parents of stored records have of them, without overwriting what clients wrote. */
export async function repairParents(
  where: Where,
  object: ObjectType,
  ids: readonly string[],
  audit: AuditFields,
): Promise<void> {
  const pending = await planStoredEffects(where, object, ids)
  for (const effect of listEffects(object)) {
    const parents = pending.get(effect)!
    if (parents.size === 0) continue
    const parent = requireObject(where.schema, effect.parent)
    const listed = [...parents].sort()
    await where.db.query(parentEffectsSql.set(where.org, object, parent, effect, listed, audit, 'filled'))
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

/** Gives records what others, which refer to them, add up to. */
export async function addUpAgain(
  { db, org, schema }: Where,
  parent: ObjectType,
  ids: readonly string[],
  audit: AuditFields,
): Promise<void> {
  for (const { child, effect } of listReceived(schema, parent))
    await db.query(parentEffectsSql.set(org, child, parent, effect, ids, audit, 'childless'))
}
