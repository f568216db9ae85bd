/**
 * Recognizes texts that come a second time, so that a cache keeps only those: texts that are used once would evict the ones
 * in constant use, and cost the garbage collector more than they save. When the filter is full it starts from empty.
 */
export class AdmissionFilter {
  readonly #max: number
  #once = new Set<string>()

  constructor(max: number) {
    this.#max = max
  }

  /** True if the text was added before. Adds it. */
  check(text: string): boolean {
    if (this.#once.has(text)) return true
    if (this.#once.size >= this.#max) this.#once = new Set()
    this.#once.add(text)
    return false
  }
}
