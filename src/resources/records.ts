import { canonicalRecordId } from '../base/record-id.ts'
import type { Call } from '../calls/call.ts'
import { errorReply, noContent, type Reply } from '../calls/reply.ts'
import { type Handler, type ManyHandler, type Matched, route } from '../calls/route.ts'
import { writtenErrors } from '../composite/steps/outcome-body.ts'
import type { Context } from '../context.ts'
import { deleteRecord, deleteRecords } from '../records/delete/delete.ts'
import { isRefused, only, type Written } from '../records/prepare/outcome.ts'
import { writeRecord } from '../records/read/read.ts'
import { createRecords } from '../records/write/insert.ts'
import { updateRecord, updateRecords } from '../records/write/update.ts'
import type { ObjectType } from '../schema/objects/object-type.ts'
import { makeEtag, replyUnchanged, whileUnchanged } from './conditions.ts'
import { findObject, parseId, readRecordInput } from './find-object.ts'
import { noteView } from './recent.ts'

export const recordUrl = (ctx: Context, object: ObjectType, id: string) =>
  `${ctx.version.path}/sobjects/${object.name}/${id}`

/** 201 with the create result, which an upsert extends. (docs/reference/api/records.md#create) */
export function createdReply(ctx: Context, object: ObjectType, written: Written, more: object = {}): Reply {
  const { id } = written
  return {
    status: 201,
    body: { id, success: true, errors: writtenErrors(written), ...more },
    headers: { Location: recordUrl(ctx, object, id) },
  }
}

/** 200 with the record, or what the caller's conditions ask for. */
export async function readReply(ctx: Context, call: Call, object: ObjectType, id: string): Promise<Reply> {
  const unchanged = await replyUnchanged(ctx, call, object, id)
  if (unchanged !== undefined) return unchanged
  const { json, tag } = await writeRecord(ctx, object, id, call.query.get('fields'))
  noteView(ctx, call, object, id)
  return { status: 200, body: json, headers: makeEtag(tag) }
}

/** 204 when the record was changed. */
export async function updateReply(ctx: Context, call: Call, object: ObjectType, id: string): Promise<Reply> {
  const input = readRecordInput(call, object)
  await whileUnchanged(ctx, call, object, id, (inside) => updateRecord(inside, object, id, input))
  noteView(ctx, call, object, id)
  return noContent
}

/** 204 when the record is in the recycle bin. */
export async function removeReply(ctx: Context, _call: Call, object: ObjectType, id: string): Promise<Reply> {
  await deleteRecord(ctx, object, id)
  return noContent
}

const create: Handler<{ object: string }> = async (ctx, call, params) => {
  const object = findObject(ctx, params.object)
  const written = only(await createRecords(ctx, object, [readRecordInput(call, object)], false))
  noteView(ctx, call, object, written.id)
  return createdReply(ctx, object, written)
}

const createMany: ManyHandler<{ object: string }> = async (ctx, calls, allOrNone) => {
  const object = findObject(ctx, calls[0]!.params.object)
  const inputs = calls.map(({ call }) => readRecordInput(call, object))
  const outcomes = await createRecords(ctx, object, inputs, allOrNone)
  return outcomes.map((outcome, index) => {
    if (isRefused(outcome)) return errorReply(outcome.error)
    noteView(ctx, calls[index]!.call, object, outcome.id)
    return createdReply(ctx, object, outcome)
  })
}

const read: Handler<{ object: string; id: string }> = async (ctx, call, params) => {
  const object = findObject(ctx, params.object)
  return readReply(ctx, call, object, parseId(object, params.id))
}

const update: Handler<{ object: string; id: string }> = async (ctx, call, params) => {
  const object = findObject(ctx, params.object)
  return updateReply(ctx, call, object, parseId(object, params.id))
}

const remove: Handler<{ object: string; id: string }> = async (ctx, call, params) => {
  const object = findObject(ctx, params.object)
  return removeReply(ctx, call, object, parseId(object, params.id))
}

/** The ids that paths name; undefined: two are the same, or one is no id of the object, which that call alone is refused for. */
function parseIds(object: ObjectType, calls: readonly Matched<{ id: string }>[]): string[] | undefined {
  const ids = new Set(calls.map(({ params }) => canonicalRecordId(params.id)))
  const isId = (id: string | undefined): id is string => id?.startsWith(object.keyPrefix) === true
  const known = [...ids].filter(isId)
  return known.length === calls.length ? known : undefined
}

const updateMany: ManyHandler<{ object: string; id: string }> = async (ctx, calls, allOrNone) => {
  const object = findObject(ctx, calls[0]!.params.object)
  const ids = parseIds(object, calls)
  if (ids === undefined) return undefined
  const changes = calls.map(({ call }, index) => ({ id: ids[index]!, input: readRecordInput(call, object) }))
  const outcomes = await updateRecords(ctx, object, changes, allOrNone)
  return outcomes.map((outcome, index) => {
    if (isRefused(outcome)) return errorReply(outcome.error)
    noteView(ctx, calls[index]!.call, object, outcome.id)
    return noContent
  })
}

const removeMany: ManyHandler<{ object: string; id: string }> = async (ctx, calls, allOrNone) => {
  const object = findObject(ctx, calls[0]!.params.object)
  const ids = parseIds(object, calls)
  if (ids === undefined) return undefined
  const outcomes = await deleteRecords(ctx, object, ids, allOrNone)
  return outcomes.map((outcome) => (isRefused(outcome) ? errorReply(outcome.error) : noContent))
}

/** Records by id. (docs/reference/api/records.md#records) */
export const recordRoutes = [
  route('POST', '/sobjects/:object', 'record', create, undefined, createMany),
  route('GET', '/sobjects/:object/:id', 'record', read),
  route('PATCH', '/sobjects/:object/:id', 'record', update, undefined, updateMany),
  route('DELETE', '/sobjects/:object/:id', 'record', remove, undefined, removeMany),
]
