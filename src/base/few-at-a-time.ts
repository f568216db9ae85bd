/** Carries out few tasks at a time, the others in their order. Between two of them the process does what else there is to do. */
export class FewAtATime {
  #free: number
  readonly #waiting: (() => void)[] = []

  /** @param max number of tasks at a time */
  constructor(max: number) {
    this.#free = max
  }

  /** Waits for a turn of work that itself waits for nothing. */
  next(): Promise<void> {
    return this.run(async () => {})
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await task()
    } finally {
      setImmediate(() => this.#release())
    }
  }

  #release(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#free++
    else next()
  }
}
