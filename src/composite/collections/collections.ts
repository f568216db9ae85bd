import { ApiError } from '../../base/api-error.ts'
import { canonicalRecordId } from '../../base/record-id.ts'
import { retryOnLock } from '../../calls/atomically.ts'
import { readEnvelope } from '../../calls/envelope.ts'
import type { Reply } from '../../calls/reply.ts'
import { type Handler, route } from '../../calls/route.ts'
import type { Context } from '../../context.ts'
import { deleteRecords, undeleteRecords } from '../../records/delete/delete.ts'
import type { Outcome } from '../../records/prepare/outcome.ts'
import { namedObject } from '../../records/write/named-object.ts'
import { checkCount, readCollection } from '../steps/collected-records.ts'
import { outcomeBody } from '../steps/outcome-body.ts'
import { type Entry, writeRuns } from '../steps/write-runs.ts'
import { createCollected, updateCollected, upsertCollected, upsertKey } from './write-collected.ts'

/** The items of a parameter that is a list: `ids=001...,001...`. */
export const idsIn = (text: string | null): string[] =>
  text === null || text === '' ? [] : text.split(',').map((item) => item.trim())

const reply = (outcomes: readonly Outcome[]): Reply => ({ status: 200, body: outcomes.map(outcomeBody) })

/** An all-or-none write is one transaction, which can be retried after lock conflicts. */
const inOne = (ctx: Context, allOrNone: boolean, work: () => Promise<Outcome[]>): Promise<Outcome[]> =>
  allOrNone ? retryOnLock(ctx, work) : work()

const create: Handler<object> = async (ctx, call) => {
  const { records, allOrNone } = readCollection(ctx, call)
  return reply(await inOne(ctx, allOrNone, () => createCollected(ctx, records, allOrNone)))
}

const update: Handler<object> = async (ctx, call) => {
  const { records, allOrNone } = readCollection(ctx, call)
  return reply(await inOne(ctx, allOrNone, () => updateCollected(ctx, records, allOrNone)))
}

const upsert: Handler<{ object: string; key: string }> = async (ctx, call, params) => {
  const object = namedObject(ctx, params.object)
  const { records, allOrNone } = readCollection(ctx, call)
  if (records.some((record) => record.object !== object)) {
    throw new ApiError('INVALID_INPUT', `All records must be of the type in the address: ${object.name}`)
  }
  const key = upsertKey(ctx, object, params.key)
  return reply(await inOne(ctx, allOrNone, () => upsertCollected(ctx, object, key, records, allOrNone)))
}

function deleteEntry(ctx: Context, text: string): Entry {
  const id = canonicalRecordId(text)
  const object = id === undefined ? undefined : ctx.visible.objectOfId(id)
  if (id === undefined || object === undefined) {
    return { object, error: new ApiError('MALFORMED_ID', `malformed id ${text.slice(0, 255)}`) }
  }
  return { object, id }
}

/** Deletes or restores records of one object or several, each with an outcome of its own. */
function writeByIds(
  ctx: Context,
  ids: readonly string[],
  allOrNone: boolean,
  write: typeof deleteRecords,
): Promise<Outcome[]> {
  const entries = ids.map((id) => deleteEntry(ctx, id))
  return inOne(ctx, allOrNone, () =>
    writeRuns(ctx, entries, allOrNone, (inside, object, run) =>
      write(
        inside,
        object,
        run.map(({ id }) => id!),
        allOrNone,
      ),
    ),
  )
}

const remove: Handler<object> = async (ctx, call) => {
  const ids = idsIn(call.query.get('ids'))
  if (ids.length === 0) throw new ApiError('MISSING_ARGUMENT', 'The parameter ids is required')
  checkCount(ids.length)
  const allOrNone = call.query.get('allOrNone')?.toLowerCase() === 'true'
  return reply(await writeByIds(ctx, ids, allOrNone, deleteRecords))
}

/** Restores records from the recycle bin, each with what was deleted with it. (docs/reference/api/records.md#undelete) */
const restore: Handler<object> = async (ctx, call) => {
  const envelope = readEnvelope(call, ['allOrNone', 'ids'])
  const ids = envelope.texts('ids') ?? []
  if (ids.length === 0) throw new ApiError('MISSING_ARGUMENT', 'The body needs a list of ids')
  checkCount(ids.length)
  return reply(await writeByIds(ctx, ids, envelope.flag('allOrNone') ?? false, undeleteRecords))
}

/** Versions that brought them. (docs/reference/api/composite.md#collections) */
export const COLLECTIONS_SINCE = 42
const UPSERT_SINCE = 46

/** Several records in one call, each with its own result. (docs/reference/api/composite.md#collections) */
export const collectionRoutes = [
  route('POST', '/composite/sobjects', 'collection', create, COLLECTIONS_SINCE),
  route('PATCH', '/composite/sobjects', 'collection', update, COLLECTIONS_SINCE),
  route('DELETE', '/composite/sobjects', 'collection', remove, COLLECTIONS_SINCE),
  route('POST', '/undelete', 'collection', restore),
  route('PATCH', '/composite/sobjects/:object/:key', 'collection', upsert, UPSERT_SINCE),
]
