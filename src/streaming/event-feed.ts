import { ApiError } from '../base/api-error.ts'
import { FewAtATime } from '../base/few-at-a-time.ts'
import { getOrInsert } from '../base/get-or-insert.ts'
import type { Observe } from '../base/observation.ts'
import type { Sql } from '../base/sql.ts'
import type { Config } from '../config/config.ts'
import type { Db } from '../storage/database/db.ts'
import type { Org } from '../storage/orgs/org.ts'
import type { Channel, Subscriber } from './channel.ts'
import { type EventBounds, type EventRow, eventLogSql } from './event-log.sql.ts'
import type { EventMessage } from './event-message.ts'
import { renderChange } from './render-change.ts'
import { renderPublished } from './render-published.ts'
import { invalidReplay } from './replay.ts'

/** How often it is looked for new events while somebody waits for them, in milliseconds. */
const LOOK_MS = 150
/** The same after a look that failed. */
const RETRY_MS = 1000

/** Positions that one statement looks at. */
const WINDOW = 1000
/** Statements of one read. */
const MAX_WINDOWS = 20

/** Contents of one answer together, in characters: as much as one event may have. Who does not read them holds as much. */
const MAX_LENGTH = 1_000_000

/** Events that one statement gives positions: less than a second's work. */
const MAX_GIVEN = 20_000

/** Reads at a time: whoever follows shares few connections with what no call may wait for. */
const MAX_READS = 2

/** How long events are kept, in hours by the clock of their org. Those of topics and generic channels are told for a shorter time. */
const EVENT_HOURS = 72
const TOPIC_HOURS = 24
const FORGET_MS = 60_000
/** Events that one statement deletes. */
const MAX_FORGOTTEN = 10_000

const NO_RENDERERS: NonNullable<Channel['renderers']> = new Map()

interface Waiting {
  readonly after: number
  readonly wake: () => void
}

interface Options {
  /** What must not wait behind calls. */
  readonly db: Db
  readonly observe: Observe
  /** Bounds the log of an org: its oldest events go first. */
  readonly config: Pick<Config, 'eventLogMegabytes'>
}

/** The messages of a channel after a position. */
export interface Read {
  readonly messages: readonly EventMessage[]
  /** Up to where the log was read. */
  readonly position: number
}

/**
 * The events of all orgs for those who follow them. A position is given when events are read or waited for: only then is it certain
 * in which order their transactions were committed. (docs/adr/0044-events.md)
 */
export class EventFeed {
  readonly #options: Options
  /** Who waits, by the id of the org. */
  readonly #waiting = new Map<string, Set<Waiting>>()
  /** By the id of the org: who gives positions now, and who does it after that. */
  readonly #giving = new Map<string, Promise<void>>()
  readonly #givingNext = new Map<string, Promise<void>>()
  readonly #reads = new FewAtATime(MAX_READS)
  readonly #asking = new Map<string, Promise<EventBounds>>()
  #look: NodeJS.Timeout | undefined
  #forgetSoon: NodeJS.Timeout | undefined
  #looking: Promise<unknown> = Promise.resolve()
  #forgetting: Promise<unknown> = Promise.resolve()
  #isClosed = false

  constructor(options: Options) {
    this.#options = options
  }

  /** Starts to delete old events. */
  begin(): void {
    this.#forgetIn(FORGET_MS)
  }

  /** True once the server stops: nobody waits any more. */
  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Which positions can be read now. */
  async bounds(org: Org): Promise<EventBounds> {
    const { db } = this.#options
    await this.givePositions([org.id])
    const [bounds] = await db.query<EventBounds>(eventLogSql.bounds(org))
    if (bounds !== undefined) return bounds
    // From now on somebody follows it, and has to know if it is put back.
    await db.query(eventLogSql.begin(org.id))
    return { gone: 0, last: 0 }
  }

  /** The same for those who ask while others do: it may be what was so a moment ago, which is enough for whoever looks again. */
  #sharedBounds(org: Org): Promise<EventBounds> {
    return getOrInsert(this.#asking, org.id, () =>
      this.bounds(org).finally(() => this.#asking.delete(org.id)),
    )
  }

  /**
   * Reads the log from a position on, oldest first. Without messages it may be read up to a position before the last one.
   * @throws ApiError ILLEGAL_QUERY_PARAMETER_VALUE when events after the position are gone
   * @param max number of events that are read; some of them may not be for the subscriber
   */
  read(subscriber: Subscriber, channel: Channel, after: number, max: number): Promise<Read> {
    return this.#reads.run(() => this.#readNow(subscriber, channel, after, max))
  }

