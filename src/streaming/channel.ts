import { rowRule } from '../access/row-rules.sql.ts'
import { ApiError } from '../base/api-error.ts'
import type { Context } from '../context.ts'
import { isEventObject } from '../schema/definitions/custom-name.ts'
import {
  changeEventName,
  enrichedFields,
  OWN_CHANNELS,
  tellsChanges,
} from '../schema/definitions/event-channels.ts'
import { type ObjectType, unrestricted } from '../schema/objects/object-type.ts'
import type { EventRow } from './event-log.sql.ts'
import type { EventMessage } from './event-message.ts'
import { findTopicChannel } from './find-topic-channel.ts'

/** Who follows: the user of a call. */
export type Subscriber = Pick<Context, 'org' | 'schema' | 'visible' | 'access' | 'principal' | 'topics'>

/** What can be followed. (docs/reference/api/streaming.md#channels) */
export interface Channel {
  /** `/data/AccountChangeEvent`, `/event/Order_Placed__e`, `/data/Partner__chn`, `/topic/NewCases?Priority=High`, `/u/Notifications`. */
  readonly name: string
  /** The objects whose events it has, by name. */
  readonly objects: ReadonlyMap<string, Followed>
  /** Makes the messages of what is neither a change nor a platform event, by the id of the topic or generic channel. */
  readonly renderers?: ReadonlyMap<string, Renderer>
  /** Tells channels apart whose messages differ for other reasons than rights. */
  readonly key?: string
}

/** Returns what a subscriber is told of an event; undefined: it is not for the subscriber. */
type Renderer = (row: EventRow) => EventMessage | undefined

/** An object of a channel. */
export interface Followed {
  /** As the subscriber may see it. */
  readonly object: ObjectType
  /** The fields that its events always have on the channel. */
  readonly enriched: readonly string[]
}

const CHANGES = /^(.*)ChangeEvent$/
const SINGLE_CHANNEL = /^\/(data|event)\/(.*)$/
const CUSTOM_CHANNEL = /^\/(data|event)\/([A-Za-z0-9_]+__chn)$/
const ALL_CHANGES = '/data/ChangeEvents'

const CUSTOM = /__$/

/** The channel that an object has of its own. */
export const ownChannel = (object: string): string =>
  isEventObject(object) ? `/event/${object}` : `/data/${changeEventName(object)}`

const isSelected = ({ definition }: ObjectType) => definition.changeEvents === true

/** True if the subscriber may see all records of the object. Events are not checked record by record. */
const seesAll = (subscriber: Subscriber, object: ObjectType): boolean =>
  rowRule(subscriber, object, object.table, 'read') === undefined

/** @throws ApiError INSUFFICIENT_ACCESS */
function requireAll(subscriber: Subscriber, object: ObjectType, channel: string): void {
  if (seesAll(subscriber, object)) return
  throw new ApiError(
    'INSUFFICIENT_ACCESS',
    `Following ${channel} takes the right to see all ${object.name} records`,
  )
}

const noChannel = (name: string) =>
  new ApiError(
    'NOT_FOUND',
    `The channel you requested to subscribe to does not exist {${name.slice(0, 255)}}`,
  )

/** @param channel the name by which definitions have it */
const follow = (name: string, objects: readonly ObjectType[], channel: string): Channel => ({
  name,
  objects: new Map(
    objects.map((object) => [
      object.name,
      { object, enriched: enrichedFields(unrestricted(object).definition, channel) },
    ]),
  ),
})

/** The objects of a custom channel that the subscriber may follow; undefined: there is none that the subscriber may see. */
function findCustomChannel(subscriber: Subscriber, name: string): Channel | undefined {
  const [, kind, channel = ''] = CUSTOM_CHANNEL.exec(name) ?? []
  const members = subscriber.visible.objects.filter(
    (object) =>
      Object.hasOwn(object.definition.channels ?? {}, channel) &&
      isEventObject(object.name) === (kind === 'event'),
  )
  if (members.length === 0) return undefined
  const seen = members.filter((object) => kind === 'event' || seesAll(subscriber, object))
  return follow(name, seen, channel)
}

/** The object of `Order_Placed__e` or `AccountChangeEvent` as the subscriber sees it; undefined: there are no such events. */
export function findObjectOfEvent(
  { visible }: Pick<Subscriber, 'visible'>,
  event: string,
): ObjectType | undefined {
  const published = visible.object(event)
  if (published !== undefined && isEventObject(published.name)) return published
  const named = CHANGES.exec(event)?.[1]
  const object = named === undefined ? undefined : visible.object(CUSTOM.test(named) ? `${named}c` : named)
  return object !== undefined && hasEvents(object) && !isEventObject(object.name) ? object : undefined
}

const hasEvents = ({ name, definition }: ObjectType) => isEventObject(name) || tellsChanges(definition)

/** The objects that have events which the subscriber may see. */
export const listObjectsWithEvents = ({ visible }: Pick<Subscriber, 'visible'>): ObjectType[] =>
  visible.objects.filter(hasEvents)

/**
 * Finds a channel as the subscriber may follow it now.
 * @throws ApiError NOT_FOUND when there is none, INSUFFICIENT_ACCESS when the subscriber does not see all records of its object,
 * INVALID_FIELD for conditions of a topic that it cannot have
 */
export function findChannel(subscriber: Subscriber, name: string): Channel {
  const { visible } = subscriber
  if (name === ALL_CHANGES) {
    const seen = visible.objects.filter((object) => isSelected(object) && seesAll(subscriber, object))
    return follow(name, seen, OWN_CHANNELS)
  }
  const custom = findCustomChannel(subscriber, name)
  if (custom !== undefined) return custom
  const other = findTopicChannel(subscriber, name, (object) => requireAll(subscriber, object, name))
  if (other !== undefined) return other
  const [, kind, event = ''] = SINGLE_CHANNEL.exec(name) ?? []
  const object = findObjectOfEvent(subscriber, event)
  if (object === undefined || isEventObject(object.name) !== (kind === 'event')) throw noChannel(name)
  if (kind === 'event') return follow(`/event/${object.name}`, [object], OWN_CHANNELS)
  if (!isSelected(object)) throw noChannel(name)
  requireAll(subscriber, object, name)
  return follow(`/data/${changeEventName(object.name)}`, [object], OWN_CHANNELS)
}
