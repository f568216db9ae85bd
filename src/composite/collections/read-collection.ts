import { ApiError } from '../../base/api-error.ts'
import { canonicalRecordId } from '../../base/record-id.ts'
import { readEnvelope } from '../../calls/envelope.ts'
import type { Reply } from '../../calls/reply.ts'
import { type Handler, route } from '../../calls/route.ts'
import type { Context } from '../../context.ts'
import { writeListed } from '../../records/read/read.ts'
import { namedObject } from '../../records/write/named-object.ts'
import { COLLECTIONS_SINCE, idsIn } from './collections.ts'

/** How many records one call may read. (docs/reference/api/composite.md#collections) */
const MAX_READ = 2000

async function readReply(
  ctx: Context,
  name: string,
  ids: readonly string[],
  fields: readonly string[],
): Promise<Reply> {
  const object = namedObject(ctx, name)
  if (ids.length === 0) throw new ApiError('MISSING_ARGUMENT', 'ids are required')
  if (fields.length === 0) throw new ApiError('MISSING_ARGUMENT', 'fields are required')
  if (ids.length > MAX_READ) {
    throw new ApiError('EXCEEDED_ID_LIMIT', `record limit reached. cannot read more than ${MAX_READ} records`)
  }
  const listed = ids.map((id) => canonicalRecordId(id))
  return { status: 200, body: await writeListed(ctx, object, listed, fields) }
}

const readByAddress: Handler<{ object: string }> = (ctx, { query }, params) =>
  readReply(ctx, params.object, idsIn(query.get('ids')), idsIn(query.get('fields')))

const readByBody: Handler<{ object: string }> = (ctx, call, params) => {
  const envelope = readEnvelope(call, ['ids', 'fields'])
  return readReply(ctx, params.object, envelope.texts('ids') ?? [], envelope.texts('fields') ?? [])
}

/** Several records of one object by their ids: null for what is none. (docs/reference/api/composite.md#collections) */
export const readCollectionRoutes = [
  route('GET', '/composite/sobjects/:object', 'collection', readByAddress, COLLECTIONS_SINCE),
  route('POST', '/composite/sobjects/:object', 'collection', readByBody, COLLECTIONS_SINCE),
]
