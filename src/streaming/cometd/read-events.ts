import { ApiError } from '../../base/api-error.ts'
import { getOrInsert } from '../../base/get-or-insert.ts'
import { type Channel, findChannel, type Subscriber } from '../channel.ts'
import type { EventFeed } from '../event-feed.ts'
import type { Subscription } from './stream-clients.ts'

/** How many events an answer has at most, and how many bytes, if it has more than one. */
const MAX_EVENTS = 100
const MAX_BYTES = 1024 * 1024

/** The events of a channel after a position. */
interface ChannelEvents {
  readonly events: readonly { readonly position: number; readonly text: string; readonly bytes: number }[]
  /** Up to where the log was read. */
  readonly position: number
}

interface ReadEvents {
  /** JSON of the messages. */
  readonly texts: readonly string[]
  /** Up to where the subscriptions were read. */
  readonly subscriptions: readonly Subscription[]
  /** There is nothing up to here; infinite where no channel can be followed. */
  readonly after: number
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

/** Reads events for answers. An event wakes all clients that wait for it: those who see the same read it once. */
export class EventReader {
  readonly #feed: EventFeed
  /** Reads that are under way. */
  readonly #reading = new Map<string, Promise<ChannelEvents | undefined>>()

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
  ): Promise<ReadEvents | undefined> {
    const texts: string[] = []
    const read = new Map<string, number>()
    let bytes = 0
    for (const { channel: name, position } of subscriptions.toSorted((a, b) => a.position - b.position)) {
      const channel = findOpenChannel(subscriber, name)
      if (channel === undefined) continue
      read.set(name, position)
      if (texts.length === MAX_EVENTS || bytes >= MAX_BYTES) continue
      const found = await this.#readChannel(subscriber, channel, name, position)
      if (found === undefined) return undefined
      const taken = found.events.slice(0, MAX_EVENTS - texts.length).filter((event) => {
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
    }
  }

  /** @returns undefined: events after the position are gone */
  #readChannel(
    subscriber: Subscriber,
    channel: Channel,
    name: string,
    after: number,
  ): Promise<ChannelEvents | undefined> {
    const { org, schema, access } = subscriber
    const seen = [...channel.objects.keys(), ...(channel.renderers?.keys() ?? [])].join()
    const key = JSON.stringify([org.id, schema.version, access.key, seen, channel.key, name, after])
    return getOrInsert(this.#reading, key, () =>
      this.#load(subscriber, channel, name, after).finally(() => this.#reading.delete(key)),
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
      const events = messages.map(({ position: at, data }) => {
        const text = JSON.stringify({ channel: name, data })
        return { position: at, text, bytes: Buffer.byteLength(text) }
      })
      return { events, position }
    } catch (error) {
      if (error instanceof ApiError && error.code === 'ILLEGAL_QUERY_PARAMETER_VALUE') return undefined
      throw error
    }
  }
}
