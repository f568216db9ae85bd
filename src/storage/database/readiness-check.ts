import type { Readiness } from './db.ts'

/** How long a result is cached, in milliseconds. */
const CACHE_MS = 1000

/**
 * How long the database may take to answer, in milliseconds. A second try, on a new connection, has the same time: one
 * stuck connection says little about the others. A caller that waits one second should receive the result.
 */
const TRY_MS = 400
const TRIES = 2

const SILENT = 'the database does not answer'

/** Checks whether the database accepts writes. An error counts as no answer. */
export interface ReadinessProbe {
  query(): Promise<Readiness>
  /** Abandons the query, so that the next one does not wait behind it. Absent if there is nothing to abandon. */
  cancel?(): void
}

/**
 * Checks that the database accepts writes. Concurrent callers share one check, and its result is cached for a second. A check
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
    const answer = this.#probe.query().catch((): Readiness => SILENT)
    try {
      return await Promise.race([answer, timeout.promise])
    } finally {
      clearTimeout(timer)
    }
  }
}
