import { setTimeout as sleep } from 'node:timers/promises'
import type { SecretBox } from '../../auth/keys/secret-box.ts'
import type { Observe } from '../../base/observation.ts'
import type { Db, Engine, Maintenance } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { findOrg } from '../../storage/orgs/orgs.ts'
import { stepSql } from './step-store.sql.ts'
import { versionOf } from './step-store.ts'
import type { BuildStep, Reached, RecordStep, UpgradeStep } from './upgrade-step.ts'

/** Delay of the first check after the start. */
const FIRST_CHECK_MS = 500
/** Interval of checks without pending steps. A server of an older version may have restored an older state. */
const IDLE_CHECK_MS = 60_000
/** Interval of checks while another server has the lock. */
const BUSY_CHECK_MS = 2000

/** Delay after a database error. */
const FAILED_CHECK_MS = 10_000

/** Delay before the second try of a failed step; doubled for each later try. */
const FIRST_DELAY_SECONDS = 1
const MAX_DELAY = 600

/** The pause after a batch is as long as the batch took, within these bounds. */
const MIN_PAUSE_MS = 20
const MAX_PAUSE_MS = 1000

/** Interval of checks whether a build blocks other sessions, and the pause after it was cancelled for that. */
const BLOCK_CHECK_MS = 200
const BLOCK_PAUSE_MS = 1000

/** Interval of repeated cancellation when the server stops. */
const CANCEL_AGAIN_MS = 50

/** Errors of steps are truncated to this length. */
const MAX_ERROR_CHARACTERS = 500

interface Options {
  /** For the progress of the steps. */
  readonly db: Db
  readonly openMaintenance: Engine['openMaintenance']
  readonly observe: Observe
  readonly secrets: SecretBox
  /** In the order in which they are carried out. */
  readonly steps: readonly UpgradeStep[]
}

interface OpenStep extends Org {
  readonly step: string
  readonly version: string
  /** Seconds. */
  readonly dueIn: number
}

interface FoundStep {
  readonly round: number
  readonly state: string
  readonly position: string | null
}

/**
 * Runs the background steps of upgrades, one org and one batch at a time, on one of the servers that share a
 * database. The server with a session lock does the work. The lock ends with its session, even when the server is
 * killed, and the next holder continues from the stored progress. A build that blocks another session is cancelled.
 */
export class UpgradeWorker {
  readonly #options: Options
  readonly #steps: readonly UpgradeStep[]
  #maintenance: Maintenance | undefined
  #timer: NodeJS.Timeout | undefined
  #checking: Promise<void> | undefined
  readonly #stopping = new AbortController()
  #isIdle = true
  #isWoken = false

  constructor(options: Options) {
    this.#options = options
    this.#steps = options.steps
  }

  /** Starts the periodic checks. */
  begin(): void {
    this.#checkIn(FIRST_CHECK_MS)
  }

