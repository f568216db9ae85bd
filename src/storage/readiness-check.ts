import type { Readiness } from './db.ts'

/** How long an answer is shared, in milliseconds. */
const CACHE_MS = 1000

/** How long the database may take to answer, in milliseconds. Probes wait a second, the way to the server included. */
const TIMEOUT_MS = 800

/** Asks the database whether it can be written to. What it throws counts as no answer. */
export interface ReadinessProbe {
  ask(): Promise<Readiness>
  /** Ends a query that took too long, so that the next check does not wait behind it. */
  cancel?(): void
}

/**
 * Whether the database can be written to. Concurrent callers share one check, and its result is cached for a second. A check
 * ends within a second, whatever the database does.
 */
export class ReadinessCheck {
  readonly #probe: ReadinessProbe
  /** A query that has not been answered. It may outlive the check that sent it. */
  #query: Promise<Readiness> | undefined
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
    this.#query ??= this.#ask().finally(() => {
      this.#query = undefined
    })
    const timeout = Promise.withResolvers<Readiness>()
    const timer = setTimeout(() => {
      timeout.resolve('the database does not answer')
      this.#probe.cancel?.()
    }, TIMEOUT_MS)
    try {
      return await Promise.race([this.#query, timeout.promise])
    } finally {
      clearTimeout(timer)
    }
  }

  async #ask(): Promise<Readiness> {
    try {
      return await this.#probe.ask()
    } catch {
      return 'the database does not answer'
    }
  }
}
