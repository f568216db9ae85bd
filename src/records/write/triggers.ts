import { ApiError } from '../../base/api-error.ts'
import type { Context, TriggerRecord, TriggerTime } from '../../context.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { RecordsRefused, throwRefusals } from '../prepare/planned-record.ts'

/** How many records triggers are handed at once. (docs/reference/api/composite.md#trees) */
const MAX_AT_ONCE = 200

/** A record on its way through the write, with the form in which triggers see it. */
interface Fired extends Pick<TriggerRecord, 'record' | 'old'> {
  /** What a refusal is about. */
  readonly item: object
}

export const listens = ({ triggers }: Context, object: ObjectType, time: TriggerTime) =>
  triggers.listens(object.name, time)

/** Several errors of one record are one answer. (docs/reference/api/records.md#error-format) */
function errorOf({ errors }: TriggerRecord): ApiError {
  const found = errors.map(
    ({ message, field }) =>
      new ApiError('FIELD_CUSTOM_VALIDATION_EXCEPTION', message, {
        fields: field === undefined ? [] : [field],
      }),
  )
  return ApiError.all(found)
}

/**
 * Runs the triggers of one moment, 200 records at a time. Records that they find something wrong with, or all of them
 * when a trigger fails, end the write.
 * @throws RecordsRefused
 */
export async function runTriggers(
  ctx: Context,
  object: ObjectType,
  time: TriggerTime,
  fired: readonly Fired[],
): Promise<void> {
  const refusals = new Map<object, ApiError>()
  for (let start = 0; start < fired.length; start += MAX_AT_ONCE) {
    const part = fired.slice(start, start + MAX_AT_ONCE)
    const records = part.map(({ record, old }) => ({ record, old, errors: [] }))
    try {
      await ctx.triggers.run(ctx, object.name, time, records)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      throw new RecordsRefused(new Map(part.map(({ item }) => [item, error])))
    }
    for (const [index, record] of records.entries()) {
      if (record.errors.length > 0) refusals.set(part[index]!.item, errorOf(record))
    }
  }
  throwRefusals(refusals)
}
