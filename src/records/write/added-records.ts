import type { Context } from '../../context.ts'
import type { RecordValues } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { AddedValues, ChangedValues } from '../../standard/behaviour.ts'
import { keepChanges, keepCreations } from '../history/keep-history.ts'
import { applyDefaults } from '../prepare/defaults.ts'
import { type PlannedRecord, planRecord, throwRefusals } from '../prepare/planned-record.ts'
import { makeAuditFields } from './audit-fields.ts'
import { deleteCascading } from './delete-cascading.ts'
import { deriveValues } from './derive-values.ts'
import { encryptValues } from './encrypt-values.ts'
import { followChanges } from './follow-changes.ts'
import { applyEffects, type ChangeParents, raiseLatest } from './parent-effects.ts'
import { planChangeEffects, planInsertEffects, planStoredEffects } from './plan-effects.ts'
import { lockAddedReferences } from './references.ts'
import { writeSql } from './write.sql.ts'
import { writeChanges } from './write-changes.ts'

/*
 * Records that the platform writes because the caller writes others: with what they derive and with what they change in their
 * parents, whatever the caller may write, and without hooks and triggers of their own, so that none of them leads back to the
 * caller's records.
 */

function toValues(object: ObjectType, given: AddedValues): RecordValues {
  return new Map(Object.entries(given).map(([name, value]) => [object.field(name)!, value]))
}

/** @returns the ids, in order */
export async function insertAdded(
  ctx: Context,
  object: ObjectType,
  records: readonly AddedValues[],
  changeParents: ChangeParents,
): Promise<string[]> {
  const planned: PlannedRecord[] = []
  for (const given of records) {
    const values = toValues(object, given)
    applyDefaults(object, values)
    planned.push(planRecord(await ctx.ids.make(object.keyPrefix, ctx.db), values))
  }
  if (planned.length === 0) return []
  const effects = await planInsertEffects(ctx, object, planned)
  throwRefusals(await deriveValues(ctx, object, planned, 'create'))
  await lockAddedReferences(ctx, planned)
  const encrypted = await encryptValues(ctx, object, planned)
  await ctx.db.query(writeSql.insert(ctx.org, object, encrypted, makeAuditFields(ctx)))
  await keepCreations(ctx, object, planned, makeAuditFields(ctx))
  await applyEffects(ctx, object, effects, planned, changeParents)
  await raiseLatest(ctx, object, planned)
  return planned.map(({ id }) => id)
}

export async function changeAdded(
  ctx: Context,
  object: ObjectType,
  records: readonly ChangedValues[],
  changeParents: ChangeParents,
): Promise<void> {
  if (records.length === 0) return
  const planned = records.map(({ id, values }) => planRecord(id, toValues(object, values)))
  const effects = await planChangeEffects(ctx, object, planned)
  throwRefusals(await deriveValues(ctx, object, planned, 'update'))
  await lockAddedReferences(ctx, planned)
  const audit = await keepChanges(ctx, object, planned, makeAuditFields(ctx))
  await writeChanges(ctx, object, planned, audit)
  await followChanges(ctx, object, planned)
  await applyEffects(ctx, object, effects, planned, changeParents)
}

export async function removeAdded(
  ctx: Context,
  object: ObjectType,
  ids: readonly string[],
  changeParents: ChangeParents,
): Promise<void> {
  if (ids.length === 0) return
  const effects = await planStoredEffects(ctx, object, ids)
  for (const [type, found] of await deleteCascading(ctx, object, ids)) {
    const listed = [...found]
    const own = type === object ? effects : await planStoredEffects(ctx, type, listed)
    const written = listed.map((id) => ({ id }))
    await applyEffects(ctx, type, own, written, changeParents)
  }
}
