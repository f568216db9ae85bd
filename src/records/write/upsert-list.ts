import { ApiError } from '../../base/api-error.ts'
import type { Context } from '../../context.ts'
import type { Field } from '../../schema/fields/field.ts'
import { type ObjectType, unrestricted } from '../../schema/objects/object-type.ts'
import type { ColumnValue } from '../../storage/database/db.ts'
import { type Outcome, rolledBack, unfinished } from '../prepare/outcome.ts'
import { type PlannedRecord, planRecord, RecordsRefused, type Refusals } from '../prepare/planned-record.ts'
import type { RecordInput, RecordValues } from '../prepare/record-input.ts'
import { checkRequired, checkWritable } from '../prepare/validate.ts'
import { findByKeys } from './find-by-key.ts'
import { insertRecords, planInsert } from './insert.ts'
import { prepareRecords } from './prepare.ts'
import { changeRecords, hasTriggers } from './update.ts'

/** How often a record that others created or deleted meanwhile is looked up again. */
const MAX_TRIES = 3

/** A record of the list on its way, or why it got no further. */
interface Upsert {
  readonly values: RecordValues | undefined
  readonly key: ColumnValue
  plan?: PlannedRecord
  created: boolean
  error?: ApiError
}

/** Texts are one key whatever their case, where the field compares them so. */
function comparable(key: Field, value: ColumnValue): ColumnValue {
  return typeof value === 'string' && key.definition.caseSensitive !== true ? value.toUpperCase() : value
}

const missingKey = (key: Field) =>
  new ApiError('MISSING_ARGUMENT', `${key.name} not specified`, { fields: [key.name] })

async function prepare(
  ctx: Context,
  object: ObjectType,
  key: Field,
  inputs: readonly RecordInput[],
): Promise<Upsert[]> {
  const seen = new Set<ColumnValue>()
  const prepared = await prepareRecords(ctx, object, inputs, 'upsert')
  return prepared.map((values) => {
    if (values instanceof ApiError) return { values: undefined, key: null, created: false, error: values }
    const value = values.get(key) ?? null
    const upsert = { values, key: value, created: false }
    if (value === null) return { ...upsert, error: missingKey(key) }
    const known = comparable(key, value)
    if (seen.has(known)) {
      const error = new ApiError('DUPLICATE_VALUE', `Duplicate external id specified: ${value}`, {
        fields: [key.name],
      })
      return { ...upsert, error }
    }
    seen.add(known)
    return upsert
  })
}

/** Decides for each record whether it is created or updated. */
async function plan(ctx: Context, object: ObjectType, key: Field, upserts: readonly Upsert[]): Promise<void> {
  const found = await findByKeys(
    ctx,
    object,
    key,
    upserts.map((upsert) => upsert.key),
  )
  for (const upsert of upserts) {
    const { values } = upsert as { values: RecordValues }
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
      checkWritable(values, purpose)
      if (upsert.created || !hasTriggers(ctx, object)) checkRequired(object, values, purpose)
      upsert.plan = upsert.created ? await planInsert(ctx, object, values) : planRecord(ids[0]!, values)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      upsert.error = error
    }
  }
}

/** Writes what is planned; what is refused gets its error. */
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
      ? await insertRecords(ctx, object, records, allOrNone)
      : await changeRecords(ctx, object, records, allOrNone).catch((thrown) => {
          const error = hasWritten ? unfinished(thrown) : undefined
          if (error === undefined) throw thrown
          return new Map(records.map((record) => [record, error]))
        })
    for (const [record, error] of refusals) byPlan.get(record)!.error = error
    if (allOrNone && refusals.size > 0) throw new RecordsRefused(refusals)
  }
}

/** Somebody else created or deleted the record after we looked. */
const wasRaced = ({ error, created, plan: planned }: Upsert) =>
  planned !== undefined && (created ? error?.code === 'DUPLICATE_VALUE' : error?.status === 404)

/** Each on its own: who lost a race is looked up once more. */
async function writeEach(
  ctx: Context,
  object: ObjectType,
  key: Field,
  upserts: readonly Upsert[],
): Promise<void> {
  let open = upserts.filter(({ error }) => error === undefined)
  for (let tries = 0; open.length > 0 && tries < MAX_TRIES; tries++) {
    for (const upsert of open) delete upsert.error
    await plan(ctx, object, key, open)
    await write(ctx, object, open, false)
    open = open.filter(wasRaced)
  }
}

async function writeAll(
  ctx: Context,
  object: ObjectType,
  key: Field,
  upserts: readonly Upsert[],
): Promise<void> {
  const isRefused = ({ error }: Upsert) => error !== undefined
  for (let tries = 1; ; tries++) {
    try {
      await ctx.db.transaction(async (db) => {
        const inside = { ...ctx, db }
        // Even where nothing will be written the results tell which records there are.
        await plan(
          inside,
          object,
          key,
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
    // Who lost the race for a new key updates what the winner created.
    for (const upsert of refused) delete upsert.error
  }
  for (const upsert of upserts) upsert.error ??= rolledBack()
}

/**
 * Updates the records whose keys are there and creates the others. The key's value stands in each record.
 * (docs/reference/api/composite.md#collections)
 */
export async function upsertRecords(
  ctx: Context,
  named: ObjectType,
  namedKey: Field,
  inputs: readonly RecordInput[],
  allOrNone: boolean,
): Promise<Outcome[]> {
  const object = unrestricted(named)
  const key = object.field(namedKey.name)!
  const upserts = await prepare(ctx, named, key, inputs)
  await (allOrNone ? writeAll : writeEach)(ctx, object, key, upserts)
  return upserts.map(({ plan: planned, created, error }) => {
    if (error !== undefined) return { error, created, id: created ? undefined : planned?.id }
    return { id: planned!.id, created }
  })
}
