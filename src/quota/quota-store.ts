import { randomUUID } from 'node:crypto'
import type { ApiVersion } from '../base/api-version.ts'
import type { Clock } from '../base/clock.ts'
import { getOrInsert } from '../base/get-or-insert.ts'
import type { Db } from '../storage/database/db.ts'
import { databaseFault } from '../storage/database/pg-error.ts'
import type { Org } from '../storage/orgs/org.ts'
import { tooManyLongCalls } from './limit-errors.ts'
import { Quota } from './quota.ts'
import { VersionUse } from './version-use.ts'

/** How often what was counted is written down, in milliseconds: a process that is killed forgets no more than that. */
const BEAT = 1000

/** What a ledger needs of the house. */
export interface QuotaStoreOptions {
  readonly db: Db
  /** The clock of an org, by its id. */
  readonly clockOf: (orgId: string) => Clock
  /** Calls of each org in 24 hours; undefined: they are only counted. */
  readonly limit: number | undefined
  /** So many calls that run for long may run at once; more of them keep new ones out. */
  readonly maxLongCalls: number
  /** Calls of an org in this process that run for long, and whether any runs. */
  readonly longCalls: (orgId: string) => number
  readonly isRunning: (orgId: string) => boolean
  /** How many calls of an org's allocation an app may make; undefined: as many as there are. */
  readonly budgetOf: (org: Org, clientId: string) => Promise<number | undefined>
}

/** Who calls, and how. */
export interface CountedCall {
  readonly org: Org
  /** Undefined: no app's, as of the guest or of a command on this machine. */
  readonly clientId: string | undefined
  readonly version: ApiVersion
}

/** What this process counts of an org. */
interface Account {
  readonly whole: Quota
  readonly apps: Map<string, Quota>
  readonly versions: VersionUse
}

async function writeDown({ whole, apps, versions }: Account): Promise<void> {
  for (const quota of [whole, ...apps.values()]) await quota.beat()
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
  #beating: NodeJS.Timeout | undefined
  #isWriting = false

  constructor(options: QuotaStoreOptions) {
    this.#options = options
  }

  /**
   * Counts one call. Undefined: it was let in at once.
   * @throws ApiError REQUEST_LIMIT_EXCEEDED: the allocation, or the app's budget, is used up, or too many calls run for long
   */
  count(call: CountedCall): Promise<void> | undefined {
    const account = this.#accountOf(call.org)
    this.#beat()
    const { clientId } = call
    const app = clientId === undefined ? undefined : this.#appOf(account, call.org, clientId)
    const wait = app?.take()
    return wait === undefined
      ? this.#countWhole(account, app, call)
      : wait.then(() => this.#countWhole(account, app, call))
  }

  /** Calls of an org in the last 24 hours, as far as this process knows. */
  used(orgId: string): number {
    return this.#accounts.get(orgId)?.whole.used ?? 0
  }

  /** Writes down what was counted so far of an org, for those who read it. */
  async writeDown(orgId: string): Promise<void> {
    const account = this.#accounts.get(orgId)
    if (account !== undefined) await writeDown(account)
  }

  /** What is known of an org is asked for again: its clock was moved. */
  forget(orgId: string): void {
    const account = this.#accounts.get(orgId)
    account?.whole.forget()
    for (const app of account?.apps.values() ?? []) app.forget()
  }

  /** Writes down what was counted, and gives back what was leased. */
  async close(): Promise<void> {
    this.#rest()
    for (const { whole, apps, versions } of this.#accounts.values()) {
      for (const quota of [whole, ...apps.values()]) await quota.giveBack()
      await versions.flush()
    }
    this.#accounts.clear()
  }

  /** What the org has no calls left for is no call of the app's. */
  #countWhole(account: Account, app: Quota | undefined, call: CountedCall): Promise<void> | undefined {
    const wait = account.whole.take()
    if (wait === undefined) return this.#admit(account, app, call)
    return wait.then(
      () => this.#admit(account, app, call),
      (refusal) => {
        app?.untake()
        throw refusal
      },
    )
  }

  /** A call that is kept out is none. */
  #admit(
    { whole, versions }: Account,
    app: Quota | undefined,
    { org, clientId, version }: CountedCall,
  ): undefined {
    const { longCalls, maxLongCalls } = this.#options
    if (longCalls(org.id) + whole.longElsewhere > maxLongCalls) {
      whole.untake()
      app?.untake()
      throw tooManyLongCalls()
    }
    versions.note(version, clientId)
  }

  #accountOf(org: Org): Account {
    return getOrInsert(this.#accounts, org.id, () => {
      const { db, limit, clockOf } = this.#options
      const clock = clockOf(org.id)
      return {
        whole: this.#quota(org, undefined, () => limit),
        apps: new Map(),
        versions: new VersionUse(db, org, clock),
      }
    })
  }

  #appOf({ apps }: Account, org: Org, clientId: string): Quota {
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
    const isWhole = clientId === undefined
    return new Quota(
      { orgId: org.id, clientId },
      {
        db,
        clock: clockOf(org.id),
        process: this.#process,
        limit,
        refresh,
        longCalls: () => (isWhole ? longCalls(org.id) : 0),
        isRunning: () => isWhole && isRunning(org.id),
      },
    )
  }

  /** Begins to write down each second, and stops when nobody calls. */
  #beat(): void {
    if (this.#beating !== undefined) return
    this.#beating = setInterval(() => void this.#writeAllDown(), BEAT).unref()
  }

  async #writeAllDown(): Promise<void> {
    if (this.#isWriting) return
    this.#isWriting = true
    for (const [orgId, account] of this.#accounts) {
      try {
        await writeDown(account)
      } catch (error) {
        // What could not be written down is kept for the next time, unless the org is gone.
        if (databaseFault(error)?.kind === 'missing reference') this.#accounts.delete(orgId)
      }
    }
    this.#isWriting = false
    const accounts = [...this.#accounts.values()]
    const isAtRest = accounts.every(({ whole, apps, versions }) =>
      [whole, ...apps.values(), versions].every((part) => part.isAtRest),
    )
    if (isAtRest) this.#rest()
  }

  #rest(): void {
    clearInterval(this.#beating)
    this.#beating = undefined
  }
}
