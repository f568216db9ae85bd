import { ApiError } from '../../base/api-error.ts'
import { makePauses } from '../../base/make-pauses.ts'
import type { Context } from '../../context.ts'
import type { Field, RecordValues } from '../../schema/fields/field.ts'
import { type ObjectType, unrestricted } from '../../schema/objects/object-type.ts'
import type { ColumnValue } from '../../storage/database/db.ts'
import { findForbidden } from '../prepare/find-forbidden.ts'
import { type Outcome, rolledBack, unfinished } from '../prepare/outcome.ts'
import { type PlannedRecord, planRecord, RecordsRefused, type Refusals } from '../prepare/planned-record.ts'
import type { RecordInput } from '../prepare/record-input.ts'
import { checkRequired, checkWritable } from '../prepare/validate.ts'
import { hasTriggers } from '../steps/triggers.ts'
import { findByKeys, toComparable } from './find-by-key.ts'
import { planInsert } from './insert.ts'
import { prepareRecords, without } from './prepare.ts'
import { sendBytesAhead } from './send-bytes-ahead.ts'
import { writePlanned } from './write-planned.ts'

/** How often a record is looked up again after a concurrent create or delete. */
const MAX_TRIES = 3

/** The state of one record of the list. */
interface Upsert {
  /** Undefined if it is refused; its key is then what the client sent. */
  readonly values: RecordValues | undefined
  readonly key: unknown
  plan?: PlannedRecord
  created: boolean
  error?: ApiError
}

export const repeatedKey = (key: Field, value: unknown) =>
  new ApiError('DUPLICATE_VALUE', `Duplicate external id specified: ${value}`, { fields: [key.name] })

const missingKey = (key: Field) =>
  new ApiError('MISSING_ARGUMENT', `${key.name} not specified`, { fields: [key.name] })

/** Returns the key of a record as the client sent it. */
function getSentKey(object: ObjectType, key: Field, { members }: RecordInput): unknown {
  const member = Object.keys(members).find((name) => object.field(name) === key)
  return member === undefined ? null : members[member]
}

/** The key as the caller sees it, and as it is. */
interface Keys {
  readonly named: Field
  readonly key: Field
}

async function prepare(
  ctx: Context,
  object: ObjectType,
  { named, key }: Keys,
  inputs: readonly RecordInput[],
): Promise<Upsert[]> {
  const { lenient } = ctx.settings
  const seen = new Map<ColumnValue, Upsert>()
  const prepared = await prepareRecords(ctx, object, inputs, 'upsert', undefined, named)
  return prepared.map((values, index): Upsert => {
    if (values instanceof ApiError) {
      const sent = getSentKey(object, key, inputs[index]!)
      return { values: undefined, key: sent, created: false, error: values }
    }
    const value = values.get(key) ?? null
    const upsert: Upsert = { values, key: value, created: false }
    if (value === null) return { ...upsert, error: missingKey(key) }
    const known = toComparable(key, value)
    const first = seen.get(known)
    if (first === undefined) {
      seen.set(known, upsert)
      return upsert
    }
    if (!lenient) first.error = repeatedKey(key, first.key)
    return { ...upsert, error: repeatedKey(key, value) }
  })
}

/** True if records that are refused for their values would have been created: their results say so, too. */
async function findOutRefused(
  ctx: Context,
  object: ObjectType,
  key: Field,
  upserts: readonly Upsert[],
): Promise<void> {
  const refused = upserts.filter((upsert) => upsert.values === undefined && (upsert.key ?? null) !== null)
  if (refused.length === 0) return
  const keys = refused.map((upsert) => upsert.key)
  const found = await findByKeys(ctx, object, key, keys)
  for (const upsert of refused) upsert.created = (found.get(upsert.key) ?? []).length === 0
}

/** Decides whether each record is created or updated. */
async function plan(
  ctx: Context,
  object: ObjectType,
  { named, key }: Keys,
  upserts: readonly Upsert[],
): Promise<void> {
  const found = await findByKeys(
    ctx,
    object,
    key,
    upserts.map((upsert) => upsert.key),
  )
  const budget = ctx.formulaBudget()
  const pauseIfDue = makePauses()
  for (const upsert of upserts) {
    const pause = pauseIfDue()
    if (pause !== undefined) await pause
    const ids = found.get(upsert.key) ?? []
    upsert.created = ids.length === 0
    try {
      if (ids.length > 1) {
        throw new ApiError(
          'DUPLICATE_EXTERNAL_ID',
          `More than one record found for external id field: [${ids.join(', ')}]`,
          { fields: [key.name] },
        )
      }
      const purpose = upsert.created ? 'create' : 'update'
      // As at the address of the key: a record that has it keeps it.
      if (upsert.created) checkWritable(new Map([[named, upsert.key as ColumnValue]]), 'create')
      const given = upsert.values!
      const values = upsert.created || named.updateable ? given : without(given, key)
      checkWritable(values, purpose)
      if (upsert.created || !hasTriggers(ctx, object, 'update')) checkRequired(object, values, purpose)
      upsert.plan = upsert.created
        ? await planInsert(ctx, object, values, budget)
        : planRecord(ids[0]!, values)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      upsert.error = error
    }
  }
}

