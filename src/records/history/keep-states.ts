import type { Context } from '../../context.ts'
import type { RecordValues } from '../../schema/fields/field.ts'
import type { AuditFields } from '../../schema/objects/audit-fields.sql.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { requireObject } from '../../schema/snapshot/snapshot.ts'
import { findBehaviour } from '../../standard/behaviours.ts'
import type { PlannedRecord } from '../prepare/planned-record.ts'
import { statesSql } from './states.sql.ts'

/** Whether another object keeps the states of new records. */
export const keepsStates = (object: ObjectType): boolean => findBehaviour(object)?.states !== undefined

/** Whether a change of these fields makes a new state. */
export const changesState = (object: ObjectType, values: RecordValues): boolean =>
  findBehaviour(object)?.states?.when.some((name) => values.has(object.field(name)!)) === true

async function keep(
  ctx: Context,
  object: ObjectType,
  records: readonly PlannedRecord[],
  audit: AuditFields,
  statement: (typeof statesSql)['first' | 'next'],
): Promise<void> {
  const kept = findBehaviour(object)!.states!
  const states = requireObject(ctx.schema, kept.object)
  const ids: string[] = []
  for (const _ of records) ids.push(await ctx.ids.make(states.keyPrefix, ctx.db))
  const written = records.map(({ id }) => id)
  await ctx.db.query(statement(ctx.org, object, states, kept, ids, written, audit))
}

/** Keeps the first state of new records. */
export async function keepFirstStates(
  ctx: Context,
  object: ObjectType,
  records: readonly PlannedRecord[],
  audit: AuditFields,
): Promise<void> {
  if (keepsStates(object)) await keep(ctx, object, records, audit, statesSql.first)
}

/** Keeps the states of records that were changed, where they are others than before. */
export async function keepStates(
  ctx: Context,
  object: ObjectType,
  records: readonly PlannedRecord[],
  audit: AuditFields,
): Promise<void> {
  const changed = records.filter(({ values }) => changesState(object, values))
  if (changed.length > 0) await keep(ctx, object, changed, audit, statesSql.next)
}
