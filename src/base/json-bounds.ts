import { JsonSyntaxError, MAX_LEVELS } from './json-reader.ts'

/** More values than any valid body needs: 200 records of 800 fields, or 500 graph nodes with 300 each. */
const MAX_VALUES = 250_000

const NEWLINE = 0x0a
const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/**
 * Counts the values and nesting levels of JSON as its bytes arrive, before it is parsed: one value may take a few bytes, and
 * costs a hundred times as much in memory. It does not check whether the JSON is valid.
 */
export class JsonBounds {
  #values = 0
  #level = 0
  #isInString = false
  /** The last byte was an unescaped backslash in a string. */
  #isEscaped = false
  /** Number of bytes checked before, and where their last line starts. */
  #before = 0
  #line = 1
  #lineStart = 0

  /** @throws JsonSyntaxError with the location, whose column counts bytes */
  check(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at++) {
      if (this.#isInString) at = this.#leaveString(bytes, at)
      else this.#look(bytes[at]!, this.#before + at)
    }
    this.#before += bytes.length
  }

  #look(byte: number, offset: number): void {
    if (byte === QUOTE) this.#isInString = true
    else if (byte === COMMA) this.#count(offset)
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      this.#count(offset)
      this.#level++
      // The innermost level may hold a value that no comma has counted yet.
      if (this.#level > MAX_LEVELS + 1)
        this.#fail(`The text is nested deeper than ${MAX_LEVELS} levels`, offset)
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) this.#level--
    else if (byte === NEWLINE) {
      this.#line++
      this.#lineStart = offset + 1
    }
  }

  #count(offset: number): void {
    if (++this.#values > MAX_VALUES) this.#fail(`The text has more than ${MAX_VALUES} values`, offset)
  }

  #fail(message: string, offset: number): never {
    throw new JsonSyntaxError(message, { line: this.#line, column: offset - this.#lineStart + 1 })
  }

  /** @returns where the string ends, or the last byte if it continues in the next chunk */
  #leaveString(bytes: Uint8Array, start: number): number {
    let at = start
    if (this.#isEscaped) at++
    for (; at < bytes.length; at++) {
      const byte = bytes[at]
      if (byte === QUOTE) {
        this.#isEscaped = false
        this.#isInString = false
        return at
      }
      if (byte === BACKSLASH) at++
    }
    // The byte after the last backslash is in the next chunk.
    this.#isEscaped = at > bytes.length
    return bytes.length
  }
}
