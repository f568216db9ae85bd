/**
 * Tells what comes a second time, so that only that is kept: what is asked once would push out what is asked all day,
 * and cost the garbage collector more than it saves. When it has seen too much it starts anew.
 */
export class SeenBefore {
  readonly #most: number
  #once = new Set<string>()

  constructor(most: number) {
    this.#most = most
  }

  /** Whether the text came before; from now on it has. */
  check(text: string): boolean {
    if (this.#once.has(text)) return true
    if (this.#once.size >= this.#most) this.#once = new Set()
    this.#once.add(text)
    return false
  }
}
