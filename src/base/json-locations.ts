import { FIRST, JsonReader, type Location, type Start, type Starts } from './json-reader.ts'
import { drain } from './run-in-slices.ts'

/** Maximum total length of texts parsed a second time to locate values; beyond it only the locations of records are known. */
const MAX_LOCATED_BYTES = 16 * 1024 * 1024

/** Locates the values of a parsed text. */
export class Locations {
  readonly #bytes: Buffer
  readonly #value: unknown
  readonly #starts: Starts
  #rest = MAX_LOCATED_BYTES

  constructor(bytes: Buffer, value: unknown, starts: Starts) {
    this.#bytes = bytes
    this.#value = value
    this.#starts = starts
  }

  locate(path: readonly (string | number)[]): Location {
    let holder: object | undefined
    let value = this.#value
    for (const step of path) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return FIRST
      holder = value
      value = (value as Record<string, unknown>)[step]
    }
    const isHolder = typeof value === 'object' && value !== null
    if (isHolder) return this.#starts.get(value as object)!
    return holder === undefined ? this.#firstValue() : this.#member(this.#starts.get(holder)!, path.at(-1)!)
  }

  #firstValue(): Location {
    const reader = new JsonReader(this.#bytes)
    while (reader.blanks());
    return reader.location()
  }

  #member(start: Start, step: string | number): Location {
    if (this.#rest <= 0) return start
    const reader = new JsonReader(this.#bytes, undefined, start, step)
    const found = reader.find()
    this.#rest -= reader.at - start.offset
    return found
  }
}

/** Parses a valid text a second time to locate its values. */
export function findLocations(text: string): Locations {
  const starts: Starts = new WeakMap()
  const bytes = Buffer.from(text)
  return new Locations(bytes, drain(new JsonReader(bytes, starts).document()), starts)
}
