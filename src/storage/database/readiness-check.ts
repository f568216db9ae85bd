import type { Readiness } from './db.ts'

/** How long an answer is shared, in milliseconds. */
const CACHE_MS = 1000

/**
 * How long the database may take to answer, in milliseconds. A second try, on a new connection, has as long: one connection
 * that is frozen says little about the others. Whoever waits a second for the answer should have it.
 */
const TRY_MS = 400
const TRIES = 2

const SILENT = 'the database does not answer'

/** Asks the database whether it can be written to. What it throws counts as no answer. */
export interface ReadinessProbe {
  ask(): Promise<Readiness>
  /** Gives up what was asked: the next question does not wait behind it. Absent: there is nothing to give up. */
  cancel?(): void
}

/**
 * Whether the database can be written to. Concurrent callers share one check, and its result is cached for a second. A check
 * ends within a second, whatever the database does.
 */
export class ReadinessCheck {
  readonly #probe: ReadinessProbe
  #check: Promise<Readiness> | undefined

  constructor(probe: ReadinessProbe) {
    this.#probe = probe
  }

  get(): Promise<Readiness> {
    this.#check ??= this.#run().finally(() => {
      setTimeout(() => {
        this.#check = undefined
      }, CACHE_MS).unref()
    })
    return this.#check
  }

  async #run(): Promise<Readiness> {
    for (let tries = 1; ; tries++) {
      const readiness = await this.#tryOnce()
      if (readiness !== SILENT || tries === TRIES) return readiness
    }
  }

  async #tryOnce(): Promise<Readiness> {
    const timeout = Promise.withResolvers<Readiness>()
    const timer = setTimeout(() => {
      timeout.resolve(SILENT)
      this.#probe.cancel?.()
    }, TRY_MS)
    const queryContext = this.#probe.ask().catch((): Readiness => SILENT)
    try {
      return await Promise.race([queryContext, timeout.promise])
    } finally {
      clearTimeout(timer)
    }
  }
}
