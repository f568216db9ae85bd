import { ApiError } from '../../base/api-error.ts'
import { getOrInsert } from '../../base/get-or-insert.ts'
import type { Sql } from '../../base/sql.ts'
import type { Context } from '../../context.ts'
import type { RecordValues } from '../../schema/fields/field.ts'
import { type ObjectType, unrestricted } from '../../schema/objects/object-type.ts'
import type { RecordBody } from '../../schema/snapshot/record-format.sql.ts'
import { namingLocked } from '../../storage/database/fault-error.ts'
import { queryWithBytes } from '../../storage/pass-bytes.ts'
import { keepChanges, keepsChanges } from '../history/keep-history.ts'
import { changesState, keepStates } from '../history/keep-states.ts'
import { checkAllowedValues } from '../prepare/allowed-values.ts'
import { type Outcome, only, writeWithOutcomes } from '../prepare/outcome.ts'
import { checkOwners } from '../prepare/owner.ts'
import {
  missingRecord,
  type PlannedRecord,
  planRecord,
  type Refusals,
  throwRefusals,
} from '../prepare/planned-record.ts'
import type { RecordInput } from '../prepare/record-input.ts'
import { checkRequired } from '../prepare/validate.ts'
import { readRecords } from '../read/read.ts'
import { changeLevel, findUnwritable, mayWriteAll } from '../read/row-access.ts'
import { makeAuditFields } from './audit-fields.ts'
import { groupIntoBatches, isHeavy } from './batches.ts'
import { changeByTriggers } from './change-by-triggers.ts'
import { checkHierarchy } from './check-hierarchy.ts'
import { derivesFrom, deriveValues } from './derive-values.ts'
import { findDuplicates } from './duplicate-value.ts'
import { encryptValues } from './encrypt-values.ts'
import {
  applyEffects,
  type ChangeParents,
  mayAffectParents,
  planChangeEffects,
  withMoved,
} from './parent-effects.ts'
import { prepareRecords } from './prepare.ts'
import { hasReferences, lockReferences } from './references.ts'
import {
  changesMore,
  completeRecords,
  completesChanges,
  refuseChanges,
  runAfterChange,
  runBeforeChange,
} from './run-behaviour.ts'
import { hasTrigger, runTriggers } from './triggers.ts'
import { writeSql } from './write.sql.ts'
import { writeList } from './write-list.ts'
import { makeWriteTogether } from './write-together.ts'

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
  const inputs = changes.map(({ input }) => input)
  const prepared = await prepareRecords(ctx, object, inputs, 'update')
  const planned = prepared.map((values, index) =>
    values instanceof ApiError ? values : planRecord(changes[index]!.id, values),
  )
  const outcomes = await writeWithOutcomes(planned, allOrNone, (records) =>
    changeRecords(ctx, unrestricted(object), records, allOrNone),
  )
  return outcomes.map((outcome, index) => ({ ...outcome, id: changes[index]!.id }))
}

/** Writes prepared changes. */
export function changeRecords(
  ctx: Context,
  object: ObjectType,
  records: readonly PlannedRecord[],
  allOrNone: boolean,
): Promise<Refusals<PlannedRecord>> {
  if (records.length === 1 && isOneUpdate(ctx, object, records) && !isHeavy(records[0]!)) {
    return changeTogether(ctx, object, records[0]!)
  }
  const transaction = !isOneUpdate(ctx, object, records)
  return writeList(ctx, records, { ...listChange(ctx, object), allOrNone, transaction })
}

/** Whether the records are written by a single statement, which is atomic without a transaction. */
const isOneUpdate = (ctx: Context, object: ObjectType, records: readonly PlannedRecord[]): boolean =>
  (records.length === 1 || (isOneChange(records) && !completesChanges(object))) &&
  !hasTriggers(ctx, object) &&
  !hasReferences(ctx, records) &&
  !changesMore(object) &&
  !records.some(({ prepared }) => isMoreThanWritten(object, prepared)) &&
  mayWriteAll(ctx, object, 'edit')

/** Whether something else follows from a write of these fields. */
export const isMoreThanWritten = (object: ObjectType, values: RecordValues): boolean =>
  derivesFrom(object, values) ||
  mayAffectParents(object, values) ||
  keepsChanges(object, values) ||
  changesState(object, values)

const listFields = ({ values }: PlannedRecord) =>
  [...values.keys()]
    .map((field) => field.name)
    .sort()
    .join()

/** Whether one statement can change all records. */
function isOneChange(records: readonly PlannedRecord[]): boolean {
  const [first] = records
  const fields = first === undefined ? '' : listFields(first)
  return fields !== '' && !records.some((record) => isHeavy(record) || listFields(record) !== fields)
}

const listChange = (ctx: Context, object: ObjectType) => ({
  write: (inside: Context, left: readonly PlannedRecord[]) => changeAll(inside, object, left),
  explain: (failure: unknown, left: readonly PlannedRecord[]) => findDuplicates(ctx, object, failure, left),
})

const changeTogether = makeWriteTogether((ctx, object, records) =>
  writeList(ctx, records, {
    ...listChange(ctx, object),
    allOrNone: false,
    transaction: !isOneUpdate(ctx, object, records),
  }),
)

