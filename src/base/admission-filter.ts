/**
 * Tells what comes a second time, so that only that is kept: what is asked once would push out what is asked all day,
 * and cost the garbage collector more than it saves. When it has seen too much it starts anew.
 */
export class AdmissionFilter {
  readonly #max: number
  #once = new Set<string>()

  constructor(max: number) {
    this.#max = max
  }

  /** Whether the text came before; from now on it has. */
  check(text: string): boolean {
    if (this.#once.has(text)) return true
    if (this.#once.size >= this.#max) this.#once = new Set()
    this.#once.add(text)
    return false
  }
}
