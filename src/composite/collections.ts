import { ApiError } from '../base/api-error.ts'
import { canonicalRecordId } from '../base/record-id.ts'
import type { Reply } from '../calls/reply.ts'
import { type Handler, route } from '../calls/route.ts'
import type { Context } from '../context.ts'
import { checkAllowed } from '../records/allowed.ts'
import { deleteRecords } from '../records/delete.ts'
import { createRecords } from '../records/insert.ts'
import { namedId, namedObject } from '../records/named-object.ts'
import type { Outcome } from '../records/outcome.ts'
import type { RecordInput } from '../records/record-input.ts'
import { updateRecords } from '../records/update.ts'
import { upsertRecords } from '../records/upsert-list.ts'
import type { ObjectType } from '../schema/object-type.ts'
import { type Collected, checkCount, collectionOf, takeId } from './collected-records.ts'
import { idsIn } from './ids-in.ts'
import { outcomeBody } from './outcome-body.ts'
import { type Entry, writeRuns } from './write-runs.ts'

interface Saved extends Entry {
  readonly input: RecordInput
}

const reply = (outcomes: readonly Outcome[]): Reply => ({ status: 200, body: outcomes.map(outcomeBody) })

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

const inputsOf = (run: readonly Saved[]) => run.map(({ input }) => input)

function createEntry({ object, input }: Collected): Saved {
  return { object, input, error: errorIn(() => checkAllowed(object, 'createable')) }
}

function updateEntry({ object, input }: Collected): Saved {
  const taken = takeId(input)
  let id: string | undefined
  const error = errorIn(() => {
    checkAllowed(object, 'updateable')
    if (taken.id === undefined) {
      throw new ApiError('MISSING_ARGUMENT', 'Id not specified in an update call', { fields: ['Id'] })
    }
    id = namedId(object, taken.id)
  })
  return { object, input: taken.input, id, error }
}

const writeCreates = (ctx: Context, object: ObjectType, run: readonly Saved[], allOrNone: boolean) =>
  createRecords(ctx, object, inputsOf(run), allOrNone)

function writeUpdates(ctx: Context, object: ObjectType, run: readonly Saved[], allOrNone: boolean) {
  const changes = run.map(({ id, input }) => ({ id: id!, input }))
  return updateRecords(ctx, object, changes, allOrNone)
}

const create: Handler<object> = async (ctx, call) => {
  const { records, allOrNone } = collectionOf(ctx, call)
  const entries = records.map(createEntry)
  return reply(
    await writeRuns(ctx, entries, allOrNone, (inside, object, run) =>
      writeCreates(inside, object, run, allOrNone),
    ),
  )
}

const update: Handler<object> = async (ctx, call) => {
  const { records, allOrNone } = collectionOf(ctx, call)
  const entries = records.map(updateEntry)
  return reply(
    await writeRuns(ctx, entries, allOrNone, (inside, object, run) =>
      writeUpdates(inside, object, run, allOrNone),
    ),
  )
}

/** The key `Id`: records that have one are updated, the others created. (contract/records 7.1) */
async function upsertById(
  ctx: Context,
  records: readonly Collected[],
  allOrNone: boolean,
): Promise<Outcome[]> {
  const entries = records.map((record) => {
    const { id, input } = takeId(record.input)
    return id === undefined ? createEntry({ ...record, input }) : updateEntry(record)
  })
  const outcomes = await writeRuns(ctx, entries, allOrNone, async (inside, object, run) => {
    const made = run.filter(({ id }) => id === undefined)
    const changed = run.filter(({ id }) => id !== undefined)
    const [created, updated] = [
      await writeCreates(inside, object, made, allOrNone),
      await writeUpdates(inside, object, changed, allOrNone),
    ]
    const byEntry = new Map([
      ...made.map((entry, index) => [entry, created[index]!] as const),
      ...changed.map((entry, index) => [entry, updated[index]!] as const),
    ])
    return run.map((entry) => byEntry.get(entry)!)
  })
  return outcomes.map((outcome, index) => ({ ...outcome, created: entries[index]!.id === undefined }))
}

const upsert: Handler<{ object: string; key: string }> = async (ctx, call, params) => {
  const object = namedObject(ctx, params.object)
  const { records, allOrNone } = collectionOf(ctx, call)
  if (records.some((record) => record.object !== object)) {
    throw new ApiError('INVALID_INPUT', `All records must be of the type in the address: ${object.name}`)
  }
  const key = object.field(params.key)
  if (key === undefined || !key.idLookup) {
    throw new ApiError(
      'NOT_FOUND',
      `Provided external ID field does not exist or is not accessible: ${params.key.slice(0, 255)}`,
    )
  }
  if (key.name === 'Id') return reply(await upsertById(ctx, records, allOrNone))
  checkAllowed(object, 'createable')
  checkAllowed(object, 'updateable')
  const inputs = records.map(({ input }) => input)
  return reply(await upsertRecords(ctx, object, key, inputs, allOrNone))
}

function deleteEntry(ctx: Context, text: string): Entry {
  const id = canonicalRecordId(text)
  const object = id === undefined ? undefined : ctx.schema.objectOfId(id)
  if (id === undefined || object === undefined) {
    return { object, error: new ApiError('MALFORMED_ID', `malformed id ${text.slice(0, 255)}`) }
  }
  return { object, id, error: errorIn(() => checkAllowed(object, 'deletable')) }
}

const remove: Handler<object> = async (ctx, call) => {
  const ids = idsIn(call.query.get('ids'))
  if (ids.length === 0) throw new ApiError('MISSING_ARGUMENT', 'The parameter ids is required')
  checkCount(ids.length)
  const allOrNone = call.query.get('allOrNone')?.toLowerCase() === 'true'
  const entries = ids.map((id) => deleteEntry(ctx, id))
  const outcomes = await writeRuns(ctx, entries, allOrNone, (inside, object, run) =>
    deleteRecords(
      inside,
      object,
      run.map(({ id }) => id!),
      allOrNone,
    ),
  )
  return reply(outcomes)
}

/** Versions that brought them. (contract/records 7.1) */
export const COLLECTIONS_SINCE = 42
const UPSERT_SINCE = 46

/** Several records in one call, each with its own result. (contract/records 7.1) */
export const collectionRoutes = [
  route('POST', '/composite/sobjects', 'collection', create, COLLECTIONS_SINCE),
  route('PATCH', '/composite/sobjects', 'collection', update, COLLECTIONS_SINCE),
  route('DELETE', '/composite/sobjects', 'collection', remove, COLLECTIONS_SINCE),
  route('PATCH', '/composite/sobjects/:object/:key', 'collection', upsert, UPSERT_SINCE),
]
