import type { Context } from '../../context.ts'
import type { RecordValues } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { AddedValues, ChangedValues } from '../../standard/behaviour/behaviour.ts'
import { applyDefaults } from '../prepare/defaults.ts'
import { type PlannedRecord, planRecord } from '../prepare/planned-record.ts'

/**
 * Records that the platform writes because the caller writes others: with what they derive and with what they change in their
 * parents, whatever the caller may write, and without hooks and triggers of their own, so that none of them leads back to the
 * caller's records.
 */
export interface AddedWrites {
  /** @returns the ids, in order */
  insert(ctx: Context, object: ObjectType, records: readonly AddedValues[]): Promise<string[]>
  change(ctx: Context, object: ObjectType, records: readonly ChangedValues[]): Promise<void>
  remove(ctx: Context, object: ObjectType, ids: readonly string[]): Promise<void>
}

/** Carries out the steps of a write that the platform adds. */
type RunAdded = (
  ctx: Context,
  kind: 'insert' | 'update' | 'delete',
  object: ObjectType,
  records: readonly PlannedRecord[],
) => Promise<void>

function toValues(object: ObjectType, given: AddedValues): RecordValues {
  return new Map(Object.entries(given).map(([name, value]) => [object.field(name)!, value]))
}

export const makeAddedWrites = (run: RunAdded): AddedWrites => ({
  async insert(ctx, object, records) {
    const planned: PlannedRecord[] = []
    for (const given of records) {
      const values = toValues(object, given)
      applyDefaults(object, values, ctx.principal.orgDefaults)
      planned.push(planRecord(await ctx.ids.make(object.keyPrefix, ctx.db), values))
    }
    await run(ctx, 'insert', object, planned)
    return planned.map(({ id }) => id)
  },
  async change(ctx, object, records) {
    const planned = records.map(({ id, values }) => planRecord(id, toValues(object, values)))
    await run(ctx, 'update', object, planned)
  },
  async remove(ctx, object, ids) {
    const planned = ids.map((id) => planRecord(id, new Map()))
    await run(ctx, 'delete', object, planned)
  },
})
