import { ApiError } from '../../base/api-error.ts'
import type { Context } from '../../context.ts'
import { type ObjectType, unrestricted } from '../../schema/objects/object-type.ts'
import type { RecordBody } from '../../schema/snapshot/record-format.sql.ts'
import { namingLocked } from '../../storage/database/fault-error.ts'
import { checkValidations } from '../formulas/check-validations.ts'
import { keepChanges } from '../history/keep-history.ts'
import { planNextStates } from '../history/keep-states.ts'
import { checkAllowed } from '../prepare/allowed.ts'
import { checkAllowedValues } from '../prepare/allowed-values.ts'
import { type Outcome, only, writeWithOutcomes } from '../prepare/outcome.ts'
import { checkOwners } from '../prepare/owner.ts'
import { type PlannedRecord, planRecord, type Refusals, throwRefusals } from '../prepare/planned-record.ts'
import type { RecordInput } from '../prepare/record-input.ts'
import { checkRequired } from '../prepare/validate.ts'
import { readRecords } from '../read/read.ts'
import { changeLevel, findUnwritable, mayWriteAll } from '../read/row-access.ts'
import { makeAuditFields } from './audit-fields.ts'
import { isHeavy } from './batches.ts'
import { changeByTriggers } from './change-by-triggers.ts'
import { checkHierarchy } from './check-hierarchy.ts'
import { deriveValues } from './derive-values.ts'
import { findDuplicates } from './duplicate-value.ts'
import { followChanges } from './follow-changes.ts'
import { hasTriggers, isMoreThanWritten } from './follows-from-change.ts'
import { applyEffects, type ChangeParents } from './parent-effects.ts'
import { type PendingEffects, planChangeEffects, withMoved } from './plan-effects.ts'
import { prepareRecords } from './prepare.ts'
import { hasReferences, lockReferences } from './references.ts'
import {
  changesMore,
  completeRecords,
  completesChanges,
  findCalling,
  refuseChanges,
  runAfterChange,
  runBeforeChange,
} from './run-behaviour.ts'
import { sendBytesAhead } from './send-bytes-ahead.ts'
import { hasTrigger, runTriggers } from './triggers.ts'
import { getIds, listFields, lockAll, refuseMissing, writeChanges } from './write-changes.ts'
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
  checkAllowed(object, 'updateable')
  const inputs = changes.map(({ input }) => input)
  const prepared = await prepareRecords(ctx, object, inputs, 'update')
  const planned = prepared.map((values, index) =>
    values instanceof ApiError ? values : planRecord(changes[index]!.id, values),
  )
  const outcomes = await sendBytesAhead(ctx, prepared, () =>
    writeWithOutcomes(planned, allOrNone, (records) =>
      changeRecords(ctx, unrestricted(object), records, allOrNone),
    ),
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
  !changesMore(object, records) &&
  !records.some(({ prepared }) => isMoreThanWritten(object, prepared)) &&
  mayWriteAll(ctx, object, 'edit')

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

/**
 * @param known the platform changes the records because of others, so what the caller may write does not matter: effects whose parents
 *   are locked already
 */
async function changeAll(
  ctx: Context,
  object: ObjectType,
  records: readonly PlannedRecord[],
  known?: PendingEffects,
): Promise<void> {
  // What was derived in a try that was rolled back is not what the caller gives.
  for (const record of records) {
    record.values = record.prepared
    if (known === undefined) record.old = undefined
  }
  if (known === undefined) throwRefusals(await findUnwritable(ctx, object, records, changeLevel(object)))
  const old = hasTriggers(ctx, object) ? await lockOld(ctx, object, records) : undefined
  await changeByTriggers(
    ctx,
    object,
    'beforeUpdate',
    records.map((item) => ({ item, old: old?.get(item.id) })),
    (values) => checkRequired(object, values, 'update'),
  )
  throwRefusals(completeRecords(ctx, object, records, 'update'))
  const effects = await planChangeEffects(ctx, object, records, known)
  throwRefusals(await deriveValues(ctx, object, records, 'update'))
  throwRefusals(await refuseChanges(ctx, object, records, changeParents))
  throwRefusals(await checkAllowedValues(ctx, object, records, 'update'))
  throwRefusals(await checkValidations(ctx, object, records, 'update'))
  throwRefusals(await lockReferences(ctx, object, records))
  throwRefusals(await checkOwners(ctx, object, records))
  // Lock several records in one order, so that two calls cannot deadlock. A single statement does that by itself.
  if (old === undefined && records.length > 1 && !isOneChange(records)) await lockAll(ctx, object, records)
  await runBeforeChange(ctx, object, records, changeParents)
  const moved = await withMoved(ctx, object, effects, records, known)
  const audit = await keepChanges(ctx, object, records, makeAuditFields(ctx))
  await writeChanges(ctx, object, records, audit, planNextStates(ctx, object, records))
  throwRefusals(await checkHierarchy(ctx, object, records))
  await followChanges(ctx, object, records)
  await runAfterChange(ctx, object, findCalling(object, records, 'update'), changeParents)
  await applyEffects(ctx, object, moved, records, changeParents, 'before triggers')
  if (hasTrigger(ctx, object, 'afterUpdate')) {
    const written = await readRecords(ctx, object, records)
    const fired = records.map((item) => ({ item, record: written.get(item.id), old: old!.get(item.id) }))
    await runTriggers(ctx, object, 'afterUpdate', fired)
  }
  await applyEffects(ctx, object, moved, records, changeParents, 'after triggers')
}

/** Changes the parents of records that were written, in their transaction. */
export const changeParents: ChangeParents = changeAll

/** Reads the records and locks them until the transaction ends. */
async function lockOld(
  ctx: Context,
  object: ObjectType,
  records: readonly PlannedRecord[],
): Promise<ReadonlyMap<string, RecordBody>> {
  const old = await namingLocked(ctx, getIds(records), () =>
    readRecords(ctx, object, records, 'living, locked'),
  )
  if (records.some(({ id }) => !old.has(id))) await refuseMissing(ctx, object, records)
  return old
}
