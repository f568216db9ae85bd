import { LRUCache } from 'lru-cache'
import { AdmissionFilter, CHARACTERS_PER_TEXT } from './admission-filter.ts'

/** LRU cache of values derived from texts. A text enters it the second time it is used, unless it is very long. */
export class Cache<Made extends object> {
  readonly #made: LRUCache<string, Made>
  readonly #seen: AdmissionFilter

  /** @param max number of values; their texts together have `CHARACTERS_PER_TEXT` times as many characters at most */
  constructor(max: number) {
    this.#made = new LRUCache({
      max,
      maxSize: max * CHARACTERS_PER_TEXT,
      sizeCalculation: (_, text) => text.length + 1,
    })
    this.#seen = new AdmissionFilter(max)
  }

  /** The cached value of a text, or a newly made one. */
  of(text: string, make: () => Made): Made {
    const known = this.#made.get(text)
    if (known !== undefined) return known
    const made = make()
    if (this.#seen.check(text)) this.#made.set(text, made)
    return made
  }
}
