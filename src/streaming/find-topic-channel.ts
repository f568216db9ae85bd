import { ApiError } from '../base/api-error.ts'
import type { Topic } from '../context.ts'
import type { ObjectType } from '../schema/objects/object-type.ts'
import type { Channel, Subscriber } from './channel.ts'
import { renderPushed, renderTopic, type TopicFilter } from './render-topic.ts'

const TOPIC = /^\/topic\/([^/?]+)(?:\?(.*))?$/s

/** In characters, with the conditions: clients have it stored. */
const MAX_NAME = 1000

/** Conditions of one subscription. */
const MAX_CONDITIONS = 10

const wrongFilter = (message: string) => new ApiError('INVALID_FIELD', message)

/** Parts between `&`, which may stand in quotation marks too. */
const CONDITIONS = /(?:'[^']*(?:'|$)|[^&'])+/g

/**
 * A value as it stands in an address, in quotation marks or not. Without them `null` is an empty field.
 * @throws ApiError INVALID_FIELD
 */
function readValue(text: string): string {
  let value = text
  try {
    value = decodeURIComponent(text)
  } catch {
    // It has a percent sign.
  }
  if (value === 'null') return ''
  if (!value.startsWith("'")) return value
  if (value.length > 1 && value.endsWith("'")) return value.slice(1, -1)
  throw wrongFilter(`The value ${value.slice(0, 255)} must end with the quotation mark that it begins with`)
}

/**
 * Reads `Status='New'&Priority=High`.
 * @throws ApiError INVALID_FIELD
 */
function readFilter(text: string | undefined, { selected }: Topic, object: ObjectType): TopicFilter {
  const filter = new Map<string, string>()
  const conditions = text === undefined || text === '' ? [] : (text.match(CONDITIONS) ?? [])
  if (conditions.length > MAX_CONDITIONS) {
    throw wrongFilter(`A subscription has ${MAX_CONDITIONS} conditions at most`)
  }
  for (const condition of conditions) {
    const at = condition.indexOf('=')
    const name = at < 0 ? condition : condition.slice(0, at)
    const field = object.field(name)
    if (at < 0 || field === undefined || !selected.includes(field.name)) {
      throw wrongFilter(
        `The condition ${condition.slice(0, 255)} must be Field=value, with a field that the topic selects`,
      )
    }
    filter.set(field.name, readValue(condition.slice(at + 1)))
  }
  return filter
}

function findTopic(
  { topics, visible }: Subscriber,
  name: string,
): { topic: Topic; object: ObjectType; conditions: string | undefined } | undefined {
  const [, topicName = '', conditions] = TOPIC.exec(name) ?? []
  if (conditions !== undefined && name.length > MAX_NAME)
    throw wrongFilter(`A subscription with its conditions has ${MAX_NAME} characters at most`)
  const topic = topics.byName.get(topicName)
  const mayRead = visible.object('PushTopic') !== undefined
  const object = topic === undefined || !mayRead ? undefined : visible.object(topic.object)
  return topic === undefined || object === undefined ? undefined : { topic, object, conditions }
}

/** Returns a generic channel as the subscriber may follow it, or undefined if there is none. */
function findGenericChannel({ topics, visible, principal }: Subscriber, name: string): Channel | undefined {
  const id = topics.channels.get(name)
  if (id === undefined || visible.object('StreamingChannel') === undefined) return undefined
  const { userId } = principal
  return {
    name,
    objects: new Map(),
    renderers: new Map([[id, (row) => renderPushed(userId, row)]]),
    key: userId,
  }
}

/**
 * Finds the channel of a PushTopic, or a generic one, as the subscriber may follow it now; undefined: there is none.
 * @param requireAll refuses a subscriber who does not see all records of an object
 * @throws ApiError INSUFFICIENT_ACCESS, INVALID_FIELD
 */
export function findTopicChannel(
  subscriber: Subscriber,
  name: string,
  requireAll: (object: ObjectType) => void,
): Channel | undefined {
  if (name.startsWith('/u/')) return findGenericChannel(subscriber, name)
  const found = findTopic(subscriber, name)
  if (found === undefined) return undefined
  const { topic, object, conditions } = found
  requireAll(object)
  // An event would reveal the value of a field that the subscriber may not read.
  if (topic.filtered.some((field) => object.field(field) === undefined)) {
    throw new ApiError(
      'INSUFFICIENT_ACCESS',
      `Following /topic/${topic.name} takes the right to read all fields of its condition`,
    )
  }
  const filter = readFilter(conditions, topic, object)
  return {
    name,
    objects: new Map(),
    renderers: new Map([[topic.id, (row) => renderTopic(object, filter, row)]]),
    key: object.name,
  }
}
