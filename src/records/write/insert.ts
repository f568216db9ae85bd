import { ApiError } from '../../base/api-error.ts'
import { makePauses } from '../../base/make-pauses.ts'
import type { Context } from '../../context.ts'
import type { Budget } from '../../formulas/language/budget.ts'
import type { RecordValues } from '../../schema/fields/field.ts'
import { type ObjectType, unrestricted } from '../../schema/objects/object-type.ts'
import { queryWithBytes } from '../../storage/pass-bytes.ts'
import { checkValidations, hasValidations } from '../formulas/check-validations.ts'
import { evaluateDefaults } from '../formulas/evaluate-defaults.ts'
import { keepCreations, keepsCreations } from '../history/keep-history.ts'
import { keepsStates, planFirstStates } from '../history/keep-states.ts'
import { checkAllowed } from '../prepare/allowed.ts'
import { checkAllowedValues } from '../prepare/allowed-values.ts'
import { applyDefaults } from '../prepare/defaults.ts'
import { isRefused, type Outcome, only, writeWithOutcomes } from '../prepare/outcome.ts'
import { checkOwners } from '../prepare/owner.ts'
import { type PlannedRecord, planRecord, type Refusals, throwRefusals } from '../prepare/planned-record.ts'
import type { RecordInput } from '../prepare/record-input.ts'
import { checkRequired } from '../prepare/validate.ts'
import { readRecords } from '../read/read.ts'
import { makeAuditFields } from './audit-fields.ts'
import { groupIntoBatches, isHeavy } from './batches.ts'
import { changeByTriggers } from './change-by-triggers.ts'
import { checkHierarchy } from './check-hierarchy.ts'
import { deriveValues } from './derive-values.ts'
import { findDuplicates } from './duplicate-value.ts'
import { encryptValues } from './encrypt-values.ts'
import { applyEffects, raiseLatest } from './parent-effects.ts'
import { planInsertEffects } from './plan-effects.ts'
import { prepareRecords } from './prepare.ts'
import { hasReferences, lockReferences } from './references.ts'
import {
  completeRecords,
  findReferences,
  insertsMore,
  runAfterInsert,
  runBeforeInsert,
} from './run-behaviour.ts'
import { sendBytesAhead } from './send-bytes-ahead.ts'
import { hasTrigger, runTriggers } from './triggers.ts'
import { changeParents } from './update.ts'
import { writeSql } from './write.sql.ts'
import { writeList } from './write-list.ts'
import { makeWriteTogether } from './write-together.ts'

/** Creates a record from a client's input and returns its id. (docs/reference/api/records.md#records) */
export async function createRecord(ctx: Context, object: ObjectType, input: RecordInput): Promise<string> {
  return only(await createRecords(ctx, object, [input], false)).id
}

/** Creates records of one object. The outcome of a refused record has no id. */
export async function createRecords(
  ctx: Context,
  object: ObjectType,
  inputs: readonly RecordInput[],
  allOrNone: boolean,
): Promise<Outcome[]> {
  checkAllowed(object, 'createable')
  const prepared = await prepareRecords(ctx, object, inputs, 'create')
  const target = unrestricted(object)
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
    () => writeWithOutcomes(planned, allOrNone, (records) => insertRecords(ctx, target, records, allOrNone)),
  )
  return outcomes.map((outcome) => (isRefused(outcome) ? { error: outcome.error } : outcome))
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
  applyDefaults(object, complete)
  const owner = object.field('OwnerId')
  if (owner !== undefined && (complete.get(owner) ?? null) === null) complete.set(owner, ctx.principal.userId)
  return planRecord(id, complete)
}

/** Writes new records in one statement. */
export function insertRecords(
  ctx: Context,
  object: ObjectType,
  records: readonly PlannedRecord[],
  allOrNone: boolean,
): Promise<Refusals<PlannedRecord>> {
  const transaction = !isOneInsert(ctx, object, records)
  if (records.length === 1 && !transaction && !isHeavy(records[0]!)) {
    return insertTogether(ctx, object, records[0]!)
  }
  return writeList(ctx, records, { ...listInsert(ctx, object), allOrNone, transaction })
}

