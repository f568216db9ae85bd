import { findAdministrator } from '../../auth/users/users.ts'
import type { Observe } from '../../base/observation.ts'
import type { ContextFactory } from '../../calls/context-factory.ts'
import type { Config } from '../../config/config.ts'
import type { Context, TriggerRecord, Triggers } from '../../context.ts'
import { EVENT_UUID } from '../../schema/objects/event-fields.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { OrgHosts } from '../../storage/orgs/org-hosts.ts'
import type { EventFeed } from '../../streaming/event-feed.ts'
import { makePayload, readUuid } from '../../streaming/render-published.ts'
import { type DueEvents, eventTriggerSql, type TriggeringEvent } from './event-trigger.sql.ts'

/** How often it is looked for events, in milliseconds. */
const LOOK_MS = 300
/** The same after a look that failed. */
const RETRY_MS = 2000

/** Events of one batch. */
const MAX_EVENTS = 200

/** Batches that run at a time in a process, each of another object or org. */
const MAX_AT_ONCE = 4

/** Longest pause before a batch is tried again, in seconds. */
const MAX_PAUSE_SECONDS = 300

/** Pause after the first try that never came back, in seconds. */
const LOST_SECONDS = 5

/** How long a batch may run, in seconds, if calls may run longer. */
const MAX_RUN_SECONDS = 60

interface Options {
  readonly triggers: Triggers
  readonly feed: Pick<EventFeed, 'givePositions'>
  /** For short statements that must not wait behind calls. */
  readonly reserved: Db
  readonly contexts: Pick<ContextFactory, 'makeForUser'>
  readonly hosts: Pick<OrgHosts, 'find'>
  readonly observe: Observe
  readonly config: Pick<Config, 'callSeconds'>
}

/** The batch that begins with the first event: what the same user published. */
function takeBatch(events: readonly TriggeringEvent[]): readonly TriggeringEvent[] {
  const end = events.findIndex(({ userId }) => userId !== events[0]!.userId)
  return end === -1 ? events : events.slice(0, end)
}

/** Somebody else has carried out the batch. */
class Overtaken extends Error {}

/** @throws Error when the time is up; the work is not waited for any more */
async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new Error(`The triggers have run for ${milliseconds / 1000} seconds`)),
    milliseconds,
  )
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Runs the triggers of platform events, behind those who publish them: in batches, in the order of the events, each batch in a transaction
 * that also moves the position of the triggers in the log. So what triggers write happens once, and a batch that fails is tried again.
 * (docs/how-to/write-a-trigger.md#triggers-of-platform-events)
 */
export class EventTriggers {
  readonly #options: Options
  readonly #running = new Map<string, Promise<void>>()
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<unknown> = Promise.resolve()
  #isClosed = false
  #isListening = false

  constructor(options: Options) {
    this.#options = options
  }

  /** Begins to look for events, if any trigger runs for them. */
  begin(): void {
    if (this.#options.triggers.eventObjects.length > 0) this.#lookIn(0)
  }

  /** Runs what is due now, and waits for it. */
  async runDue(): Promise<void> {
    await this.#look()
    await Promise.all(this.#running.values())
  }

  /** Begins nothing more, and waits for what runs. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#looking
    await Promise.all(this.#running.values())
  }

  #lookIn(milliseconds: number): void {
    if (this.#isClosed) return
    this.#timer = setTimeout(() => {
      this.#looking = this.#look()
        .then(
          () => LOOK_MS,
          () => RETRY_MS,
        )
        .then((next) => this.#lookIn(next))
    }, milliseconds).unref()
  }

  async #look(): Promise<void> {
    const { reserved, feed, triggers } = this.#options
    const objects = triggers.eventObjects
    if (!this.#isListening) await reserved.query(eventTriggerSql.listen(objects))
    this.#isListening = true
    if (this.#running.size >= MAX_AT_ONCE) return
    const waiting = await reserved.query<{ orgId: string }>(eventTriggerSql.waiting(objects))
    await feed.givePositions(waiting.map(({ orgId }) => orgId))
    for (const due of await reserved.query<DueEvents>(eventTriggerSql.due(objects, 2 * MAX_AT_ONCE))) {
      const key = `${due.orgId} ${due.object}`
      if (this.#running.has(key) || this.#running.size >= MAX_AT_ONCE || this.#isClosed) continue
      this.#running.set(
        key,
        this.#carryOut(due).finally(() => this.#running.delete(key)),
      )
    }
  }

  async #carryOut({ orgId, object }: DueEvents): Promise<void> {
    const { hosts, observe, reserved } = this.#options
    let org: Org | undefined
    try {
      org = await hosts.find(orgId)
      if (org === undefined) return
      while (!this.#isClosed) {
        const events = await reserved.query<TriggeringEvent>(eventTriggerSql.read(org, object, MAX_EVENTS))
        if (events.length === 0 || !(await this.#claim(org, object))) return
        await this.#carryOutBatch(org, object, takeBatch(events))
      }
    } catch (error) {
      if (error instanceof Overtaken && org !== undefined) {
        await reserved.query(eventTriggerSql.release(org, object)).catch(() => {})
        return
      }
      observe({ kind: 'failure', errorId: `triggers of ${object}`, error })
      // If the database is away, the next look is later anyway.
      if (org !== undefined)
        await reserved.query(eventTriggerSql.putOff(org, object, MAX_PAUSE_SECONDS)).catch(() => {})
    }
  }

  /** @returns false if somebody else has begun a try */
  async #claim(org: Org, object: string): Promise<boolean> {
    const { reserved } = this.#options
    await reserved.query(eventTriggerSql.ensure(org, object))
    const claim = eventTriggerSql.claim(org, object, LOST_SECONDS, MAX_PAUSE_SECONDS)
    return (await reserved.query(claim)).length > 0
  }

  async #carryOutBatch(org: Org, object: string, events: readonly TriggeringEvent[]): Promise<void> {
    const { triggers, config } = this.#options
    const ctx = await this.#makeContext(org, events[0]!.userId)
    const type = ctx.schema.object(object)
    const [first, last] = [events[0]!.position, events.at(-1)!.position]
    await ctx.db.transaction(async (db) => {
      // It holds the row until the end: no other process can claim it meanwhile.
      const [done] = await db.query(eventTriggerSql.advance(org, object, first, last))
      if (done === undefined) throw new Overtaken()
      // An org without the object any more.
      if (type === undefined) return
      const records = events.map((event): TriggerRecord => {
        const record = {
          ReplayId: String(event.position),
          [EVENT_UUID]: readUuid(event),
          ...makePayload(type, event),
        }
        return { record, old: undefined, errors: [] }
      })
      // Inside of the transaction, so that it is rolled back when the time is up.
      await within(
        Math.min(MAX_RUN_SECONDS, config.callSeconds) * 1000,
        triggers.run({ ...ctx, db }, type.name, 'afterInsert', records),
      )
      const refused = records.flatMap(({ errors }) => errors)[0]
      if (refused !== undefined)
        throw new Error(`A trigger of ${type.name} has refused an event: ${refused.message}`)
    })
  }

  /** Of who published the events; of an administrator if that user is not there any more. */
  async #makeContext(org: Org, userId: string): Promise<Context> {
    const { contexts, reserved } = this.#options
    const publisher = await contexts.makeForUser(org, { userId })
    if (publisher !== undefined) return publisher
    const administrator = await findAdministrator(reserved, org)
    const ctx = administrator && (await contexts.makeForUser(org, { userId: administrator.id }))
    if (ctx === undefined) throw new Error(`The org ${org.id} has no active administrator`)
    return ctx
  }
}
