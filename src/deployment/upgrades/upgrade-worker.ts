import { setTimeout as sleep } from 'node:timers/promises'
import type { SecretBox } from '../../auth/keys/secret-box.ts'
import type { Observe } from '../../base/observation.ts'
import type { Db, Engine, Maintenance } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { findOrg } from '../../storage/orgs/orgs.ts'
import { stepSql } from './step-store.sql.ts'
import { versionOf } from './step-store.ts'
import type { BuildStep, Reached, RecordStep, UpgradeStep } from './upgrade-step.ts'
import { UPGRADE_STEPS } from './upgrade-steps.ts'

/** How soon after its start a server looks for the first time, in milliseconds. */
const FIRST_LOOK_MS = 500
/** How often it looks when nothing is left to do: an older server may have put an org back to an older state. */
const IDLE_LOOK_MS = 60_000
/** How often it looks when another server has the work. */
const BUSY_LOOK_MS = 2000

/** How long it waits when the database does not answer. */
const FAILED_LOOK_MS = 10_000

/** The second try of a step that failed comes after this, in seconds; each later one after twice as long. */
const FIRST_DELAY = 1
const MAX_DELAY = 600

/** After a batch the database rests as long as the batch took, within these bounds, in milliseconds. */
const SHORTEST_PAUSE_MS = 20
const MAX_PAUSE_MS = 1000

/** How often is asked whether a build is in somebody's way, and how long it rests when it was, in milliseconds. */
const WAY_LOOK_MS = 200
const WAY_PAUSE_MS = 1000

/** Before a build is cancelled once more at the end of the server, in milliseconds. */
const CANCEL_AGAIN_MS = 50

/** An error of a step is kept and shown up to this length. */
const MAX_ERROR_CHARACTERS = 500

interface Options {
  /** For what is noted of the steps. */
  readonly db: Db
  readonly openMaintenance: Engine['openMaintenance']
  readonly observe: Observe
  readonly secrets: SecretBox
  readonly steps?: readonly UpgradeStep[]
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
 * Carries out the steps that upgrades of orgs have left: one org after the other, one batch after the other, on one
 * server of all that share a database. Which one that is a lock decides that ends with its holder, also with a killed one; the
 * next holder goes on where the notes of the steps say. Whoever needs a table that a build holds goes first.
 */
export class UpgradeWorker {
  readonly #options: Options
  readonly #steps: readonly UpgradeStep[]
  #maintenance: Maintenance | undefined
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> | undefined
  readonly #stopping = new AbortController()
  #isIdle = true

  constructor(options: Options) {
    this.#options = options
    this.#steps = options.steps ?? UPGRADE_STEPS
  }

  /** Looks by itself from now on. */
  begin(): void {
    this.#lookIn(FIRST_LOOK_MS)
  }

  /** Begins no further batch, and cancels a build that is under way: it is begun again later. */
  async close(): Promise<void> {
    this.#stopping.abort()
    clearTimeout(this.#timer)
    let isOver = false
    const looking = Promise.resolve(this.#looking).finally(() => {
      isOver = true
    })
    // A cancel that comes between two statements reaches none of them.
    while (!isOver) {
      await this.#maintenance?.cancel().catch(() => {})
      await Promise.race([looking, sleep(CANCEL_AGAIN_MS, undefined, { ref: false })])
    }
  }

  /**
   * Carries out what is due, unless another server does.
   * @returns after how many milliseconds there may be more to do
   */
  async look(): Promise<number> {
    const open = await this.#loadOpen()
    const next = Math.min(...open.map(({ dueIn }) => dueIn * 1000), IDLE_LOOK_MS)
    const isDue = open.some(({ dueIn }) => dueIn <= 0)
    if (!isDue) {
      await this.#report(open.length === 0)
      return Math.max(next, SHORTEST_PAUSE_MS)
    }
    this.#maintenance = await this.#options.openMaintenance()
    try {
      if (await this.#maintenance.tryLock()) await this.#carryOut(this.#maintenance, open)
      else return BUSY_LOOK_MS
    } finally {
      await this.#maintenance.close()
      this.#maintenance = undefined
      await this.#report(false)
    }
    return SHORTEST_PAUSE_MS
  }

  get #isStopped(): boolean {
    return this.#stopping.signal.aborted
  }

  #lookIn(milliseconds: number): void {
    const look = async () => {
      let next = FAILED_LOOK_MS
      try {
        next = await this.look()
      } catch (error) {
        if (!this.#isStopped) this.#notify(`Upgrades are looked at again later: ${(error as Error).message}`)
      }
      if (!this.#isStopped) this.#lookIn(next)
    }
    this.#timer = setTimeout(() => {
      this.#looking = look()
    }, milliseconds).unref()
  }