  async #readNow(
    { org }: Subscriber,
    { objects, renderers = NO_RENDERERS }: Channel,
    after: number,
    max: number,
  ): Promise<Read> {
    const { gone, last } = await this.#sharedBounds(org)
    if (after < gone) throw new ApiError('ILLEGAL_QUERY_PARAMETER_VALUE', invalidReplay(after))
    let position = after
    for (let windows = 0; position < last && windows < MAX_WINDOWS; windows++) {
      // So that a plan that knows nothing of the log does not read all of the rest each time.
      const upTo = Math.min(last, position + WINDOW)
      const statement = eventLogSql.read(org, [...objects.keys(), ...renderers.keys()], {
        after: position,
        upTo,
        max,
        maxLength: MAX_LENGTH,
        topicHours: TOPIC_HOURS,
      })
      const rows = await this.#options.db.query<EventRow>(statement)
      const found = rows[0]?.found ?? 0
      const isAll = found < max && rows.length === found
      position = isAll ? upTo : rows.at(-1)!.position
      const messages = rows.flatMap((row) => {
        const renderer = renderers.get(row.object)
        if (renderer !== undefined) return renderer(row) ?? []
        const followed = objects.get(row.object)!
        return (
          (row.kind === 'PUBLISH'
            ? renderPublished(followed.object, row)
            : renderChange(org.id, followed, row)) ?? []
        )
      })
      if (messages.length > 0) return { messages, position }
    }
    return { messages: [], position }
  }

  /** Has an event come once more, with another position. */
  async copy(org: Org, position: number): Promise<void> {
    await this.#options.db.query(eventLogSql.copy(org, position))
  }

  /** Forgets all events of an org, as when it is put back to a snapshot. */
  async reset(org: Org): Promise<void> {
    await this.#options.db.transaction(async (tx) => {
      for (const statement of eventLogSql.reset(org)) await tx.query(statement)
    })
  }

  /** Waits until the log of the org goes beyond a position, the signal aborts, or the server stops. */
  async grown(org: Org, after: number, signal: AbortSignal): Promise<void> {
    if (this.#isClosed || signal.aborted) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const wake = () => resolve()
    const waiting = { after, wake }
    const ofOrg = getOrInsert(this.#waiting, org.id, () => new Set())
    ofOrg.add(waiting)
    signal.addEventListener('abort', wake, { once: true })
    this.#lookIn(LOOK_MS)
    try {
      await promise
    } finally {
      signal.removeEventListener('abort', wake)
      ofOrg.delete(waiting)
      if (ofOrg.size === 0) this.#waiting.delete(org.id)
    }
  }

  /** Wakes everybody who waits, and deletes no more. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#look)
    clearTimeout(this.#forgetSoon)
    for (const ofOrg of this.#waiting.values()) for (const { wake } of ofOrg) wake()
    await Promise.all([this.#looking, this.#forgetting])
  }

  #lookIn(milliseconds: number): void {
    if (this.#look !== undefined || this.#isClosed || this.#waiting.size === 0) return
    this.#look = setTimeout(() => {
      this.#looking = this.#wakeGrown()
        .then(
          () => LOOK_MS,
          () => RETRY_MS,
        )
        .then((next) => {
          this.#look = undefined
          this.#lookIn(next)
        })
    }, milliseconds)
  }

  async #wakeGrown(): Promise<void> {
    const ids = [...this.#waiting.keys()]
    await this.givePositions(ids)
    const ends = await this.#options.db.query<{ orgId: string; last: number }>(eventLogSql.ends(ids))
    for (const { orgId, last } of ends)
      for (const { after, wake } of this.#waiting.get(orgId) ?? []) if (last > after) wake()
  }

  /** Gives the committed events of orgs their positions. */
  async givePositions(ids: readonly string[]): Promise<void> {
    const { db } = this.#options
    for (const { orgId } of await db.query<{ orgId: string }>(eventLogSql.waiting(ids)))
      await this.#giveInTurn(orgId)
  }

  /** Whoever asks while positions of the org are being given waits for the next time, together with others. */
  #giveInTurn(orgId: string): Promise<void> {
    const given = this.#giving.get(orgId)
    if (given === undefined) return this.#beginGiving(orgId)
    return getOrInsert(this.#givingNext, orgId, () =>
      given
        .catch(() => {})
        .then(() => {
          this.#givingNext.delete(orgId)
          return this.#beginGiving(orgId)
        }),
    )
  }

  #beginGiving(orgId: string): Promise<void> {
    const given = this.#give(orgId).finally(() => {
      if (this.#giving.get(orgId) === given) this.#giving.delete(orgId)
    })
    this.#giving.set(orgId, given)
    return given
  }

  /** A long log takes several statements. */
  async #give(orgId: string): Promise<void> {
    for (let max = MAX_GIVEN, isCut = true; isCut && !this.#isClosed; ) {
      const [row] = await this.#options.db.transaction(async (tx) => {
        for (const statement of eventLogSql.hold(orgId)) await tx.query(statement)
        return tx.query<{ isCut: boolean; given: number }>(eventLogSql.givePositions(orgId, max))
      })
      isCut = row?.isCut === true
      // The first transaction has more.
      if (row?.given === 0) max *= 4
    }
  }

  #forgetIn(milliseconds: number): void {
    this.#forgetSoon = setTimeout(() => {
      this.#forgetting = this.forgetGone()
        .catch((error) => this.#options.observe({ kind: 'failure', errorId: 'events', error }))
        .finally(() => {
          if (!this.#isClosed) this.#forgetIn(FORGET_MS)
        })
    }, milliseconds).unref()
  }

  /** Deletes the events that are too old, and the oldest ones of orgs whose logs are too long. Happens each minute. */
  async forgetGone(): Promise<void> {
    const { config } = this.#options
    // So that it is known how long the logs are that nobody follows.
    const waiting = await this.#options.db.query<{ orgId: string }>(eventLogSql.allWaiting)
    await this.givePositions(waiting.map(({ orgId }) => orgId))
    await this.#forget(eventLogSql.forgetOld(EVENT_HOURS, MAX_FORGOTTEN))
    await this.#forget(eventLogSql.forgetLong(config.eventLogMegabytes * 1024 ** 2, MAX_FORGOTTEN))
  }

  async #forget(some: Sql): Promise<void> {
    for (let count = 1; count > 0 && !this.#isClosed; ) {
      const [row] = await this.#options.db.query<{ count: number }>(some)
      count = row?.count ?? 0
    }
  }
}