  /** Checks at once, because a step was requested. */
  wake(): void {
    this.#isWoken = true
    // Without a timer it has not begun, or a check is under way.
    if (this.#timer === undefined || this.#isStopped) return
    clearTimeout(this.#timer)
    this.#checkIn(MIN_PAUSE_MS)
  }

  /** Starts no further batch and cancels a running build, which starts again later. */
  async close(): Promise<void> {
    this.#stopping.abort()
    clearTimeout(this.#timer)
    let isOver = false
    const checking = Promise.resolve(this.#checking).finally(() => {
      isOver = true
    })
    // A cancellation between two statements has no effect, so it is repeated.
    while (!isOver) {
      await this.#maintenance?.cancel().catch(() => {})
      await Promise.race([checking, sleep(CANCEL_AGAIN_MS, undefined, { ref: false })])
    }
  }

  /**
   * Runs due steps unless another server does.
   * @returns milliseconds until the next check
   */
  async check(): Promise<number> {
    const open = await this.#loadOpen()
    const next = Math.min(...open.map(({ dueIn }) => dueIn * 1000), IDLE_CHECK_MS)
    const isDue = open.some(({ dueIn }) => dueIn <= 0)
    if (!isDue) {
      await this.#report(open.length === 0)
      return Math.max(next, MIN_PAUSE_MS)
    }
    this.#maintenance = await this.#options.openMaintenance()
    try {
      if (await this.#maintenance.tryLock()) await this.#runSteps(this.#maintenance, open)
      else return BUSY_CHECK_MS
    } finally {
      await this.#maintenance.close()
      this.#maintenance = undefined
      await this.#report(false)
    }
    return MIN_PAUSE_MS
  }

  get #isStopped(): boolean {
    return this.#stopping.signal.aborted
  }

  #checkIn(milliseconds: number): void {
    const check = async () => {
      let next = FAILED_CHECK_MS
      this.#isWoken = false
      try {
        next = await this.check()
      } catch (error) {
        if (!this.#isStopped) this.#notify(`Upgrades will be retried later: ${(error as Error).message}`)
      }
      if (!this.#isStopped) this.#checkIn(this.#isWoken ? MIN_PAUSE_MS : next)
    }
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#checking = check()
    }, milliseconds).unref()
  }

  /** Pending steps that this version knows. */
  async #loadOpen(): Promise<OpenStep[]> {
    const open = await this.#options.db.query<OpenStep>(stepSql.open)
    return open.filter(({ step, version }) =>
      this.#steps.some((known) => known.name === step && versionOf(known) === version),
    )
  }

  /** @param open of all orgs, ordered by org */
  async #runSteps(maintenance: Maintenance, open: readonly OpenStep[]): Promise<void> {
    const due = open.filter(({ dueIn }) => dueIn <= 0)
    for (const [org, ...others] of Map.groupBy(due, ({ id }) => id).values()) {
      const names = [org!, ...others].map(({ step }) => step)
      for (const step of this.#steps.filter(({ name }) => names.includes(name))) {
        if (this.#isStopped) return
        await this.#runStep(maintenance, org!, step)
      }
    }
  }

  async #runStep(maintenance: Maintenance, org: Org, step: UpgradeStep): Promise<void> {
    const begunAt = performance.now()
    let round: number | undefined
    try {
      round = await this.#beginStep(org, step)
      if (round === undefined) return
      await this.#report(false)
      let isDone = false
      while (!isDone) {
        const batchAt = performance.now()
        const reached = await this.#batch(maintenance, org, step)
        if (reached === 'gone' || this.#isStopped) return
        isDone = reached !== 'blocking' && reached.isDone
        const took = performance.now() - batchAt
        const pause = Math.min(Math.max(took, MIN_PAUSE_MS), MAX_PAUSE_MS)
        await this.#pause(reached === 'blocking' ? BLOCK_PAUSE_MS : pause)
        if (this.#isStopped) return
      }
    } catch (error) {
      return this.#noteFailure(org, step, round, error as Error)
    }
    const seconds = ((performance.now() - begunAt) / 1000).toFixed(1)
    this.#notifyOf(org, step, `done after ${seconds} s`)
  }

  /** @returns the round of the request; undefined when the step is no longer due */
  async #beginStep(org: Org, step: UpgradeStep): Promise<number | undefined> {
    const found = await this.#find(this.#options.db, org, step)
    if (found === undefined) return undefined
    await this.#options.db.query(stepSql.begin(org, step.name, found.round))
    this.#notifyOf(org, step, found.state === 'pending' ? 'begun' : 'continued')
    return found.round
  }

