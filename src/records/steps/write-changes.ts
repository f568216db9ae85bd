import { ApiError } from '../../base/api-error.ts'
import { getOrInsert } from '../../base/get-or-insert.ts'
import type { Sql } from '../../base/sql.ts'
import type { Context } from '../../context.ts'
import type { RecordValues } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { AuditFields } from '../../schema/objects/table.sql.ts'
import { namingLocked } from '../../storage/database/fault-error.ts'
import { insertWithBytes, updateWithBytes } from '../../storage/pass-bytes.ts'
import { planToldWrite } from '../events/tell-by-write.ts'
import { historySql } from '../history/history.sql.ts'
import type { PlannedStates } from '../history/keep-states.ts'
import { missingRecord, type PlannedRecord, type Refusals, throwRefusals } from '../prepare/planned-record.ts'
import type { PlannedWrite } from '../prepare/planned-write.ts'
import { collectFields } from '../prepare/written-rows.sql.ts'
import { groupIntoBatches, isHeavy } from './batches.ts'
import { encryptValues } from './encrypt-values.ts'
import { setBytesApart } from './set-bytes-apart.ts'
import { writeSql } from './write.sql.ts'

/** The fields that a change writes, in one form for all changes to the same ones. */
const listFields = ({ values }: PlannedRecord) =>
  [...values.keys()]
    .map((field) => field.name)
    .sort()
    .join()

/** True if one statement can change all records. */
export function isOneChange(records: readonly PlannedRecord[]): boolean {
  const [first] = records
  const fields = first === undefined ? '' : listFields(first)
  return fields !== '' && !records.some((record) => isHeavy(record) || listFields(record) !== fields)
}

/** The statement that writes new records, with the events that tell of them. */
function makeInsert(
  write: PlannedWrite,
  batch: readonly PlannedRecord[],
  audit: AuditFields,
  other: Sql | undefined,
): Sql {
  const { object } = write
  const { org } = write.ctx
  const fields = collectFields(object, batch)
  const told = planToldWrite(write, fields, audit)
  if (told !== undefined)
    return writeSql.insertAndTell({ org, object, fields, records: batch, audit }, told, other)
  return writeSql.insertBoth(writeSql.insert(org, object, batch, audit), other)
}

/**
 * Writes new records, in one statement unless there are many bytes, with the events that tell of them.
 * @param states records of another object to insert, in the same statement as the last ones
 */
export async function writeNew(
  write: PlannedWrite,
  audit: AuditFields,
  states: PlannedStates | undefined,
): Promise<void> {
  const { ctx, object, records } = write
  const first = states && writeSql.insert(ctx.org, states.object, states.records, audit)
  const batches = groupIntoBatches(await encryptValues(ctx, object, records))
  for (const batch of batches) {
    const other = batch === batches.at(-1) ? first : undefined
    const { rest, row } = setBytesApart(ctx.org, object, batch)
    await insertWithBytes(ctx.db, ctx.org, makeInsert(write, rest, audit, other), row)
  }
}

/** The statement that changes records in the same fields, with the events that tell of them. */
function makeChange(
  write: PlannedWrite,
  batch: readonly PlannedRecord[],
  audit: AuditFields,
  more: Sql | undefined,
): Sql {
  const { org } = write.ctx
  const { object } = write
  const fields = [...batch[0]!.values.keys()]
  const told = planToldWrite(write, fields, audit)
  if (told !== undefined)
    return writeSql.updateAndTell({ org, object, fields, records: batch, audit }, told, more)
  const [{ id, values }] = batch as [PlannedRecord]
  const change =
    batch.length === 1
      ? writeSql.update(org, object, id, clearBooleans(values), audit)
      : writeSql.updateMany(org, object, fields, batch, audit)
  return writeSql.together(change, more)
}

/**
 * Writes records with changes to the same fields in one statement.
 * @param states records of another object to insert, in the same statement where there is only one
 */
