import { getOrInsert, oncePer } from '../../base/get-or-insert.ts'
import type { Context } from '../../context.ts'
import type { RecordValues } from '../../schema/fields/field.ts'
import { type ObjectType, unrestricted } from '../../schema/objects/object-type.ts'
import { requireObject, type SchemaSnapshot } from '../../schema/snapshot/snapshot.ts'
import type { ParentEffect } from '../../standard/behaviour/parent-effect.ts'
import { findBehaviour } from '../../standard/behaviours.ts'
import { namingLocked } from '../../storage/database/fault-error.ts'
import type { PlannedRecord } from '../prepare/planned-record.ts'
import { parentEffectsSql } from './parent-effects.sql.ts'
import { groupByObject } from './references.ts'
import { makeRollUpEffects } from './roll-up-effects.ts'

/*
 * Which parents a write will change, locked in an order that all writes have. (docs/adr/0031-derived-values.md)
 */

/** Where the records are. */
export type Where = Pick<Context, 'org' | 'db' | 'schema' | 'locked'>

/** A record that was written, with its values unless it is deleted or restored. */
export interface Written {
  readonly id: string
  readonly values?: RecordValues
}

/**
 * Effects of records, each with the ids of the parents: none yet where the records refer to none. With those that the changes of
 * the parents will have in turn.
 */
export type PendingEffects = ReadonlyMap<ParentEffect, ReadonlySet<string>>

const effectsOf = oncePer((object: ObjectType): readonly ParentEffect[] => [
  ...(findBehaviour(object)?.effects ?? []),
  ...makeRollUpEffects(object),
])

/** Effects of an object's writes on other records: by its behaviour, and by the roll-ups of its masters. */
export const listEffects = (object: ObjectType): readonly ParentEffect[] => effectsOf(unrestricted(object))

const writes = (object: ObjectType, values: RecordValues, names: readonly string[]) =>
  names.some((name) => values.has(object.field(name)!))

/** True if a change of these fields affects parents. */
export const mayAffectParents = (object: ObjectType, values: RecordValues): boolean =>
  listEffects(object).some(({ reference, from }) => writes(object, values, [reference, ...from]))

type ParentIds = Map<ParentEffect, Set<string>>

const collect = (effects: readonly ParentEffect[]): ParentIds =>
  new Map(effects.map((effect) => [effect, new Set()]))

/** Adds the parent, if it is one of the object that the effect is for. */
const add = ({ schema }: Where, found: ParentIds, effect: ParentEffect, id: unknown): void => {
  if (typeof id === 'string' && schema.objectOfId(id)?.name === effect.parent) found.get(effect)!.add(id)
}

/** True if its parents are locked before their children. */
export const isEarly = ({ kind }: ParentEffect): boolean => kind !== 'latest'

/** The effects that changes of these parents will have in turn. */
const listFurther = (schema: SchemaSnapshot, { parent, sets }: ParentEffect): readonly ParentEffect[] =>
  listEffects(requireObject(schema, parent)).filter(
    (effect) => isEarly(effect) && effect.from.some((name) => Object.hasOwn(sets, name)),
  )

/**
 * How many objects are locked before an object at most, by name: those that its changes change, and those that lead to it. In a circle
 * each is once before the others.
 */
const depthsOf = oncePer((schema: SchemaSnapshot): ((name: string) => number) => {
  const before = new Map<string, Set<string>>()
  for (const object of schema.objects)
    for (const { parent, under } of listEffects(object).filter(isEarly)) {
      getOrInsert(before, object.name, () => new Set()).add(parent)
      if (under !== undefined) getOrInsert(before, parent, () => new Set()).add(under.object)
    }
  const depths = new Map<string, number>()
  const depthOf = (name: string): number => {
    const known = depths.get(name)
    if (known !== undefined) return known
    depths.set(name, 0)
    const depth = Math.max(0, ...[...(before.get(name) ?? [])].map((one) => depthOf(one) + 1))
    depths.set(name, depth)
    return depth
  }
  return depthOf
})

