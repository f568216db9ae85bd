import { ApiError } from '../../base/api-error.ts'
import type { Context } from '../../context.ts'
import type { Outcome } from '../../records/prepare/outcome.ts'
import type { RecordInput } from '../../records/prepare/record-input.ts'
import { createRecords } from '../../records/write/insert.ts'
import { namedId } from '../../records/write/named-object.ts'
import { findRepeated, repeatedId } from '../../records/write/split-runs.ts'
import { updateRecords } from '../../records/write/update.ts'
import { upsertById } from '../../records/write/upsert-by-id.ts'
import { upsertRecords } from '../../records/write/upsert-list.ts'
import { type Field, isKey } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { type Collected, takeId } from '../steps/collected-records.ts'
import { type Entry, writeRuns } from '../steps/write-runs.ts'

/** Runs a check of one record; what is wrong is that record's error. */
function errorIn(check: () => void): ApiError | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

interface Saved extends Entry {
  readonly input: RecordInput
}

const inputsOf = (run: readonly Saved[]) => run.map(({ input }) => input)

function createEntry({ object, input }: Collected): Saved {
  return { object, input }
}

function updateEntry({ object, input }: Collected): Saved {
  const taken = takeId(input)
  let id: string | undefined
  const error = errorIn(() => {
    if (taken.id === undefined) {
      throw new ApiError('MISSING_ARGUMENT', 'Id not specified in an update call', { fields: ['Id'] })
    }
    id = namedId(object, taken.id)
  })
  return { object, input: taken.input, id, error }
}

/** Neither of two changes of one record is made. */
function refuseRepeated({ settings }: Context, entries: readonly Saved[]): readonly Saved[] {
  const repeated = findRepeated(settings.lenient ? [] : entries)
  return entries.map((entry) => (repeated.has(entry) ? { ...entry, error: repeatedId(entry.id!) } : entry))
}

const writeCreates = (ctx: Context, object: ObjectType, run: readonly Saved[], allOrNone: boolean) =>
  createRecords(ctx, object, inputsOf(run), allOrNone)

function writeUpdates(ctx: Context, object: ObjectType, run: readonly Saved[], allOrNone: boolean) {
  const changes = run.map(({ id, input }) => ({ id: id!, input }))
  return updateRecords(ctx, object, changes, allOrNone)
}

/** Creates records, each with an outcome of its own. */
export function createCollected(
  ctx: Context,
  records: readonly Collected[],
  allOrNone: boolean,
): Promise<Outcome[]> {
  return writeRuns(ctx, records.map(createEntry), allOrNone, (inside, object, run) =>
    writeCreates(inside, object, run, allOrNone),
  )
}

/** Updates records by the ids among their members. */
export function updateCollected(
  ctx: Context,
  records: readonly Collected[],
  allOrNone: boolean,
): Promise<Outcome[]> {
  return writeRuns(ctx, refuseRepeated(ctx, records.map(updateEntry)), allOrNone, (inside, object, run) =>
    writeUpdates(inside, object, run, allOrNone),
  )
}

/** The key `Id`: records that have one are updated, the others created. (docs/reference/api/composite.md#collections) */
async function upsertCollectedById(
  ctx: Context,
  records: readonly Collected[],
  allOrNone: boolean,
): Promise<Outcome[]> {
  const taken = records.map((record) => {
    const { id, input } = takeId(record.input)
    return id === undefined ? createEntry({ ...record, input }) : updateEntry(record)
  })
  const entries = refuseRepeated(ctx, taken)
  const outcomes = await writeRuns(ctx, entries, allOrNone, (inside, object, run) =>
    upsertById(
      inside,
      object,
      run.map(({ id, input }) => ({ id, input })),
      allOrNone,
    ),
  )
  return outcomes.map((outcome, index) => ({ ...outcome, created: entries[index]!.id === undefined }))
}

/** A field by which records of an object are told apart. */
export function upsertKey({ settings }: Context, object: ObjectType, name: string): Field {
  const key = object.field(name)
  if (key !== undefined && (settings.lenient ? isKey(key) : key.idLookup)) return key
  throw new ApiError(
    'NOT_FOUND',
    `Provided external ID field does not exist or is not accessible: ${name.slice(0, 255)}`,
  )
}

/** Updates the records of one object whose keys are there and creates the others. */
export async function upsertCollected(
  ctx: Context,
  object: ObjectType,
  key: Field,
  records: readonly Collected[],
  allOrNone: boolean,
): Promise<Outcome[]> {
  if (key.name === 'Id') return upsertCollectedById(ctx, records, allOrNone)
  const inputs = records.map(({ input }) => input)
  return upsertRecords(ctx, object, key, inputs, allOrNone)
}