/** Writes the planned records, and sets the error of each refused one. */
async function write(
  ctx: Context,
  object: ObjectType,
  upserts: readonly Upsert[],
  allOrNone: boolean,
): Promise<void> {
  for (const created of [true, false]) {
    const byPlan = new Map(
      upserts
        .filter((upsert) => upsert.created === created && upsert.error === undefined)
        .map((upsert) => [upsert.plan!, upsert] as const),
    )
    const records = [...byPlan.keys()]
    const hasWritten = !allOrNone && upserts.some((upsert) => upsert.created && upsert.error === undefined)
    const refusals: Refusals<PlannedRecord> = created
      ? await writePlanned({ ctx, kind: 'insert', object, records }, allOrNone)
      : await writePlanned({ ctx, kind: 'update', object, records }, allOrNone).catch((thrown) => {
          const error = hasWritten ? unfinished(thrown) : undefined
          if (error === undefined) throw thrown
          return new Map(records.map((record) => [record, error]))
        })
    for (const [record, error] of refusals) byPlan.get(record)!.error = error
    if (allOrNone && refusals.size > 0) throw new RecordsRefused(refusals)
  }
}

/** Another transaction created or deleted the record after the lookup. */
const wasRaced = ({ error, created, plan: planned }: Upsert) =>
  planned !== undefined && (created ? error?.code === 'DUPLICATE_VALUE' : error?.status === 404)

/** Without all-or-none: looks up the records that lost a race again. */
async function writeEach(
  ctx: Context,
  object: ObjectType,
  keys: Keys,
  upserts: readonly Upsert[],
): Promise<void> {
  let open = upserts.filter(({ error }) => error === undefined)
  for (let tries = 0; open.length > 0 && tries < MAX_TRIES; tries++) {
    for (const upsert of open) delete upsert.error
    await plan(ctx, object, keys, open)
    await write(ctx, object, open, false)
    open = open.filter(wasRaced)
  }
}

async function writeAll(
  ctx: Context,
  object: ObjectType,
  keys: Keys,
  upserts: readonly Upsert[],
): Promise<void> {
  const isRefused = ({ error }: Upsert) => error !== undefined
  for (let tries = 1; ; tries++) {
    try {
      await ctx.db.transaction(async (db) => {
        const inside = { ...ctx, db }
        // Planned even if nothing will be written: the results contain the ids of existing records.
        await plan(
          inside,
          object,
          keys,
          upserts.filter((upsert) => !isRefused(upsert)),
        )
        if (!upserts.some(isRefused)) await write(inside, object, upserts, true)
      })
    } catch (failure) {
      if (!(failure instanceof RecordsRefused)) throw failure
    }
    const refused = upserts.filter(isRefused)
    if (refused.length === 0) return
    if (tries === MAX_TRIES || !refused.every(wasRaced)) break
    // A record that lost the race for a new key updates the winner's record.
    for (const upsert of refused) delete upsert.error
  }
  for (const upsert of upserts) upsert.error ??= rolledBack()
}

/**
 * Updates the records whose keys exist and creates the others. Each record contains the key's value.
 * (docs/reference/api/composite.md#collections)
 */
export async function upsertRecords(
  ctx: Context,
  named: ObjectType,
  namedKey: Field,
  inputs: readonly RecordInput[],
  allOrNone: boolean,
): Promise<Outcome[]> {
  const forbidden = findForbidden(named, 'insert', 'update')
  if (forbidden !== undefined) throw forbidden
  const object = unrestricted(named)
  const keys = { named: namedKey, key: object.field(namedKey.name)! }
  const upserts = await prepare(ctx, named, keys, inputs)
  await findOutRefused(ctx, object, keys.key, upserts)
  await sendBytesAhead(
    ctx,
    upserts.map(({ values }) => values),
    () => (allOrNone ? writeAll : writeEach)(ctx, object, keys, upserts),
  )
  return upserts.map(({ plan: planned, created, error }) => {
    if (error !== undefined) return { error, created, id: created ? undefined : planned?.id }
    return { id: planned!.id, created }
  })
}