  /** The steps that are left, of those that this version knows. */
  async #loadOpen(): Promise<OpenStep[]> {
    const open = await this.#options.db.query<OpenStep>(stepSql.open)
    return open.filter(({ step, version }) =>
      this.#steps.some((known) => known.name === step && versionOf(known) === version),
    )
  }

  /** @param open of all orgs, ordered by org */
  async #carryOut(maintenance: Maintenance, open: readonly OpenStep[]): Promise<void> {
    const due = open.filter(({ dueIn }) => dueIn <= 0)
    for (const [org, ...others] of Map.groupBy(due, ({ id }) => id).values()) {
      const names = [org!, ...others].map(({ step }) => step)
      for (const step of this.#steps.filter(({ name }) => names.includes(name))) {
        if (this.#isStopped) return
        await this.#carryOutStep(maintenance, org!, step)
      }
    }
  }

  async #carryOutStep(maintenance: Maintenance, org: Org, step: UpgradeStep): Promise<void> {
    const begunAt = performance.now()
    try {
      if (!(await this.#beginStep(org, step))) return
      await this.#report(false)
      let isDone = false
      while (!isDone) {
        const batchAt = performance.now()
        const reached = await this.#batch(maintenance, org, step)
        if (reached === 'gone' || this.#isStopped) return
        isDone = reached !== 'in the way' && reached.isDone
        const took = performance.now() - batchAt
        const pause = Math.min(Math.max(took, SHORTEST_PAUSE_MS), MAX_PAUSE_MS)
        await this.#pause(reached === 'in the way' ? WAY_PAUSE_MS : pause)
        if (this.#isStopped) return
      }
    } catch (error) {
      return this.#noteFailure(org, step, error as Error)
    }
    const seconds = ((performance.now() - begunAt) / 1000).toFixed(1)
    this.#notify(`Upgrade of ${org.name}: ${step.name} done after ${seconds} s`)
  }

  async #beginStep(org: Org, step: UpgradeStep): Promise<boolean> {
    const found = await this.#find(this.#options.db, org, step)
    if (found === undefined) return false
    await this.#options.db.query(stepSql.begin(org, step.name, found.round))
    this.#notify(`Upgrade of ${org.name}: ${step.name} ${found.state === 'pending' ? 'begun' : 'continued'}`)
    return true
  }

  /** @returns `gone`: there is nothing to do any more; the org may have been deleted */
  #batch(maintenance: Maintenance, org: Org, step: UpgradeStep): Promise<Reached | 'gone' | 'in the way'> {
    return step.kind === 'records'
      ? this.#changeRecords(maintenance.db, org, step)
      : this.#build(maintenance, org, step)
  }

  /** The batch and its note are one transaction. */
  #changeRecords(db: Db, org: Org, step: RecordStep): Promise<Reached | 'gone'> {
    return db.transaction(async (tx) => {
      await tx.script(stepSql.patience)
      const found = await this.#find(tx, org, step, true)
      if (found === undefined) return 'gone'
      const reached = await step.run(tx, org, found.position, this.#options.secrets)
      return this.#note(tx, org, step, found, reached)
    })
  }

  async #build(
    maintenance: Maintenance,
    org: Org,
    step: BuildStep,
  ): Promise<Reached | 'gone' | 'in the way'> {
    const { db } = this.#options
    const found = await this.#find(db, org, step)
    if (found === undefined) return 'gone'
    let isInTheWay = false
    let looking: Promise<void> | undefined
    const look = async () => {
      isInTheWay ||= await maintenance.isInTheWay()
      if (isInTheWay) await maintenance.cancel()
    }
    const timer = setInterval(() => {
      looking ??= look()
        .catch(() => {})
        .finally(() => {
          looking = undefined
        })
    }, WAY_LOOK_MS)
    let reached: Reached
    try {
      reached = await step.run(maintenance, org)
    } catch (error) {
      if (isInTheWay) return 'in the way'
      throw error
    } finally {
      clearInterval(timer)
      await looking
    }
    return this.#note(db, org, step, found, reached)
  }

  async #find(db: Db, org: Org, step: UpgradeStep, isHeld = false): Promise<FoundStep | undefined> {
    const [found] = await db.query<FoundStep>(stepSql.find(org, step.name, versionOf(step), isHeld))
    return found
  }

  /** @returns `gone`: somebody has asked for the step from its beginning, or deleted the org */
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

  /** What goes wrong in one org keeps none of the others from their turn. */
  async #noteFailure(org: Org, step: UpgradeStep, { message }: Error): Promise<void> {
    if (this.#isStopped) return
    const { db } = this.#options
    // It may have been deleted meanwhile.
    if ((await findOrg(db, org.id)) === undefined) return
    const error = message.slice(0, MAX_ERROR_CHARACTERS)
    const [noted] = await db.query<{ dueIn: number }>(
      stepSql.noteFailure(org, step.name, error, FIRST_DELAY, MAX_DELAY),
    )
    const again = noted === undefined ? '' : `, next try in ${Math.round(noted.dueIn)} s`
    this.#notify(`Upgrade of ${org.name}: ${step.name} failed${again}: ${error}`)
    await this.#report(false)
  }

  /** @param isIdle when it was so at the last look too there is nothing new to tell */
  async #report(isIdle: boolean): Promise<void> {
    if (this.#isStopped || (isIdle && this.#isIdle)) return
    this.#isIdle = isIdle
    const [counts] = await this.#options.db.query<{ pendingOrgs: number; failedSteps: number }>(stepSql.count)
    this.#options.observe({ kind: 'upgrades', ...counts! })
  }

  async #pause(milliseconds: number): Promise<void> {
    await sleep(milliseconds, undefined, { signal: this.#stopping.signal }).catch(() => {})
  }

  #notify(message: string): void {
    this.#options.observe({ kind: 'notice', message })
  }
}
