import { ApiError } from '../../base/api-error.ts'
import type { Context, TriggerRecord, TriggerTime } from '../../context.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { RecordsRefused, throwRefusals } from '../prepare/planned-record.ts'
import { writeSql } from './write.sql.ts'

/** Maximum number of records in one trigger call. (docs/reference/api/composite.md#trees) */
const MAX_BATCH_SIZE = 200

/** A record being written, with the form in which triggers see it. */
interface Fired extends Pick<TriggerRecord, 'record' | 'old'> {
  /** The key under which a refusal is reported. */
  readonly item: object
}

export const hasTrigger = ({ triggers }: Context, object: ObjectType, time: TriggerTime) =>
  triggers.listens(object.name, time)

const TIMES = {
  insert: ['beforeInsert', 'afterInsert'],
  update: ['beforeUpdate', 'afterUpdate'],
  delete: ['beforeDelete', 'afterDelete'],
  undelete: ['afterUndelete'],
} as const

/** True if triggers see the records before or after a write of this kind. */
export const hasTriggers = (ctx: Context, object: ObjectType, kind: keyof typeof TIMES) =>
  TIMES[kind].some((time) => hasTrigger(ctx, object, time))

/** Combines the errors of one record. (docs/reference/api/records.md#error-format) */
function makeError({ errors }: TriggerRecord): ApiError {
  const found = errors.map(
    ({ message, field }) =>
      new ApiError('FIELD_CUSTOM_VALIDATION_EXCEPTION', message, {
        fields: field === undefined ? [] : [field],
      }),
  )
  return ApiError.all(found)
}

/**
 * Runs the triggers of one event, 200 records at a time. Refuses the records that a trigger adds errors to, or all of
 * them if a trigger fails.
 * @throws RecordsRefused
 */
export async function runTriggers(
  ctx: Context,
  object: ObjectType,
  time: TriggerTime,
  fired: readonly Fired[],
): Promise<void> {
  // Its locks may be out of order from here on. (docs/adr/0035-locks-of-retries.md)
  if (ctx.triggerDepth === 0 && ctx.locked !== undefined) await ctx.db.query(writeSql.waitBriefly)
  const refusals = new Map<object, ApiError>()
  for (let start = 0; start < fired.length; start += MAX_BATCH_SIZE) {
    const part = fired.slice(start, start + MAX_BATCH_SIZE)
    const records = part.map(({ record, old }) => ({ record, old, errors: [] }))
    try {
      await ctx.triggers.run(ctx, object.name, time, records)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      throw new RecordsRefused(new Map(part.map(({ item }) => [item, error])))
    }
    for (const [index, record] of records.entries()) {
      if (record.errors.length > 0) refusals.set(part[index]!.item, makeError(record))
    }
  }
  throwRefusals(refusals)
}
