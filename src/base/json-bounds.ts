import { JsonSyntaxError, MAX_LEVELS } from './json-text.ts'

/** More values than any body of ours needs: 200 records of 800 fields, 500 nodes of a graph with 300 each. */
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
 * Counts the values and levels of JSON while its bytes come, before anybody parses it: a few bytes may stand for a value, and
 * each costs a hundred times as much in memory. Whether it is JSON at all is not its question.
 */
export class JsonBounds {
  #values = 0
  #level = 0
  #isInString = false
  /** The last byte was a backslash in a string that does not itself stand behind one. */
  #isEscaped = false
  /** Bytes that were checked before, and where the last line of them starts. */
  #before = 0
  #line = 1
  #lineStart = 0

  /** @throws JsonSyntaxError with the place, whose column counts bytes */
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
      // The value that stands in the last level may still be a single one.
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

  /** @returns where the string ends, or the last byte when it goes on behind these */
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
    // The byte behind the last backslash is among the next ones.
    this.#isEscaped = at > bytes.length
    return bytes.length
  }
}
