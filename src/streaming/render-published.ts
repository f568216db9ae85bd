import type { EventContent } from '../records/events/event-content.ts'
import type { Field } from '../schema/fields/field.ts'
import type { ObjectType } from '../schema/objects/object-type.ts'
import type { EventRow } from './event-log.sql.ts'
import type { EventMessage } from './event-message.ts'
import { schemaOf } from './event-schema.ts'

/** `2026-11-20T21:30:00.000Z`, as platform events write times. */
const asTime = ({ type }: Field, value: unknown): unknown =>
  type.literal === 'dateTime' && typeof value === 'string' ? value.replace(/\+0000$/, 'Z') : value

/** A platform event with the fields that its object has now. (docs/reference/api/streaming.md#platform-events) */
export function renderPublished(
  object: ObjectType,
  row: Pick<EventRow, 'position' | 'firstPosition' | 'content' | 'at' | 'userId'>,
): EventMessage {
  const { values = {}, uuid = '' } = JSON.parse(row.content) as EventContent
  const own = object.definition.fields.map(({ name }) => {
    const value = Object.hasOwn(values, name) ? values[name] : null
    return [name, asTime(object.field(name)!, value)] as const
  })
  return {
    object: object.name,
    position: row.position,
    isCopy: row.firstPosition !== null,
    data: {
      schema: schemaOf(object),
      payload: {
        CreatedDate: new Date(row.at).toISOString(),
        CreatedById: row.userId,
        ...Object.fromEntries(own),
      },
      event: { replayId: row.position, EventUuid: uuid },
    },
  }
}
