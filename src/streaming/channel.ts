import { rowRule } from '../access/row-rules.sql.ts'
import { ApiError } from '../base/api-error.ts'
import type { Context } from '../context.ts'
import { isEventObject } from '../schema/definitions/custom-name.ts'
import type { ObjectType } from '../schema/objects/object-type.ts'
import type { EventRow } from './event-log.sql.ts'
import type { EventMessage } from './event-message.ts'
import { findTopicChannel } from './find-topic-channel.ts'

/** Who follows: the user of a call. */
export type Subscriber = Pick<Context, 'org' | 'schema' | 'visible' | 'access' | 'principal' | 'topics'>

/** What can be followed. (docs/reference/api/streaming.md#channels) */
export interface Channel {
  /** `/data/AccountChangeEvent`, `/event/Order_Placed__e`, `/topic/NewCases?Priority=High`, `/u/Notifications`. */
  readonly name: string
  /** The objects whose events it has, as the subscriber may see them, by name. */
  readonly objects: ReadonlyMap<string, ObjectType>
  /** Makes the messages of what is neither a change nor a platform event, by the id of the topic or generic channel. */
  readonly renderers?: ReadonlyMap<string, Renderer>
  /** What else decides what the subscriber is told, beside the rights. */
  readonly key?: string
}

/** Returns what a subscriber is told of an event; undefined: it is not for the subscriber. */
type Renderer = (row: EventRow) => EventMessage | undefined

const CHANGES = /^\/data\/(.*)ChangeEvent$/
const PUBLISHED = /^\/event\/(.*)$/
const ALL_CHANGES = '/data/ChangeEvents'

const CUSTOM = /__$/

/** The name of the change events of an object: `AccountChangeEvent`, `Employee__ChangeEvent`. */
const changeEventName = (object: string): string =>
  object.endsWith('__c') ? `${object.slice(0, -1)}ChangeEvent` : `${object}ChangeEvent`

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

/**
 * Finds a channel as the subscriber may follow it now.
 * @throws ApiError NOT_FOUND when there is none, INSUFFICIENT_ACCESS when the subscriber does not see all records of its object,
 * INVALID_FIELD for conditions of a topic that it cannot have
 */
export function findChannel(subscriber: Subscriber, name: string): Channel {
  const { visible } = subscriber
  if (name === ALL_CHANGES) {
    const seen = visible.objects.filter((object) => isSelected(object) && seesAll(subscriber, object))
    return { name, objects: new Map(seen.map((object) => [object.name, object])) }
  }
  const published = visible.object(PUBLISHED.exec(name)?.[1] ?? '')
  if (published !== undefined && isEventObject(published.name))
    return { name: `/event/${published.name}`, objects: new Map([[published.name, published]]) }
  const other = findTopicChannel(subscriber, name, (object) => requireAll(subscriber, object, name))
  if (other !== undefined) return other
  const named = CHANGES.exec(name)?.[1]
  const object = named === undefined ? undefined : visible.object(CUSTOM.test(named) ? `${named}c` : named)
  if (object === undefined || !isSelected(object)) throw noChannel(name)
  requireAll(subscriber, object, name)
  return { name: `/data/${changeEventName(object.name)}`, objects: new Map([[object.name, object]]) }
}
