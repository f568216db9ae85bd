import { ApiError, notFound } from '../base/api-error.ts'
import type { Call } from '../calls/call.ts'
import { type Handler, route } from '../calls/route.ts'
import type { ObjectType } from '../schema/objects/object-type.ts'
import { findObjectOfEvent, listObjectsWithEvents } from '../streaming/channel.ts'
import { compactSchema, expandedSchema, schemaOf } from '../streaming/event-schema.ts'
import { conditional } from './conditional.ts'

const SINCE = 43

/** The formats of a schema: of events in JSON, and of binary ones. */
const FORMATS: Readonly<Record<string, (object: ObjectType) => object>> = {
  EXPANDED: expandedSchema,
  COMPACT: compactSchema,
}

/** @throws ApiError ILLEGAL_QUERY_PARAMETER_VALUE */
function findFormat({ query }: Call): (object: ObjectType) => object {
  const format = query.get('payloadFormat') ?? 'EXPANDED'
  if (Object.hasOwn(FORMATS, format)) return FORMATS[format]!
  const message = `payloadFormat is EXPANDED or COMPACT, not ${format.slice(0, 100)}`
  throw new ApiError('ILLEGAL_QUERY_PARAMETER_VALUE', message)
}

const schemaByName: Handler<{ event: string }> = (ctx, call, { event }) => {
  const object = findObjectOfEvent(ctx, event)
  if (object === undefined) throw notFound()
  const format = findFormat(call)
  return conditional(ctx, call, () => format(object))
}

const schemaById: Handler<{ schemaId: string }> = (ctx, call, { schemaId }) => {
  const object = listObjectsWithEvents(ctx).find((one) => schemaOf(one) === schemaId)
  if (object === undefined) {
    const message = `No event has the schema ${schemaId.slice(0, 100)} now. The id of a schema changes with the fields of its object.`
    throw new ApiError('NOT_FOUND', message)
  }
  const format = findFormat(call)
  return conditional(ctx, call, () => format(object))
}

/** The form of events. (docs/reference/api/streaming.md#schemas) */
export const eventSchemaRoutes = [
  route('GET', '/sobjects/:event/eventSchema', 'describe', schemaByName, SINCE),
  route('GET', '/event/eventSchema/:schemaId', 'describe', schemaById, SINCE),
]
