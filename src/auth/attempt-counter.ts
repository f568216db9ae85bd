interface Window {
  count: number
  /** When it ends, in milliseconds. */
  readonly until: number
}

interface Limits {
  /** So many attempts are free in a window of so many seconds. */
  readonly most: number
  readonly seconds: number
}

/** Who has more names than this loses count of the oldest. */
const MOST_KEYS = 10_000

/**
 * Counts attempts by a key, in this process only: it slows guessing down where a count in the database would cost a
 * write per guess. An attempt counts before it is made, so that many at once are counted too.
 */
export class AttemptCounter {
  readonly #limits: Limits
  readonly #windows = new Map<string, Window>()

  constructor(limits: Limits) {
    this.#limits = limits
  }

  /** Counts an attempt. @returns 0, or how many seconds nobody may try for this key */
  take(key: string, now: Date): number {
    const time = now.getTime()
    const window = this.#windowOf(key, time)
    if (window.count >= this.#limits.most) return Math.max(1, Math.ceil((window.until - time) / 1000))
    window.count++
    return 0
  }

  /** The attempt was none to be counted. */
  giveBack(key: string): void {
    const window = this.#windows.get(key)
    if (window !== undefined && window.count > 0) window.count--
  }

  #windowOf(key: string, time: number): Window {
    const known = this.#windows.get(key)
    if (known !== undefined && time < known.until) return known
    this.#windows.delete(key)
    if (this.#windows.size >= MOST_KEYS) this.#windows.delete(this.#windows.keys().next().value!)
    const window = { count: 0, until: time + this.#limits.seconds * 1000 }
    this.#windows.set(key, window)
    return window
  }
}
