import { ApiError } from '../../base/api-error.ts'
import { type Channel, findChannel, type Subscriber } from '../channel.ts'
import type { EventFeed, Read } from '../event-feed.ts'
import type { EventMessage } from '../event-message.ts'
import type { Met } from '../faults/meet-faults.ts'
import { SharedReads } from '../shared-reads.ts'
import type { Subscription } from './stream-clients.ts'

/** How many events an answer has at most, and how many bytes, if it has more than one. */
const MAX_EVENTS = 100
const MAX_BYTES = 1024 * 1024

/** The events of a channel after a position. */
interface ChannelEvents {
  readonly events: readonly ChannelEvent[]
  /** Up to where the log was read. */
  readonly position: number
}

interface ChannelEvent {
  readonly position: number
  readonly message: EventMessage
  readonly text: string
  readonly bytes: number
}

/** Has the events of a channel meet the faults that are planned for them. */
export type MeetChannel = (channel: string, read: Read) => Promise<Met>

interface ReadOptions {
  /** How many events at most. */
  readonly max?: number
  readonly meet?: MeetChannel | undefined
}

interface ReadEvents {
  /** JSON of the messages. */
  readonly texts: readonly string[]
  /** Up to where the subscriptions were read. */
  readonly subscriptions: readonly Subscription[]
  /** There is nothing up to here; infinite where no channel can be followed. */
  readonly after: number
  /** The next event may not be sent, because the org has had too many. */
  readonly isUsedUp: boolean
}

function makeEvent(channel: string, message: EventMessage): ChannelEvent {
  const text = JSON.stringify({ channel, data: message.data })
  return { position: message.position, message, text, bytes: Buffer.byteLength(text) }
}

/** Undefined where the channel is gone, or the subscriber may follow it no longer: both may change again. */
function findOpenChannel(subscriber: Subscriber, name: string): Channel | undefined {
  try {
    return findChannel(subscriber, name)
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

async function meetAll(
  name: string,
  { events, position }: ChannelEvents,
  meet: MeetChannel,
): Promise<ChannelEvents & Pick<Met, 'isUsedUp'>> {
  const met = await meet(name, { messages: events.map(({ message }) => message), position })
  const known = new Map(events.map((event) => [event.message, event]))
  const left = met.messages.map((message) => known.get(message) ?? makeEvent(name, message))
  return { events: left, position: met.position, isUsedUp: met.isUsedUp }
}

/** Reads events for answers. */
export class EventReader {
  readonly #feed: EventFeed
  readonly #reads = new SharedReads<ChannelEvents | undefined>()

  constructor(feed: EventFeed) {
    this.#feed = feed
  }

  /**
   * Events of several channels, beginning with the channel that is furthest behind, so that a busy one keeps no other waiting.
   * @returns undefined: events that a subscription would have had are gone
   */
  async read(
    subscriber: Subscriber,
    subscriptions: readonly Subscription[],
    { max = MAX_EVENTS, meet }: ReadOptions = {},
  ): Promise<ReadEvents | undefined> {
    const texts: string[] = []
    const read = new Map<string, number>()
    let bytes = 0
    let isUsedUp = false
    for (const { channel: name, position } of subscriptions.toSorted((a, b) => a.position - b.position)) {
      const channel = findOpenChannel(subscriber, name)
      if (channel === undefined) continue
      read.set(name, position)
      if (texts.length === max || bytes >= MAX_BYTES) continue
      const kept = await this.#readChannel(subscriber, channel, name, position)
      if (kept === undefined) return undefined
      const found = meet === undefined ? kept : await meetAll(name, kept, meet)
      if ('isUsedUp' in found && found.isUsedUp) isUsedUp = true
      const taken = found.events.slice(0, max - texts.length).filter((event) => {
        bytes += event.bytes
        return bytes <= MAX_BYTES || (texts.length === 0 && event === found.events[0])
      })
      texts.push(...taken.map(({ text }) => text))
      const isAll = taken.length === found.events.length
      read.set(name, isAll ? found.position : (taken.at(-1)?.position ?? position))
    }
    return {
      texts,
      subscriptions: subscriptions.map((one) => ({ ...one, sent: read.get(one.channel) ?? one.position })),
      after: Math.min(...read.values()),
      isUsedUp,
    }
  }

  /** @returns undefined: events after the position are gone */
  #readChannel(
    subscriber: Subscriber,
    channel: Channel,
    name: string,
    after: number,
  ): Promise<ChannelEvents | undefined> {
    // Its texts have the name by which the client knows the channel.
    return this.#reads.read(subscriber, { ...channel, name }, after, () =>
      this.#load(subscriber, channel, name, after),
    )
  }

  async #load(
    subscriber: Subscriber,
    channel: Channel,
    name: string,
    after: number,
  ): Promise<ChannelEvents | undefined> {
    try {
      const { messages, position } = await this.#feed.read(subscriber, channel, after, MAX_EVENTS)
      return { events: messages.map((message) => makeEvent(name, message)), position }
    } catch (error) {
      if (error instanceof ApiError && error.code === 'ILLEGAL_QUERY_PARAMETER_VALUE') return undefined
      throw error
    }
  }
}
