import type { Context } from '../../context.ts'
import type { Field, RecordValues } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { requireObject } from '../../schema/snapshot/snapshot.ts'
import type { KeptStates } from '../../standard/behaviour/behaviour.ts'
import { findBehaviour } from '../../standard/behaviours.ts'
import type { ColumnValue } from '../../storage/database/db.ts'
import { type PlannedRecord, planRecord } from '../prepare/planned-record.ts'
import { makeIds } from './keep-history.ts'

/** True if another object keeps the states of new records. */
export const keepsStates = (object: ObjectType): boolean => findBehaviour(object)?.states !== undefined

/** True if a change of these fields makes a new state. */
export const changesState = (object: ObjectType, values: RecordValues): boolean =>
  findBehaviour(object)?.states?.when.some((name) => values.has(object.field(name)!)) === true

/** Records of the object that keeps states. */
export interface PlannedStates {
  readonly object: ObjectType
  readonly records: readonly PlannedRecord[]
}

/** Values that a record will have after the write. */
const writtenValue = ({ values, old }: PlannedRecord, field: Field): ColumnValue =>
  (values.has(field) ? values.get(field) : old?.get(field)) ?? null

function planStates(
  ctx: Context,
  object: ObjectType,
  kept: KeptStates,
  records: readonly PlannedRecord[],
  ids?: readonly string[],
): PlannedStates | undefined {
  if (records.length === 0) return undefined
  const states = requireObject(ctx.schema, kept.object)
  const own = (name: string) => object.field(name)!
  const planned = records.map((record, index) => {
    const values: RecordValues = new Map([[states.field(kept.reference)!, record.id]])
    for (const name of [...kept.when, ...kept.more])
      values.set(states.field(name)!, writtenValue(record, own(name)))
    for (const [name, before] of Object.entries(kept.previous))
      values.set(states.field(name)!, record.old?.get(own(before)) ?? null)
    return planRecord(ids?.[index] ?? '', values)
  })
  return { object: states, records: planned }
}

/** The first states of new records. */
export async function planFirstStates(
  ctx: Context,
  object: ObjectType,
  records: readonly PlannedRecord[],
): Promise<PlannedStates | undefined> {
  const kept = findBehaviour(object)?.states
  if (kept === undefined) return undefined
  const ids = await makeIds(ctx, requireObject(ctx.schema, kept.object), records.length)
  return planStates(ctx, object, kept, records, ids)
}

/** The states of records that are changed, where they are others than before. Their ids are made when they are written. */
export function planNextStates(
  ctx: Context,
  object: ObjectType,
  records: readonly PlannedRecord[],
): PlannedStates | undefined {
  const kept = findBehaviour(object)?.states
  if (kept === undefined) return undefined
  const fields = kept.when.map((name) => object.field(name)!)
  const changed = records.filter(
    (record) =>
      record.old !== undefined &&
      fields.some((field) => writtenValue(record, field) !== (record.old!.get(field) ?? null)),
  )
  return planStates(ctx, object, kept, changed)
}