  /** @returns `gone` when the step is no longer due, for example because the org was deleted */
  #batch(maintenance: Maintenance, org: Org, step: UpgradeStep): Promise<Reached | 'gone' | 'blocking'> {
    return step.kind === 'records'
      ? this.#changeRecords(maintenance.db, org, step)
      : this.#build(maintenance, org, step)
  }

  /** The batch and its progress are one transaction. */
  #changeRecords(db: Db, org: Org, step: RecordStep): Promise<Reached | 'gone'> {
    return db.transaction(async (tx) => {
      await tx.script(stepSql.setLockTimeout)
      const found = await this.#find(tx, org, step, true)
      if (found === undefined) return 'gone'
      const reached = await step.run(tx, org, found.position, this.#options.secrets)
      return this.#note(tx, org, step, found, reached)
    })
  }

  async #build(maintenance: Maintenance, org: Org, step: BuildStep): Promise<Reached | 'gone' | 'blocking'> {
    const { db } = this.#options
    const found = await this.#find(db, org, step)
    if (found === undefined) return 'gone'
    let isBlocking = false
    let checking: Promise<void> | undefined
    const check = async () => {
      isBlocking ||= await maintenance.isInTheWay()
      if (isBlocking) await maintenance.cancel()
    }
    const timer = setInterval(() => {
      checking ??= check()
        .catch(() => {})
        .finally(() => {
          checking = undefined
        })
    }, BLOCK_CHECK_MS)
    let reached: Reached
    try {
      reached = await step.run(maintenance, org, found.position)
    } catch (error) {
      if (isBlocking) return 'blocking'
      throw error
    } finally {
      clearInterval(timer)
      await checking
    }
    return this.#note(db, org, step, found, reached)
  }

  async #find(db: Db, org: Org, step: UpgradeStep, isHeld = false): Promise<FoundStep | undefined> {
    const [found] = await db.query<FoundStep>(stepSql.find(org, step.name, versionOf(step), isHeld))
    return found
  }

  /** @returns `gone` when the step was requested again, or the org was deleted */
  async #note(
    db: Db,
    org: Org,
    step: UpgradeStep,
    { round }: FoundStep,
    reached: Reached,
  ): Promise<Reached | 'gone'> {
    const { isDone, position = null, progress } = reached
    const noted = await db.query(stepSql.note(org, step.name, round, { isDone, position, progress }))
    return noted.length === 0 ? 'gone' : reached
  }

  /** An error in one org does not affect the others. */
  async #noteFailure(
    org: Org,
    step: UpgradeStep,
    round: number | undefined,
    { message }: Error,
  ): Promise<void> {
    if (this.#isStopped) return
    const { db } = this.#options
    // The org may have been deleted meanwhile.
    if ((await findOrg(db, org.id)) === undefined) return
    const error = message.slice(0, MAX_ERROR_CHARACTERS)
    const delays = { firstDelay: FIRST_DELAY_SECONDS, maxDelay: MAX_DELAY }
    const [noted] =
      round === undefined
        ? []
        : await db.query<{ dueIn: number }>(stepSql.noteFailure(org, step.name, round, error, delays))
    const again = noted === undefined ? '' : `, next try in ${Math.round(noted.dueIn)} s`
    this.#notify(`Upgrade of ${org.name}: ${step.name} failed${again}: ${error}`)
    await this.#report(false)
  }

  /** @param isIdle two idle checks in a row report nothing */
  async #report(isIdle: boolean): Promise<void> {
    if (this.#isStopped || (isIdle && this.#isIdle)) return
    this.#isIdle = isIdle
    const [counts] = await this.#options.db.query<{ pendingOrgs: number; failedSteps: number }>(stepSql.count)
    this.#options.observe({ kind: 'upgrades', ...counts! })
  }

  async #pause(milliseconds: number): Promise<void> {
    await sleep(milliseconds, undefined, { signal: this.#stopping.signal }).catch(() => {})
  }

  #notifyOf(org: Org, { name, isRoutine }: UpgradeStep, message: string): void {
    if (!isRoutine) this.#notify(`Upgrade of ${org.name}: ${name} ${message}`)
  }

  #notify(message: string): void {
    this.#options.observe({ kind: 'notice', message })
  }
}
