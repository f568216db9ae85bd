import { LRUCache } from 'lru-cache'
import { AdmissionFilter } from './admission-filter.ts'

/** LRU cache of values derived from texts. A text enters it the second time it is used. */
export class Cache<Made extends object> {
  readonly #made: LRUCache<string, Made>
  readonly #seen: AdmissionFilter

  constructor(max: number) {
    this.#made = new LRUCache({ max: max })
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
