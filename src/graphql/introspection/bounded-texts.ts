/** A text that may have been evicted. */
export interface KeptText {
  text: string | undefined
}

/** Keeps texts up to a total length; evicts the least recently used one first. */
export class BoundedTexts {
  readonly #maxCharacters: number
  readonly #kept = new Set<KeptText>()
  #characters = 0

  constructor(maxCharacters: number) {
    this.#maxCharacters = maxCharacters
  }

  /** Keeps a text and returns the handle to it. */
  keep(text: string): KeptText {
    const kept = { text }
    if (text.length > this.#maxCharacters) return { text: undefined }
    this.#kept.add(kept)
    this.#characters += text.length
    for (const oldest of this.#kept) {
      if (this.#characters <= this.#maxCharacters) break
      this.#drop(oldest)
    }
    return kept
  }

  /** The text, unless it was evicted. Marks it as recently used. */
  read(kept: KeptText | undefined): string | undefined {
    if (kept?.text === undefined) return undefined
    this.#kept.delete(kept)
    this.#kept.add(kept)
    return kept.text
  }

  #drop(kept: KeptText): void {
    this.#kept.delete(kept)
    this.#characters -= kept.text!.length
    kept.text = undefined
  }
}
