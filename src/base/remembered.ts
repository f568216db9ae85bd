import { LRUCache } from 'lru-cache'
import { AdmissionFilter } from './admission-filter.ts'

/** What was made of texts that came more than once. The one that was not used for longest goes when there are too many. */
export class Cache<Made extends object> {
  readonly #made: LRUCache<string, Made>
  readonly #seen: AdmissionFilter

  constructor(max: number) {
    this.#made = new LRUCache({ max: max })
    this.#seen = new AdmissionFilter(max)
  }

  /** What is known of a text, or what is made of it now. */
  of(text: string, make: () => Made): Made {
    const known = this.#made.get(text)
    if (known !== undefined) return known
    const made = make()
    if (this.#seen.check(text)) this.#made.set(text, made)
    return made
  }
}
