import { ApiError } from '../../base/api-error.ts'
import type { Context } from '../../context.ts'
import { type ObjectType, unrestricted } from '../../schema/objects/object-type.ts'
import { findForbidden } from '../prepare/find-forbidden.ts'
import { type Outcome, only, writeWithOutcomes } from '../prepare/outcome.ts'
import { planRecord } from '../prepare/planned-record.ts'
import type { RecordInput } from '../prepare/record-input.ts'
import { prepareRecords } from './prepare.ts'
import { sendBytesAhead } from './send-bytes-ahead.ts'
import { writePlanned } from './write-planned.ts'

/** A client's changes of one record. */
interface RecordChange {
  readonly id: string
  readonly input: RecordInput
}

/** Changes the given fields of a record. The record must exist even if no fields are given. */
export async function updateRecord(
  ctx: Context,
  object: ObjectType,
  id: string,
  input: RecordInput,
): Promise<void> {
  only(await updateRecords(ctx, object, [{ id, input }], false))
}

/** Changes records of one object. The ids must be distinct. */
export async function updateRecords(
  ctx: Context,
  object: ObjectType,
  changes: readonly RecordChange[],
  allOrNone: boolean,
): Promise<Outcome[]> {
  const forbidden = findForbidden(object, 'update')
  if (forbidden !== undefined) return changes.map(({ id }) => ({ error: forbidden, id }))
  const target = unrestricted(object)
  const inputs = changes.map(({ input }) => input)
  const prepared = await prepareRecords(ctx, object, inputs, 'update')
  const planned = prepared.map((values, index) =>
    values instanceof ApiError ? values : planRecord(changes[index]!.id, values),
  )
  const outcomes = await sendBytesAhead(ctx, prepared, () =>
    writeWithOutcomes(planned, allOrNone, (records) =>
      writePlanned({ ctx, kind: 'update', object: target, records }, allOrNone),
    ),
  )
  return outcomes.map((outcome, index) => ({ ...outcome, id: changes[index]!.id }))
}