/** Sorts objects by the order in which all writes lock them: from above, those of one depth by name. */
function sortFromAbove<T>(schema: SchemaSnapshot, byObject: ReadonlyMap<string, T>): [string, T][] {
  const depthOf = depthsOf(schema)
  return [...byObject].sort(([a], [b]) => depthOf(a) - depthOf(b) || (a < b ? -1 : 1))
}

/** Parents of one object that a write locks. */
interface LockedParents {
  readonly ids: Set<string>
  /** Effects that their change will have in turn. */
  readonly further: Set<ParentEffect>
  /** References of them that lead back, each with the ids that it may have: such a parent is changed as well. */
  readonly back: Map<string, ReadonlySet<string>>
}

/**
 * Locks the parents from above: first those of the parents that will be changed in turn, then those of one object at a time, in the order of
 * names and ids. Every write locks so, those of the parents themselves too: two cannot wait for each other.
 */
export async function lock(ctx: Where, found: ParentIds, isLate = false): Promise<PendingEffects> {
  const byObject = new Map<string, LockedParents>()
  const listed = (object: string) =>
    getOrInsert(byObject, object, () => ({ ids: new Set(), further: new Set(), back: new Map() }))
  for (const [effect, ids] of found) {
    const { parent, under, kind } = effect
    if (ids.size === 0) continue
    for (const id of ids) listed(parent).ids.add(id)
    for (const one of kind === 'change' ? listFurther(ctx.schema, effect) : [])
      listed(parent).further.add(one)
    if (under === undefined) continue
    const [own, upper] = [parent, under.object].map((name) => requireObject(ctx.schema, name))
    const { ids: held, further, back } = listed(under.object)
    back.set(under.back, ids.union(back.get(under.back) ?? new Set()))
    for (const [id, isBack] of await ctx.db.rows(
      parentEffectsSql.under(ctx.org, own!, upper!, under, [...ids]),
    )) {
      held.add(id as string)
      if (isBack === true) for (const one of listEffects(upper!).filter(isEarly)) further.add(one)
    }
  }
  const above: ParentIds = new Map()
  for (const [name, { ids, further, back }] of sortFromAbove(ctx.schema, byObject)) {
    if (ids.size === 0) continue
    const sorted = [...ids].sort()
    const object = requireObject(ctx.schema, name)
    await namingLocked(ctx, sorted, async () => {
      if (further.size > 0) return lockFromAbove(ctx, object, [...further], sorted, isLate, above)
      const rows = await ctx.db.rows(parentEffectsSql.lock(ctx.org, object, sorted, isLate, [...back.keys()]))
      // Somebody else made one of them point back after it was read.
      const pointing = [...back.values()].some((children, index) =>
        rows.some((row) => children.has(row[index + 1] as string)),
      )
      if (pointing) await lockFromAbove(ctx, object, listEffects(object).filter(isEarly), sorted, true, above)
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

/**
 * Locks records that an earlier try of a write locked or waited for, with all that their changes may change, in the order that all
 * writes have. What a try that failed was to lock above its records is not known to it.
 */
export async function lockFirst(ctx: Context, ids: readonly string[]): Promise<void> {
  const byObject = new Map<string, Set<string>>()
  for (let added = new Set(ids); added.size > 0; ) {
    const upper = new Set<string>()
    for (const [object, listed] of groupByObject(ctx, [...added])) {
      if (object.definition.view !== undefined) continue
      const held = getOrInsert(byObject, object.name, () => new Set())
      for (const id of listed) held.add(id)
      const found = collect(listEffects(object).filter(isEarly))
      if (found.size > 0) await addStored(ctx, object, [...found.keys()], listed, found)
      for (const parents of found.values()) for (const id of parents) upper.add(id)
    }
    const known = [...byObject.values()]
    added = new Set([...upper].filter((id) => !known.some((held) => held.has(id))))
  }
  for (const [name, held] of sortFromAbove(ctx.schema, byObject)) {
    const sorted = [...held].sort()
    const object = requireObject(ctx.schema, name)
    await namingLocked(ctx, sorted, () => ctx.db.query(parentEffectsSql.lock(ctx.org, object, sorted, false)))
  }
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