export const hasTriggers = (ctx: Context, object: ObjectType) =>
  hasTrigger(ctx, object, 'beforeUpdate') || hasTrigger(ctx, object, 'afterUpdate')

/**
 * @param isEffect the platform changes the records because of others, so what the caller may write does not matter
 */
async function changeAll(
  ctx: Context,
  object: ObjectType,
  records: readonly PlannedRecord[],
  isEffect = false,
): Promise<void> {
  // What was derived in a try that was rolled back is not what the caller gives.
  for (const record of records) record.values = record.prepared
  if (!isEffect) throwRefusals(await findUnwritable(ctx, object, records, changeLevel(object)))
  const old = hasTriggers(ctx, object) ? await lockOld(ctx, object, records) : undefined
  await changeByTriggers(
    ctx,
    object,
    'beforeUpdate',
    records.map((item) => ({ item, old: old?.get(item.id) })),
    (values) => checkRequired(object, values, 'update'),
  )
  throwRefusals(completeRecords(ctx, object, records, 'update'))
  const effects = await planChangeEffects(ctx, object, records)
  throwRefusals(await deriveValues(ctx, object, records, 'update'))
  throwRefusals(await refuseChanges(ctx, object, records))
  throwRefusals(await checkAllowedValues(ctx, object, records, 'update'))
  throwRefusals(await lockReferences(ctx, object, records))
  throwRefusals(await checkOwners(ctx, object, records))
  // Lock several records in one order, so that two calls cannot deadlock. A single statement does that by itself.
  if (old === undefined && records.length > 1 && !isOneChange(records)) await lockAll(ctx, object, records)
  await runBeforeChange(ctx, object, records)
  const moved = await withMoved(ctx, object, effects, records)
  await keepChanges(ctx, object, records, makeAuditFields(ctx))
  await write(ctx, object, records)
  throwRefusals(await checkHierarchy(ctx, object, records))
  await keepStates(ctx, object, records, makeAuditFields(ctx))
  await runAfterChange(ctx, object, records)
  await applyEffects(ctx, object, moved, records, changeParents)
  if (!hasTrigger(ctx, object, 'afterUpdate')) return
  const written = await readRecords(ctx, object, records)
  const fired = records.map((item) => ({ item, record: written.get(item.id), old: old!.get(item.id) }))
  await runTriggers(ctx, object, 'afterUpdate', fired)
}

/** Changes the parents of records that were written, in their transaction. */
export const changeParents: ChangeParents = (ctx, object, records) => changeAll(ctx, object, records, true)

/** Writes records with changes to the same fields in one statement. */
async function write(ctx: Context, object: ObjectType, records: readonly PlannedRecord[]): Promise<void> {
  const audit = makeAuditFields(ctx)
  if (records.length === 1) {
    const [{ id, values }] = (await encryptValues(ctx, object, records)) as readonly [PlannedRecord]
    if (values.size === 0) return lockAll(ctx, object, records)
    const statement = writeSql.update(ctx.org, object, id, clearBooleans(values), audit)
    return changeOrRefuse(ctx, object, records, statement)
  }
  const groups = new Map<string, PlannedRecord[]>()
  for (const record of records) getOrInsert(groups, listFields(record), () => []).push(record)
  for (const group of groups.values()) {
    const fields = [...group[0]!.values.keys()]
    if (fields.length === 0) continue
    for (const batch of groupIntoBatches(await encryptValues(ctx, object, group))) {
      const [{ id, values }] = batch as [PlannedRecord]
      const statement =
        batch.length === 1
          ? writeSql.update(ctx.org, object, id, clearBooleans(values), audit)
          : writeSql.updateMany(ctx.org, object, fields, batch, audit)
      await changeOrRefuse(ctx, object, batch, statement)
    }
  }
}

const getIds = (records: readonly PlannedRecord[]) => records.map(({ id }) => id)

/** How often a change is tried when a record that was missing is there when it is looked for. */
const MAX_TRIES = 3

/** Sends a statement that changes all records or none, and refuses those that are missing. */
async function changeOrRefuse(
  ctx: Context,
  object: ObjectType,
  records: readonly PlannedRecord[],
  statement: Sql,
): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const rows = await namingLocked(getIds(records), () => queryWithBytes(ctx.db, ctx.org, statement))
    if (rows.length === records.length) return
    await refuseMissing(ctx, object, records)
    // Somebody has restored it meanwhile.
  }
  throw new ApiError('UNABLE_TO_LOCK_ROW', 'unable to obtain exclusive access to this record')
}

/** Reads the records and locks them until the transaction ends. */
async function lockOld(
  ctx: Context,
  object: ObjectType,
  records: readonly PlannedRecord[],
): Promise<ReadonlyMap<string, RecordBody>> {
  const old = await namingLocked(getIds(records), () => readRecords(ctx, object, records, 'living, locked'))
  if (records.some(({ id }) => !old.has(id))) await refuseMissing(ctx, object, records)
  return old
}

async function lockAll(ctx: Context, object: ObjectType, records: readonly PlannedRecord[]): Promise<void> {
  throwRefusals(await namingLocked(getIds(records), () => explainMissing(ctx, object, records, true)))
}

/** Refuses the records that do not exist. */
async function refuseMissing(
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
