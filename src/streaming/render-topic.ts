import type { PushContent, TopicContent } from '../records/events/event-content.ts'
import type { ObjectType } from '../schema/objects/object-type.ts'
import type { EventRow } from './event-log.sql.ts'
import type { EventMessage } from './event-message.ts'
import { mayTell } from './may-tell.ts'

/** Values that fields must have, by name, as texts. */
export type TopicFilter = ReadonlyMap<string, string>

const asText = (value: unknown) =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '')

/** `2026-11-20T21:30:00.000Z`, as events write times. */
const asTime = (object: ObjectType, name: string, value: unknown): unknown =>
  object.field(name)?.type.literal === 'dateTime' && typeof value === 'string'
    ? value.replace(/\+0000$/, 'Z')
    : value

const eventOf = ({ at, position }: EventRow) => ({
  createdDate: new Date(at).toISOString(),
  replayId: position,
})

/**
 * An event of a PushTopic as a subscriber may see it; undefined: it is not for the subscriber.
 * @param object that of the topic, as the subscriber sees it
 */
export function renderTopic(
  object: ObjectType,
  filter: TopicFilter,
  row: EventRow,
): EventMessage | undefined {
  const { of, type, id, values = {} } = JSON.parse(row.content) as TopicContent
  // The query of the topic may have been another one.
  if (of !== object.name) return undefined
  const seen = Object.entries(values)
    .filter(([name, value]) => {
      const field = object.field(name)
      return field !== undefined && mayTell(field, value)
    })
    .map(([name, value]) => [name, asTime(object, name, value)] as const)
  const shown = new Map<string, unknown>([['Id', id], ...seen])
  for (const [name, wanted] of filter) if (asText(shown.get(name)) !== wanted) return undefined
  return {
    object: row.object,
    position: row.position,
    isCopy: row.firstPosition !== null,
    data: {
      event: { ...eventOf(row), type },
      sobject: type === 'deleted' ? { Id: id } : Object.fromEntries(shown),
    },
  }
}

/** The message of a push to a generic channel; undefined if it is for other users. */
export function renderPushed(userId: string, row: EventRow): EventMessage | undefined {
  const { payload, userIds } = JSON.parse(row.content) as PushContent
  if (userIds?.includes(userId) === false) return undefined
  return {
    object: row.object,
    position: row.position,
    isCopy: row.firstPosition !== null,
    data: { event: eventOf(row), payload },
  }
}
