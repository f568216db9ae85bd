import { ApiError, notFound } from '../base/api-error.ts'
import { canonicalRecordId } from '../base/record-id.ts'
import type { Call } from '../calls/call.ts'
import { ByteStream, errorReply, type Reply } from '../calls/reply.ts'
import { type Handler, route } from '../calls/route.ts'
import type { Context } from '../context.ts'
import { readBytes } from '../records/files/bytes.ts'
import { readRecord, requestedFields } from '../records/read/read.ts'
import type { Field } from '../schema/fields/field.ts'
import type { ChildRelationship, ObjectType } from '../schema/objects/object-type.ts'
import { requireObject } from '../schema/snapshot/snapshot.ts'
import { answerQuery, runQuery } from '../soql/run-query.ts'
import { makeEtag } from './conditions.ts'
import { findObject } from './find-object.ts'
import { readReply, removeReply, updateReply } from './records.ts'
import { getPageSize } from './requested-count.ts'

/** Maximum number of relationships in a path. (docs/reference/api/records.md#relationships) */
const MAX_STEPS = 5

/** The id of a record of the object, where a segment of a path is one and not the name of a field. */
export function recordIdIn(object: ObjectType, segment: string): string | undefined {
  if (object.field(segment) !== undefined) return undefined
  const id = canonicalRecordId(segment)
  return id?.startsWith(object.keyPrefix) ? id : undefined
}

/** Target of a relationship path: a record, or the children of one. */
interface End {
  readonly object: ObjectType
  readonly id: string
  readonly children?: ChildRelationship
}

/** One step up. Undefined: the object has no such way. */
async function findParent(ctx: Context, { object, id }: End, name: string): Promise<End | undefined> {
  const reference = object.parent(name)
  if (reference === undefined) return undefined
  const record = await readRecord(ctx, object, id, reference.name)
  const parent = record[reference.name] as string | null
  if (parent === null) throw notFound()
  const target = reference.referenceTo
    .map((to) => ctx.visible.object(to))
    .find((to) => to !== undefined && parent.startsWith(to.keyPrefix))
  if (target === undefined) throw notFound()
  return { object: target, id: parent }
}

/** Where the relationships of a path lead to: up any of them, and down at most the last one. */
async function follow(ctx: Context, start: End, way: readonly string[]): Promise<End> {
  let end = start
  for (const [index, name] of way.entries()) {
    const parent = await findParent(ctx, end, name)
    if (parent !== undefined) {
      end = parent
      continue
    }
    const children = end.object.child(name)
    if (children === undefined || index < way.length - 1) throw notFound()
    // The children of an invisible record are invisible too.
    await readRecord(ctx, end.object, end.id, 'Id')
    return { ...end, children }
  }
  return end
}

/** Children that only a query of their parent has. */
async function asChildren(
  ctx: Context,
  call: Call,
  { object, id, children }: End,
  names: string,
): Promise<Reply> {
  const text = `SELECT (SELECT ${names} FROM ${children!.name}) FROM ${object.name} WHERE Id = '${id}'`
  const { records } = await runQuery(ctx, text, { pageSize: getPageSize(ctx, call), deletedToo: false })
  const body = records[0]?.[children!.name!] ?? { totalSize: 0, done: true, records: [] }
  return { status: 200, body }
}

/** The children as a query of theirs gives them, page by page. */
async function childrenReply(ctx: Context, call: Call, end: End): Promise<Reply> {
  const { id, children } = end
  const object = requireObject(ctx.visible, children!.childObject)
  const requested = call.query.get('fields')
  const fields = requested === null ? object.fields : requestedFields(object, requested.split(','))
  const names = fields.map(({ name }) => name).join(', ')
  if (object.definition.view?.childOnly === true) return asChildren(ctx, call, end, names)
  const text = `SELECT ${names} FROM ${object.name} WHERE ${children!.field.name} = '${id}'`
  return {
    status: 200,
    body: await answerQuery(ctx, text, { pageSize: getPageSize(ctx, call), deletedToo: false }),
  }
}

/** Children are read together and changed one by one; bytes are written with their record. */
function onlyRead(method: string): Reply {
  const error = new ApiError(
    'METHOD_NOT_ALLOWED',
    `HTTP Method '${method}' not allowed. Allowed are GET,HEAD`,
  )
  return errorReply(error, { Allow: 'GET, HEAD' })
}

/** 200 with the bytes of a field. (docs/reference/api/records.md#files) */
async function bytesReply(ctx: Context, { object, id }: End, field: Field): Promise<Reply> {
  if (ctx.nested !== undefined) {
    throw new ApiError('PROCESSING_HALTED', 'Bytes of a record are not supported in a call made of calls')
  }
  const { length, contentType, tag, pieces } = await readBytes(ctx, object, id, field)
  return {
    status: 200,
    body: new ByteStream(length, pieces),
    // Browsers do not look for another kind in it.
    headers: { 'Content-Type': contentType, 'X-Content-Type-Options': 'nosniff', ...makeEtag(tag) },
  }
}

type Change = (ctx: Context, call: Call, object: ObjectType, id: string) => Promise<Reply>

/** Handlers of the methods for the record at the end of a relationship path. */
const METHODS: Readonly<Record<'GET' | 'PATCH' | 'DELETE', Change>> = {
  GET: readReply,
  PATCH: updateReply,
  DELETE: removeReply,
}

/**
 * Carries out a call on what stands at the end of a way from a record: `Account`, `Account/Owner`, `Contacts`.
 * (docs/reference/api/records.md#relationships)
 */
export async function onRelated(
  ctx: Context,
  call: Call,
  start: End,
  way: readonly string[],
  method: keyof typeof METHODS,
): Promise<Reply> {
  const field = way.length === 1 ? start.object.field(way[0]!) : undefined
  if (field?.type.holdsBytes === true)
    return method === 'GET' ? bytesReply(ctx, start, field) : onlyRead(call.method)
  const end = await follow(ctx, start, way)
  if (end.children === undefined) return METHODS[method](ctx, call, end.object, end.id)
  return method === 'GET' ? childrenReply(ctx, call, end) : onlyRead(call.method)
}

const farther =
  (method: keyof typeof METHODS): Handler<{ object: string; id: string; first: string; '*': string }> =>
  (ctx, call, params) => {
    const object = findObject(ctx, params.object)
    const id = recordIdIn(object, params.id)
    const way = [params.first, ...params['*'].split('/').filter((name) => name !== '')]
    if (id === undefined || way.length > MAX_STEPS) throw notFound()
    return onRelated(ctx, call, { object, id }, way, method)
  }

/** Ways of more than one step; a single step stands where keys do. */
export const relatedRoutes = [
  route('GET', '/sobjects/:object/:id/:first/*', 'sobject', farther('GET')),
  route('PATCH', '/sobjects/:object/:id/:first/*', 'sobject', farther('PATCH')),
  route('DELETE', '/sobjects/:object/:id/:first/*', 'sobject', farther('DELETE')),
]
