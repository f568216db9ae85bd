import type { Context } from '../../context.ts'
import type { RecordValues } from '../../schema/fields/field.ts'
import type { AuditFields } from '../../schema/objects/audit-fields.sql.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { requireObject } from '../../schema/snapshot/snapshot.ts'
import { findBehaviour } from '../../standard/behaviours.ts'
import { type PlannedRecord, planRecord } from '../prepare/planned-record.ts'
import { makeIds } from './make-ids.ts'
import { statesSql } from './states.sql.ts'

/** Whether another object keeps the states of new records. */
export const keepsStates = (object: ObjectType): boolean => findBehaviour(object)?.states !== undefined

/** Whether a change of these fields makes a new state. */
export const changesState = (object: ObjectType, values: RecordValues): boolean =>
  findBehaviour(object)?.states?.when.some((name) => values.has(object.field(name)!)) === true

/** The first states of new records, as records of the object that keeps them. */
export async function planFirstStates(
  ctx: Context,
  object: ObjectType,
  records: readonly PlannedRecord[],
): Promise<{ readonly object: ObjectType; readonly records: readonly PlannedRecord[] } | undefined> {
  const kept = findBehaviour(object)?.states
  if (kept === undefined) return undefined
  const states = requireObject(ctx.schema, kept.object)
  const reference = states.field(kept.reference)!
  const copied = [...kept.when, ...kept.more].map(
    (name) => [object.field(name)!, states.field(name)!] as const,
  )
  const ids = await makeIds(ctx, states, records.length)
  const planned = records.map(({ id, values }, index) =>
    planRecord(
      ids[index]!,
      new Map([[reference, id], ...copied.map(([own, field]) => [field, values.get(own) ?? null] as const)]),
    ),
  )
  return { object: states, records: planned }
}

/** Keeps the states of records that were changed, where they are others than before. */
export async function keepStates(
  ctx: Context,
  object: ObjectType,
  records: readonly PlannedRecord[],
  audit: AuditFields,
): Promise<void> {
  const changed = records.filter(({ values }) => changesState(object, values)).map(({ id }) => id)
  if (changed.length === 0) return
  const kept = findBehaviour(object)!.states!
  const states = requireObject(ctx.schema, kept.object)
  const ids = await makeIds(ctx, states, changed.length)
  await ctx.db.query(statesSql.next(ctx.org, object, states, kept, ids, changed, audit))
}
