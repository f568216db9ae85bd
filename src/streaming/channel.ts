import { rowRule } from '../access/row-rules.sql.ts'
import { ApiError } from '../base/api-error.ts'
import type { Context } from '../context.ts'
import { isEventObject } from '../schema/definitions/custom-name.ts'
import type { ObjectType } from '../schema/objects/object-type.ts'

/** Who follows: the user of a call. */
export type Subscriber = Pick<Context, 'org' | 'schema' | 'visible' | 'access' | 'principal'>

/** What can be followed. (docs/reference/api/streaming.md#channels) */
export interface Channel {
  /** `/data/AccountChangeEvent`, `/event/Order_Placed__e`. */
  readonly name: string
  /** The objects whose events it has, as the subscriber may see them, by name. */
  readonly objects: ReadonlyMap<string, ObjectType>
}

const CHANGES = /^(.*)ChangeEvent$/
const ALL_CHANGES = '/data/ChangeEvents'

const CUSTOM = /__$/

/** The name of the change events of an object: `AccountChangeEvent`, `Employee__ChangeEvent`. */
export const changeEventName = (object: string): string =>
  object.endsWith('__c') ? `${object.slice(0, -1)}ChangeEvent` : `${object}ChangeEvent`

const isSelected = ({ definition }: ObjectType) => definition.changeEvents === true

/** True if the subscriber may see all records of the object. Events are not checked record by record. */
const seesAll = (subscriber: Subscriber, object: ObjectType): boolean =>
  rowRule(subscriber, object, object.table, 'read') === undefined

const noChannel = (name: string) =>
  new ApiError(
    'NOT_FOUND',
    `The channel you requested to subscribe to does not exist {${name.slice(0, 255)}}`,
  )

/** The object of `Order_Placed__e` or `AccountChangeEvent` as the subscriber sees it; undefined: there are no such events. */
export function findObjectOfEvent(
  { visible }: Pick<Subscriber, 'visible'>,
  event: string,
): ObjectType | undefined {
  const published = visible.object(event)
  if (published !== undefined && isEventObject(published.name)) return published
  const named = CHANGES.exec(event)?.[1]
  const object = named === undefined ? undefined : visible.object(CUSTOM.test(named) ? `${named}c` : named)
  return object !== undefined && isSelected(object) ? object : undefined
}

/** The objects that have events which the subscriber may see. */
export const listObjectsWithEvents = ({ visible }: Pick<Subscriber, 'visible'>): ObjectType[] =>
  visible.objects.filter((object) => isEventObject(object.name) || isSelected(object))

/**
 * Finds a channel as the subscriber may follow it now.
 * @throws ApiError NOT_FOUND when there is none, INSUFFICIENT_ACCESS when the subscriber does not see all records of its object
 */
export function findChannel(subscriber: Subscriber, name: string): Channel {
  const { visible } = subscriber
  if (name === ALL_CHANGES) {
    const seen = visible.objects.filter((object) => isSelected(object) && seesAll(subscriber, object))
    return { name, objects: new Map(seen.map((object) => [object.name, object])) }
  }
  const [, kind, event = ''] = /^\/(data|event)\/(.*)$/.exec(name) ?? []
  const object = findObjectOfEvent(subscriber, event)
  if (object === undefined || isEventObject(object.name) !== (kind === 'event')) throw noChannel(name)
  const objects = new Map([[object.name, object]])
  if (kind === 'event') return { name: `/event/${object.name}`, objects }
  if (!seesAll(subscriber, object)) {
    throw new ApiError(
      'INSUFFICIENT_ACCESS',
      `Following ${name} takes the right to see all ${object.name} records`,
    )
  }
  return { name: `/data/${changeEventName(object.name)}`, objects }
}
