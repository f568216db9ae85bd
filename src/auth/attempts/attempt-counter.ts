interface Window {
  count: number
  /** When it ends, in milliseconds since 1970. */
  until: number
}

interface Limits {
  /** Allowed attempts in a window of that many seconds. */
  readonly max: number
  readonly seconds: number
}

/** Maximum number of keys; the oldest is evicted. */
const MAX_KEYS = 10_000

/** Counts attempts by key in this process: the fallback while the database does not answer. */
export class AttemptCounter {
  readonly #windows = new Map<string, Window>()

  /** Counts an attempt. @returns 0, or the seconds until the next attempt with this key is allowed */
  take(key: string, { max, seconds }: Limits, now: Date): number {
    const time = now.getTime()
    const window = this.#getWindow(key, time, seconds)
    if (window.count >= max) return Math.max(1, Math.ceil((window.until - time) / 1000))
    window.count++
    // The last allowed attempt starts the wait.
    if (window.count === max) window.until = time + seconds * 1000
    return 0
  }

  /** Uncounts an attempt. */
  release(key: string): void {
    const window = this.#windows.get(key)
    if (window !== undefined && window.count > 0) window.count--
  }

  #getWindow(key: string, time: number, seconds: number): Window {
    const known = this.#windows.get(key)
    if (known !== undefined && time < known.until) return known
    this.#windows.delete(key)
    if (this.#windows.size >= MAX_KEYS) this.#windows.delete(this.#windows.keys().next().value!)
    const window = { count: 0, until: time + seconds * 1000 }
    this.#windows.set(key, window)
    return window
  }
}
