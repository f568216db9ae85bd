/** A text that may be gone when it is looked for. */
export interface KeptText {
  text: string | undefined
}

/** Keeps texts as long as all of them together are not too long; the one that was used longest ago goes first. */
export class BoundedTexts {
  readonly #maxCharacters: number
  readonly #kept = new Set<KeptText>()
  #characters = 0

  constructor(maxCharacters: number) {
    this.#maxCharacters = maxCharacters
  }

  /** Keeps a text under a place of its own. */
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

  /** The text, if it is still there; it has been used now. */
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
