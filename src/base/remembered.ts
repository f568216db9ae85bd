import { SeenBefore } from './seen-before.ts'

/** What was made of texts that came more than once; the oldest goes when there are too many. */
export class Remembered<Made> {
  readonly #most: number
  readonly #made = new Map<string, Made>()
  readonly #seen: SeenBefore

  constructor(most: number) {
    this.#most = most
    this.#seen = new SeenBefore(most)
  }

  /** What is known of a text, or what is made of it now. */
  of(text: string, make: () => Made): Made {
    const known = this.#made.get(text)
    if (known !== undefined) return known
    const made = make()
    if (this.#seen.check(text)) {
      if (this.#made.size >= this.#most) this.#made.delete(this.#made.keys().next().value!)
      this.#made.set(text, made)
    }
    return made
  }
}