const listInsert = (ctx: Context, object: ObjectType) => ({
  write: (inside: Context, left: readonly PlannedRecord[]) => insertAll(inside, object, left),
  explain: (failure: unknown, left: readonly PlannedRecord[]) => findDuplicates(ctx, object, failure, left),
})

/** Whether the records are written by a single statement, which is atomic without a transaction. */
const isOneInsert = (ctx: Context, object: ObjectType, records: readonly PlannedRecord[]): boolean =>
  groupIntoBatches(records).length === 1 &&
  !hasTrigger(ctx, object, 'beforeInsert') &&
  !hasTrigger(ctx, object, 'afterInsert') &&
  !insertsMore(object, records) &&
  !hasValidations(object) &&
  !keepsCreations(object) &&
  !keepsStates(object) &&
  !hasReferences(ctx, records)

const insertTogether = makeWriteTogether((ctx, object, records) =>
  writeList(ctx, records, { ...listInsert(ctx, object), allOrNone: false, transaction: false }),
)

async function insertAll(ctx: Context, object: ObjectType, records: readonly PlannedRecord[]): Promise<void> {
  // A try that was rolled back may have set ids of records that do not exist any more, and derived other values.
  for (const record of records) record.values = record.prepared
  if (insertsMore(object, records)) for (const record of records) record.values = new Map(record.prepared)
  await changeByTriggers(
    ctx,
    object,
    'beforeInsert',
    records.map((item) => ({ item, old: undefined })),
    (values) => checkRequired(object, values, 'create'),
  )
  throwRefusals(completeRecords(ctx, object, records, 'create'))
  await findReferences(ctx, object, records, changeParents)
  const effects = await planInsertEffects(ctx, object, records)
  throwRefusals(await deriveValues(ctx, object, records, 'create'))
  for (const { id, values } of records) nameById(object, values, id)
  throwRefusals(await checkAllowedValues(ctx, object, records, 'create'))
  throwRefusals(await checkValidations(ctx, object, records, 'create'))
  await runBeforeInsert(ctx, object, records, changeParents)
  throwRefusals(await lockReferences(ctx, object, records))
  throwRefusals(await checkOwners(ctx, object, records))
  const audit = makeAuditFields(ctx)
  const states = await planFirstStates(ctx, object, records)
  const first = states && writeSql.insert(ctx.org, states.object, states.records, audit)
  const batches = groupIntoBatches(await encryptValues(ctx, object, records))
  for (const batch of batches) {
    const insert = writeSql.insert(ctx.org, object, batch, audit)
    const both = writeSql.insertBoth(insert, batch === batches.at(-1) ? first : undefined)
    await queryWithBytes(ctx.db, ctx.org, both)
  }
  throwRefusals(await checkHierarchy(ctx, object, records, true))
  await keepCreations(ctx, object, records, audit)
  await runAfterInsert(ctx, object, records, changeParents)
  await applyEffects(ctx, object, effects, records, changeParents, 'before triggers')
  await raiseLatest(ctx, object, records)
  if (hasTrigger(ctx, object, 'afterInsert')) {
    const written = await readRecords(ctx, object, records)
    const fired = records.map((item) => ({ item, record: written.get(item.id), old: undefined }))
    await runTriggers(ctx, object, 'afterInsert', fired)
  }
  await applyEffects(ctx, object, effects, records, changeParents, 'after triggers')
}

/** A custom record without a name is named by its id. */
function nameById(object: ObjectType, values: RecordValues, id: string): void {
  const name = object.nameField
  if (name?.createable && name.defaultedOnCreate && (values.get(name) ?? null) === null) values.set(name, id)
}
