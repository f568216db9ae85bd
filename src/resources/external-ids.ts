import { ApiError, notFound } from '../base/api-error.ts'
import { hasChange } from '../base/api-version.ts'
import { makeRecordId } from '../base/record-id.ts'
import type { Call } from '../calls/call.ts'
import { noContent, type Reply } from '../calls/reply.ts'
import { type Handler, route } from '../calls/route.ts'
import type { Context } from '../context.ts'
import { deleteRecord } from '../records/delete/delete.ts'
import { only } from '../records/prepare/outcome.ts'
import { findByKey } from '../records/write/find-by-key.ts'
import { createRecords } from '../records/write/insert.ts'
import { updateRecord } from '../records/write/update.ts'
import { MAX_MATCHES, upsertRecord } from '../records/write/upsert.ts'
import type { Field } from '../schema/fields/field.ts'
import type { ObjectType } from '../schema/objects/object-type.ts'
import { whileUnchanged } from './conditions.ts'
import { findKeyField, findObject, parseId, readRecordInput } from './find-object.ts'
import { noteView } from './recent.ts'
import { createdReply, readReply, recordUrl } from './records.ts'
import { onRelated, recordIdIn } from './related.ts'

/** 300 with the addresses of all records that have the key. (docs/reference/api/records.md#upsert) */
function severalMatches(ctx: Context, object: ObjectType, ids: readonly string[]): Reply {
  return { status: 300, body: ids.map((id) => recordUrl(ctx, object, id)) }
}

/**
 * The key value that a path means. Some clients write a blank as `+`, which a path does not decode: the value as it
 * stands wins, the one with blanks serves when only that exists.
 */
async function keyText(ctx: Context, object: ObjectType, key: Field, text: string): Promise<string> {
  if (!text.includes('+')) return text
  const spaced = text.replaceAll('+', ' ')
  const [literal, blank] = [
    await findByKey(ctx, object, key, text),
    await findByKey(ctx, object, key, spaced),
  ]
  return literal.length === 0 && blank.length > 0 ? spaced : text
}

/** Ids that no record has, for an injected 300 when fewer than two records have the key. */
const makeUnusedIds = ({ keyPrefix }: ObjectType) => [makeRecordId(keyPrefix, 0), makeRecordId(keyPrefix, 1)]

/** The 300 of a key that is to look as if several records had it. */
async function injectedMatches(ctx: Context, object: ObjectType, key: Field, text: string): Promise<Reply> {
  const ids = await findByKey(ctx, object, key, await keyText(ctx, object, key, text), MAX_MATCHES)
  return severalMatches(ctx, object, [...ids, ...makeUnusedIds(object)].slice(0, Math.max(2, ids.length)))
}

/** The one record that has the key, or the reply that says why there is not one. */
async function findOne(ctx: Context, object: ObjectType, key: Field, text: string): Promise<string | Reply> {
  if (key.name === 'Id') return parseId(object, text)
  if (ctx.faults?.isKeyAmbiguous) return injectedMatches(ctx, object, key, text)
  const ids = await findByKey(ctx, object, key, await keyText(ctx, object, key, text), MAX_MATCHES)
  const [id] = ids
  if (id === undefined) throw notFound()
  return ids.length === 1 ? id : severalMatches(ctx, object, ids)
}

interface KeyParams {
  readonly object: string
  readonly key: string
  readonly value: string
}

const read: Handler<KeyParams> = async (ctx, call, params) => {
  const object = findObject(ctx, params.object)
  const id = recordIdIn(object, params.key)
  if (id !== undefined) return onRelated(ctx, call, { object, id }, [params.value], 'GET')
  const found = await findOne(ctx, object, findKeyField(ctx, object, params.key), params.value)
  if (typeof found !== 'string') return found
  return readReply(ctx, call, object, found)
}

const remove: Handler<KeyParams> = async (ctx, call, params) => {
  const object = findObject(ctx, params.object)
  const id = recordIdIn(object, params.key)
  if (id !== undefined) return onRelated(ctx, call, { object, id }, [params.value], 'DELETE')
  const found = await findOne(ctx, object, findKeyField(ctx, object, params.key), params.value)
  if (typeof found !== 'string') return found
  await deleteRecord(ctx, object, found)
  return noContent
}

function updatedReply(ctx: Context, id: string): Reply {
  if (!hasChange(ctx.version, 'upsertUpdateHasBody')) return noContent
  return { status: 200, body: { id, success: true, errors: [], created: false } }
}

const upsert: Handler<KeyParams> = async (ctx, call, params) => {
  const object = findObject(ctx, params.object)
  const id = recordIdIn(object, params.key)
  if (id !== undefined) return onRelated(ctx, call, { object, id }, [params.value], 'PATCH')
  const key = findKeyField(ctx, object, params.key)
  if (key.name === 'Id') return updateById(ctx, call, object, params.value)
  const input = readRecordInput(call, object)
  if (ctx.faults?.isKeyAmbiguous) return injectedMatches(ctx, object, key, params.value)
  const updateOnly = call.query.get('updateOnly')?.toLowerCase() === 'true'
  const text = await keyText(ctx, object, key, params.value)
  const outcome = await upsertRecord(ctx, object, key, text, input, updateOnly)
  if ('matches' in outcome) return severalMatches(ctx, object, outcome.matches)
  noteView(ctx, call, object, outcome.id)
  if (outcome.created) return createdReply(ctx, object, outcome, { created: true })
  return updatedReply(ctx, outcome.id)
}

/** The key `Id` never creates: an id that is no record's is not found. */
async function updateById(ctx: Context, call: Call, object: ObjectType, segment: string): Promise<Reply> {
  const id = parseId(object, segment)
  const input = readRecordInput(call, object)
  try {
    await whileUnchanged(ctx, call, object, id, (inside) => updateRecord(inside, object, id, input))
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) throw notFound()
    throw error
  }
  noteView(ctx, call, object, id)
  return updatedReply(ctx, id)
}

/** `/sobjects/X/Id` without an id: an upsert that has no key yet. (docs/reference/api/records.md#upsert) */
const createById: Handler<{ object: string }> = async (ctx, call, params) => {
  const object = findObject(ctx, params.object)
  const written = only(await createRecords(ctx, object, [readRecordInput(call, object)], false))
  noteView(ctx, call, object, written.id)
  return createdReply(ctx, object, written, { created: true })
}

/** Records by external id or another key, and what is one step from a record. (docs/reference/api/records.md#records) */
export const externalIdRoutes = [
  route('GET', '/sobjects/:object/:key/:value', 'record', read),
  route('PATCH', '/sobjects/:object/:key/:value', 'record', upsert),
  route('DELETE', '/sobjects/:object/:key/:value', 'record', remove),
  route('POST', '/sobjects/:object/Id', 'record', createById, 37),
  route('PATCH', '/sobjects/:object/Id', 'record', createById, 37),
]
