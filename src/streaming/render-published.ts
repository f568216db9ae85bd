import type { EventContent } from '../records/events/event-content.ts'
import type { Field } from '../schema/fields/field.ts'
import type { ObjectType } from '../schema/objects/object-type.ts'
import type { EventRow } from './event-log.sql.ts'
import type { EventMessage } from './event-message.ts'
import { schemaOf } from './event-schema.ts'
import { mayTell } from './may-tell.ts'

/** `2026-11-20T21:30:00.000Z`, as platform events write times. */
const asTime = ({ type }: Field, value: unknown): unknown =>
  type.literal === 'dateTime' && typeof value === 'string' ? value.replace(/\+0000$/, 'Z') : value

type Published = Pick<EventRow, 'content' | 'at' | 'userId'>

/** The payload of a platform event, with the fields that its object has now. (docs/reference/api/streaming.md#platform-events) */
export function makePayload(object: ObjectType, row: Published): Readonly<Record<string, unknown>> {
  const { values = {} } = JSON.parse(row.content) as EventContent
  const own = object.definition.fields.map(({ name }) => {
    const field = object.field(name)!
    const value = Object.hasOwn(values, name) ? values[name] : null
    return [name, mayTell(field, value) ? asTime(field, value) : null] as const
  })
  return {
    CreatedDate: new Date(row.at).toISOString(),
    CreatedById: row.userId,
    ...Object.fromEntries(own),
  }
}

/** The UUID by which a platform event is known when it comes again. */
export const readUuid = ({ content }: Published): string => (JSON.parse(content) as EventContent).uuid ?? ''

/** A platform event for those who follow it. */
export const renderPublished = (object: ObjectType, row: EventRow): EventMessage => ({
  object: object.name,
  position: row.position,
  isCopy: row.firstPosition !== null,
  data: {
    schema: schemaOf(object),
    payload: makePayload(object, row),
    event: { replayId: row.position, EventUuid: readUuid(row) },
  },
})
