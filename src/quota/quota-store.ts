import { randomUUID } from 'node:crypto'
import type { ApiVersion } from '../base/api-version.ts'
import type { Clock } from '../base/clock.ts'
import { getOrInsert } from '../base/get-or-insert.ts'
import type { Db } from '../storage/database/db.ts'
import { databaseFault } from '../storage/database/pg-error.ts'
import type { Org } from '../storage/orgs/org.ts'
import { EventCount, type EventUse } from './event-count.ts'
import { tooManyLongCalls } from './limit-errors.ts'
import { Quota } from './quota.ts'
import { VersionUse } from './version-use.ts'

/** Interval of flushing counts to the database. A process that is killed loses no more than that. */
const FLUSH_INTERVAL_MS = 1000

/** Longer than any call waits for its count. What an org counted before is in the database, so that it is forgotten here. */
const IDLE_MS = 5 * 60_000

/** Dependencies of a quota store. */
interface QuotaStoreOptions {
  readonly db: Db
  /** The clock of an org, by its id. */
  readonly clockOf: (orgId: string) => Clock
  /** Maximum calls of each org in 24 hours; undefined: calls are counted but not limited. */
  readonly limit: number | undefined
  /** Maximum events of each org in their windows; undefined: they are counted but not limited. */
  readonly eventLimits: Readonly<Record<EventUse, number | undefined>>
  /** Maximum number of concurrent long calls; above it new calls are refused. */
  readonly maxLongCalls: number
  /** Number of long calls of an org in this process, and whether it has any running call. */
  readonly longCalls: (orgId: string) => number
  readonly isRunning: (orgId: string) => boolean
  /** Maximum calls of an app in 24 hours; undefined: no limit but the org's. */
  readonly budgetOf: (org: Org, clientId: string) => Promise<number | undefined>
  /** After how long an org without calls takes no memory any more, in milliseconds; default five minutes. */
  readonly idleMs?: number
}

/** Accounts toward which a call counts. */
interface CountedCall {
  readonly org: Org
  /** Undefined for calls without an app: those of the guest and of commands on this machine. */
  readonly clientId: string | undefined
  readonly version: ApiVersion
  /** It goes on while the database takes no writes. */
  readonly onlyReads: boolean
}

/** The counts of an org in this process. */
interface Account {
  readonly orgQuota: Quota
  readonly apps: Map<string, Quota>
  readonly versions: VersionUse
  readonly events: Readonly<Record<EventUse, EventCount>>
  usedAt: number
}

const isIdle = ({ orgQuota, apps, versions, events }: Account) =>
  [orgQuota, ...apps.values(), versions, ...Object.values(events)].every((part) => part.isIdle)

async function writeDown({ orgQuota, apps, versions, events }: Account): Promise<void> {
  for (const part of [orgQuota, ...apps.values(), ...Object.values(events)]) await part.flush()
  await versions.flush()
}

/**
 * Counts the calls of all orgs that this process serves. All integrations of an org share its allocation, over all
 * processes. (docs/reference/api/limits-and-versions.md#allocation)
 */
export class QuotaStore {
  readonly #options: QuotaStoreOptions
  readonly #process = randomUUID()
  readonly #accounts = new Map<string, Account>()
  #flushTimer: NodeJS.Timeout | undefined
  #isWriting = false

  constructor(options: QuotaStoreOptions) {
    this.#options = options
  }

