/** Counts events per second by name, in this process. */
export class RateCounter {
  #second = 0
  #counts = new Map<string, number>()

  /** True if one more event is within the limit; counts it if so. */
  admit(name: string, perSecond: number, now: Date): boolean {
    const second = Math.floor(now.getTime() / 1000)
    if (second !== this.#second) {
      this.#second = second
      this.#counts = new Map()
    }
    const count = this.#counts.get(name) ?? 0
    if (count >= perSecond) return false
    this.#counts.set(name, count + 1)
    return true
  }
}
