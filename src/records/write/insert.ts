import { ApiError } from '../../base/api-error.ts'
import { makePauses } from '../../base/make-pauses.ts'
import type { Context } from '../../context.ts'
import type { Budget } from '../../formulas/language/budget.ts'
import { isEventObject } from '../../schema/definitions/custom-name.ts'
import type { RecordValues } from '../../schema/fields/field.ts'
import { type ObjectType, unrestricted } from '../../schema/objects/object-type.ts'
import { evaluateDefaults } from '../formulas/evaluate-defaults.ts'
import { applyDefaults } from '../prepare/defaults.ts'
import { findForbidden } from '../prepare/find-forbidden.ts'
import { isRefused, type Outcome, only, writeWithOutcomes } from '../prepare/outcome.ts'
import { type PlannedRecord, planRecord } from '../prepare/planned-record.ts'
import type { RecordInput } from '../prepare/record-input.ts'
import { prepareRecords } from './prepare.ts'
import { publishEvents, uuidOf, withUuid } from './publish-events.ts'
import { sendBytesAhead } from './send-bytes-ahead.ts'
import { writePlanned } from './write-planned.ts'

/** Creates a record from a client's input and returns its id. (docs/reference/api/records.md#records) */
export async function createRecord(ctx: Context, object: ObjectType, input: RecordInput): Promise<string> {
  return only(await createRecords(ctx, object, [input], false)).id
}

/** Creates records of one object, or publishes platform events. The outcome of a refused record has no id. */
export async function createRecords(
  ctx: Context,
  object: ObjectType,
  inputs: readonly RecordInput[],
  allOrNone: boolean,
): Promise<Outcome[]> {
  const forbidden = findForbidden(object, 'insert')
  if (forbidden !== undefined) return inputs.map(() => ({ error: forbidden }))
  const target = unrestricted(object)
  const isEvent = isEventObject(object.name)
  const prepared = await prepareRecords(ctx, object, inputs, 'create')
  const budget = ctx.formulaBudget()
  const pauseIfDue = makePauses()
  const planned: (PlannedRecord | ApiError)[] = []
  for (const values of prepared) {
    const pause = pauseIfDue()
    if (pause !== undefined) await pause
    const record = values instanceof ApiError ? values : planInsert(ctx, target, values, budget)
    planned.push(record instanceof ApiError ? record : await record.catch(onlyApiError))
  }
  const outcomes = await sendBytesAhead(
    ctx,
    planned.map((record) => (record instanceof ApiError ? record : record.values)),
    () =>
      writeWithOutcomes(planned, allOrNone, (records) =>
        isEvent
          ? publishEvents(ctx, target, records, allOrNone)
          : writePlanned({ ctx, kind: 'insert', object: target, records }, allOrNone),
      ),
  )
  return outcomes.map((outcome, index) => {
    if (isRefused(outcome)) return { error: outcome.error }
    return isEvent ? { ...outcome, eventUuid: uuidOf(target, planned[index] as PlannedRecord) } : outcome
  })
}

/** A record that is refused before it is planned does not keep others from being written. */
function onlyApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  throw error
}

/**
 * A new record with an id, default values, and the caller as owner.
 * @param budget for formulas of the records that are written together
 */
export async function planInsert(
  ctx: Context,
  object: ObjectType,
  values: RecordValues,
  budget?: Budget,
): Promise<PlannedRecord> {
  const id = await ctx.ids.make(object.keyPrefix, ctx.db)
  const complete = new Map(values)
  for (const [field, value] of await evaluateDefaults(ctx, object, complete, budget))
    complete.set(field, value)
  applyDefaults(object, complete, ctx.principal.orgDefaults)
  const owner = object.field('OwnerId')
  if (owner !== undefined && (complete.get(owner) ?? null) === null) complete.set(owner, ctx.principal.userId)
  const record = planRecord(id, complete)
  return isEventObject(object.name) ? withUuid(object, record) : record
}