  /**
   * Counts one call. Returns undefined if it was admitted without waiting.
   * @throws ApiError REQUEST_LIMIT_EXCEEDED: the allocation or the app's budget is used up, or too many long calls run
   */
  count(call: CountedCall): Promise<void> | undefined {
    const account = this.#getAccount(call.org)
    this.#startFlushing()
    const { clientId } = call
    const app = clientId === undefined ? undefined : this.#getAppQuota(account, call.org, clientId)
    const wait = app?.take(call.onlyReads)
    return wait === undefined
      ? this.#countOrg(account, app, call)
      : wait.then(() => this.#countOrg(account, app, call))
  }

  /** Number of orgs whose counts are held in memory. */
  get size(): number {
    return this.#accounts.size
  }

  /** Calls of an org in the last 24 hours, as far as this process knows. */
  used(orgId: string): number {
    return this.#accounts.get(orgId)?.orgQuota.used ?? 0
  }

  /**
   * Counts events of an org, as many as its limit leaves.
   * @param db of the transaction that the caller is in, if any
   * @returns how many were counted
   */
  takeEvents(org: Org, use: EventUse, wanted: number, db?: Db): Promise<number> {
    const { events } = this.#getAccount(org)
    this.#startFlushing()
    return events[use].take(wanted, db)
  }

  /** Events of an org in their window. */
  usedEvents(org: Org, use: EventUse, db: Db): Promise<number> {
    return this.#getAccount(org).events[use].load(db)
  }

  /** Flushes the counts of an org, for readers of the database. */
  async writeDown(orgId: string): Promise<void> {
    const account = this.#accounts.get(orgId)
    if (account !== undefined) await writeDown(account)
  }

  /** Discards what is known of an org, because its clock changed. */
  forget(orgId: string): void {
    const account = this.#accounts.get(orgId)
    account?.orgQuota.forget()
    for (const app of account?.apps.values() ?? []) app.forget()
    for (const count of Object.values(account?.events ?? {})) count.forget()
  }

  /** Flushes all counts and releases leases. */
  async close(): Promise<void> {
    this.#rest()
    for (const { orgQuota, apps, versions, events } of this.#accounts.values()) {
      for (const part of [orgQuota, ...apps.values(), ...Object.values(events)]) await part.release()
      await versions.flush()
    }
    this.#accounts.clear()
  }

  /** A call that the org's quota refuses does not count toward the app's. */
  #countOrg(account: Account, app: Quota | undefined, call: CountedCall): Promise<void> | undefined {
    const wait = account.orgQuota.take(call.onlyReads)
    if (wait === undefined) return this.#admit(account, app, call)
    return wait.then(
      () => this.#admit(account, app, call),
      (refusal) => {
        app?.untake()
        throw refusal
      },
    )
  }

  /** Rejected calls are not counted. */
  #admit(
    { orgQuota, versions }: Account,
    app: Quota | undefined,
    { org, clientId, version }: CountedCall,
  ): undefined {
    const { longCalls, maxLongCalls } = this.#options
    if (longCalls(org.id) + orgQuota.longElsewhere > maxLongCalls) {
      orgQuota.untake()
      app?.untake()
      throw tooManyLongCalls()
    }
    versions.note(version, clientId)
  }

  #getAccount(org: Org): Account {
    const account = getOrInsert(this.#accounts, org.id, (): Account => {
      const { db, limit, clockOf } = this.#options
      const clock = clockOf(org.id)
      return {
        orgQuota: this.#quota(org, undefined, () => limit),
        apps: new Map(),
        versions: new VersionUse(db, org, clock),
        events: {
          delivered: this.#countEvents(org, 'delivered'),
          published: this.#countEvents(org, 'published'),
        },
        usedAt: 0,
      }
    })
    account.usedAt = performance.now()
    return account
  }

  #countEvents(org: Org, use: EventUse): EventCount {
    const { db, clockOf, eventLimits } = this.#options
    return new EventCount(org.id, use, {
      db,
      clock: clockOf(org.id),
      process: this.#process,
      max: eventLimits[use],
    })
  }

  #getAppQuota({ apps }: Account, org: Org, clientId: string): Quota {
    return getOrInsert(apps, clientId, () => {
      let budget: number | undefined
      return this.#quota(
        org,
        clientId,
        () => budget,
        async () => {
          budget = await this.#options.budgetOf(org, clientId)
        },
      )
    })
  }

  #quota(
    org: Org,
    clientId: string | undefined,
    limit: () => number | undefined,
    refresh?: () => Promise<void>,
  ): Quota {
    const { db, clockOf, longCalls, isRunning } = this.#options
    const isOrgQuota = clientId === undefined
    return new Quota(
      { orgId: org.id, clientId },
      {
        db,
        clock: clockOf(org.id),
        process: this.#process,
        limit,
        refresh,
        longCalls: () => (isOrgQuota ? longCalls(org.id) : 0),
        isRunning: () => isOrgQuota && isRunning(org.id),
      },
    )
  }

  /** Starts flushing each second; it stops when no counts are held. */
  #startFlushing(): void {
    if (this.#flushTimer !== undefined) return
    this.#flushTimer = setInterval(() => void this.#flushAll(), FLUSH_INTERVAL_MS).unref()
  }

  async #flushAll(): Promise<void> {
    if (this.#isWriting) return
    this.#isWriting = true
    const idleMs = this.#options.idleMs ?? IDLE_MS
    for (const [orgId, account] of this.#accounts) {
      try {
        await writeDown(account)
        if (isIdle(account) && performance.now() - account.usedAt >= idleMs) this.#accounts.delete(orgId)
      } catch (error) {
        // Counts that could not be flushed are kept for the next time, unless the org is gone.
        if (databaseFault(error)?.kind === 'missing reference') this.#accounts.delete(orgId)
      }
    }
    this.#isWriting = false
    if (this.#accounts.size === 0) this.#rest()
  }

  #rest(): void {
    clearInterval(this.#flushTimer)
    this.#flushTimer = undefined
  }
}
