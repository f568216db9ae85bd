/** Longer texts are not kept, in characters: what is made of them takes up to ten times as many bytes, or more. */
const MAX_TEXT = 32 * 1024

/** Characters of the texts that are kept, for each of them that may be. */
export const CHARACTERS_PER_TEXT = 2048

/**
 * Recognizes texts that come a second time, so that a cache keeps only those: texts that are used once would evict the ones
 * in constant use, and cost the garbage collector more than they save. When the filter is full it starts from empty.
 */
export class AdmissionFilter {
  readonly #max: number
  #once = new Set<string>()
  #characters = 0

  /** @param max number of texts; those it remembers have `CHARACTERS_PER_TEXT` times as many characters at most */
  constructor(max: number) {
    this.#max = max
  }

  /** True if the text was added before. Adds it, unless it is too long to be kept. */
  check(text: string): boolean {
    if (text.length > MAX_TEXT) return false
    if (this.#once.has(text)) return true
    if (this.#once.size >= this.#max || this.#characters + text.length > this.#max * CHARACTERS_PER_TEXT) {
      this.#once = new Set()
      this.#characters = 0
    }
    this.#once.add(text)
    this.#characters += text.length
    return false
  }
}
