import { getOrInsert } from '../base/get-or-insert.ts'
import type { Channel, Subscriber } from './channel.ts'

/** Reads of channels that are under way. An event wakes all who wait for it: those who see the same, from the same position on, read it once. */
export class SharedReads<T> {
  readonly #reading = new Map<string, Promise<T>>()

  /** Joins the read that is under way of a channel as the subscriber sees it, or begins one. */
  read(subscriber: Subscriber, channel: Channel, after: number, begin: () => Promise<T>): Promise<T> {
    const { org, schema, access } = subscriber
    const { name, objects, renderers, key: own } = channel
    const seen = [...objects.keys(), ...(renderers?.keys() ?? [])].join()
    const key = JSON.stringify([org.id, schema.version, access.key, seen, own, name, after])
    return getOrInsert(this.#reading, key, () => begin().finally(() => this.#reading.delete(key)))
  }
}