export async function writeChanges(
  write: PlannedWrite,
  audit: AuditFields,
  states: PlannedStates | undefined,
): Promise<void> {
  const { ctx, object, records } = write
  const more = states && historySql.states(ctx.org, states.object, states.records, audit)
  if (records.length === 1) {
    const batch = await encryptValues(ctx, object, records)
    if (batch[0]!.values.size === 0) return lockAll(ctx, object, records)
    return changeOrRefuse(write, records, batch, audit, more)
  }
  const groups = new Map<string, PlannedRecord[]>()
  for (const record of records) getOrInsert(groups, listFields(record), () => []).push(record)
  // Sent with the last statement, which there is: a state follows from a change.
  const last = [...groups.values()].at(-1)
  for (const group of groups.values()) {
    if (group[0]!.values.size === 0) continue
    const batches = groupIntoBatches(await encryptValues(ctx, object, group))
    for (const batch of batches) {
      // Encrypted records are copies; a refusal is that of the record itself.
      const ids = new Set(getIds(batch))
      const own = group.filter(({ id }) => ids.has(id))
      const isLast = group === last && batch === batches.at(-1)
      await changeOrRefuse(write, own, batch, audit, isLast ? more : undefined)
    }
  }
}

export const getIds = (records: readonly PlannedRecord[]) => records.map(({ id }) => id)

/** How often a change is tried when a record that was missing is there when it is looked for. */
const MAX_TRIES = 3

/**
 * Sends a statement that changes all records or none, and refuses those that are missing.
 * @param batch the records with the values to write
 */
async function changeOrRefuse(
  write: PlannedWrite,
  records: readonly PlannedRecord[],
  batch: readonly PlannedRecord[],
  audit: AuditFields,
  more: Sql | undefined,
): Promise<void> {
  const { ctx, object } = write
  const { rest, row } = setBytesApart(ctx.org, object, batch)
  const statement = makeChange(write, rest, audit, more)
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const send = () => updateWithBytes(ctx.db, ctx.org, statement, row)
    const rows = await namingLocked(ctx, getIds(records), send)
    if (rows.length === records.length) return
    await refuseMissing(ctx, object, records)
    // Somebody has restored it meanwhile.
  }
  throw new ApiError('UNABLE_TO_LOCK_ROW', 'unable to obtain exclusive access to this record')
}

/** Locks the records until the transaction ends, and refuses those that do not exist. */
export async function lockAll(
  ctx: Context,
  object: ObjectType,
  records: readonly PlannedRecord[],
): Promise<void> {
  throwRefusals(await namingLocked(ctx, getIds(records), () => explainMissing(ctx, object, records, true)))
}

/** Refuses the records that do not exist. */
export async function refuseMissing(
  ctx: Context,
  object: ObjectType,
  records: readonly PlannedRecord[],
): Promise<void> {
  throwRefusals(await explainMissing(ctx, object, records))
}

/** Errors of the records that are in the recycle bin or do not exist. (docs/reference/api/records.md#delete) */
export async function explainMissing<Item extends { readonly id: string }>(
  ctx: Context,
  object: ObjectType,
  records: readonly Item[],
  lock = false,
): Promise<Refusals<Item>> {
  const ids = records.map(({ id }) => id)
  type State = { id: string; isDeleted: boolean }
  const rows = await ctx.db.query<State>(writeSql.states(ctx.org, object, ids, lock))
  const states = new Map(rows.map(({ id, isDeleted }) => [id, isDeleted]))
  const refusals: Refusals<Item> = new Map()
  for (const record of records) {
    const isDeleted = states.get(record.id)
    if (isDeleted === false) continue
    const error =
      isDeleted === undefined ? missingRecord() : new ApiError('ENTITY_IS_DELETED', 'entity is deleted')
    refusals.set(record, error)
  }
  return refusals
}

/** Replaces null where the type has no null: booleans become false. (docs/reference/api/records.md#field-values) */
export function clearBooleans(values: RecordValues): RecordValues {
  const complete = new Map(values)
  for (const [field, value] of values) {
    const { emptyValue } = field.type
    if (value === null && emptyValue !== undefined) complete.set(field, emptyValue)
  }
  return complete
}
