import type { Context } from '../../context.ts'
import type { JobStore } from '../../scripting/work/work.ts'
import { makeTimestamp } from '../../storage/database/timestamp.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { type AcceptedDelivery, deliverySql } from './deliveries.sql.ts'

/** Name of the delivery log table and of its queue. */
export const DELIVERY_LOG = 'webhookdelivery'

/** Key prefix of WebhookDelivery. */
const PREFIX = '0Wd'

/** Maximum deliveries, and their maximum bytes, in one transaction. */
const MAX_AT_ONCE = 50
const MAX_BYTES = 16 * 1024 * 1024

/** Headers with credentials, which are not stored. */
const CREDENTIAL_HEADERS = ['authorization', 'cookie', 'proxy-authorization']

export interface Incoming {
  readonly receiver: string
  readonly bytes: Buffer
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

interface Waiting {
  readonly org: Org
  readonly delivery: AcceptedDelivery
  resolve(): void
  reject(error: unknown): void
}

const headersText = (headers: Incoming['headers']) => {
  const kept = Object.entries(headers).filter(([name]) => !CREDENTIAL_HEADERS.includes(name))
  return JSON.stringify(Object.fromEntries(kept.map(([name, value]) => [name, String(value)])))
}

/**
 * Stores deliveries durably and queues their processing. Deliveries that arrive during a transaction share the next
 * one, so that a burst needs few transactions.
 */
export class DeliveryLog {
  readonly #jobStore: JobStore
  readonly #waiting: Waiting[] = []
  #isStoring = false

  /** True if senders wait for their deliveries to be stored. */
  get isBusy(): boolean {
    return this.#isStoring
  }

  constructor(jobStore: JobStore) {
    this.#jobStore = jobStore
  }

  /** @returns id of its record, once it is committed */
  async add(ctx: Context, { receiver, bytes, headers }: Incoming): Promise<string> {
    const delivery: AcceptedDelivery = {
      id: await ctx.ids.make(PREFIX),
      receiver,
      body: bytes,
      headers: headersText(headers),
      userId: ctx.principal.userId,
      timestamp: makeTimestamp(ctx.clock()),
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#waiting.push({ org: ctx.org, delivery, resolve, reject })
    void this.#store()
    await promise
    return delivery.id
  }

  async #store(): Promise<void> {
    if (this.#isStoring) return
    this.#isStoring = true
    while (this.#waiting.length > 0) await this.#storeTogether(this.#takeSome())
    this.#isStoring = false
  }

  /** Takes the oldest deliveries of one org. */
  #takeSome(): readonly Waiting[] {
    const [{ org }] = this.#waiting as [Waiting]
    let bytes = 0
    let count = 0
    for (const { org: other, delivery } of this.#waiting.slice(0, MAX_AT_ONCE)) {
      bytes += delivery.body.length
      if (other.id !== org.id || (count > 0 && bytes > MAX_BYTES)) break
      count++
    }
    return this.#waiting.splice(0, count)
  }

  async #storeTogether(some: readonly Waiting[]): Promise<void> {
    const { db, queue, log } = this.#jobStore
    const [{ org }] = some as readonly [Waiting]
    try {
      await db.transaction(async (tx) => {
        await tx.query(
          deliverySql.insert(
            org,
            some.map(({ delivery }) => delivery),
          ),
        )
        await queue.send(
          tx,
          log,
          some.map(({ delivery }) => ({ orgId: org.id, recordId: delivery.id })),
        )
      })
      for (const { resolve } of some) resolve()
    } catch (error) {
      for (const { reject } of some) reject(error)
    }
  }
}
