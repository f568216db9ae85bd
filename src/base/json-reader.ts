import { drain } from './run-in-slices.ts'
/** A position in a text, both from 1. */
export interface Location {
  readonly line: number
  readonly column: number
}

export class JsonSyntaxError extends Error {
  constructor(message: string, location: Location) {
    super(`${message} at [line:${location.line}, column:${location.column}]`)
  }
}

/** Maximum nesting of a body. */
export const MAX_LEVELS = 500

/** Larger texts are parsed in slices; parsing a smaller one holds the event loop for 30 ms at most. */
export const LARGE_TEXT_BYTES = 512 * 1024

/** Maximum number of digits in a row in a number of a large text. */
const MAX_DIGITS = 1000

/** Characters and values that are parsed between two pauses. */
const SLICE_CHARACTERS = 64 * 1024
const SLICE_VALUES = 500

export interface Start extends Location {
  readonly offset: number
}

export const FIRST: Start = { offset: 0, line: 1, column: 1 }

/** Offsets of objects and lists. */
export type Starts = WeakMap<object, Start>

/** Thrown to stop parsing once the wanted value is reached. */
const FOUND = Symbol('found')

const TAB = 0x09
const NEWLINE = 0x0a
const RETURN = 0x0d
const BLANK = 0x20
const QUOTE = 0x22
const BACKSLASH = 0x5c

const WORDS: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null }

const isDigit = (code: number) => code >= 0x30 && code <= 0x39

/**
 * Parses JSON from an offset and reports where errors are (docs/reference/api/records.md#error-codes). Its generators yield often, so
 * that the caller can pause the work.
 */
export class JsonReader {
  readonly text: string
  /** Records where objects and lists start; undefined: values are only checked, not built. */
  readonly starts: Starts | undefined
  /** The member or item of the first object or list to find. */
  readonly wanted: string | number | undefined
  at: number
  #line: number
  #lineStart: number
  #level = 0
  #pausedAt: number
  #values = 0

  constructor(text: string, starts?: Starts, start: Start = FIRST, wanted?: string | number) {
    this.text = text
    this.starts = starts
    this.wanted = wanted
    this.at = start.offset
    this.#pausedAt = start.offset
    this.#line = start.line
    this.#lineStart = start.offset - start.column + 1
  }

  *document(): Generator<void, unknown> {
    while (this.blanks()) yield
    const value = yield* this.#value()
    while (this.blanks()) yield
    if (this.at < this.text.length) this.#unexpected('Expected end of the text')
    return value
  }

  /** The location of the wanted member of the object or list that starts here. */
  find(): Location {
    try {
      drain(this.#value())
    } catch (stop) {
      if (stop !== FOUND) throw stop
      return this.location()
    }
    return FIRST
  }

  location = (): Start => ({ offset: this.at, line: this.#line, column: this.at - this.#lineStart + 1 })

  /** @returns whether there may be more */
  blanks(): boolean {
    const limit = this.at + SLICE_CHARACTERS
    for (; this.at < limit; this.at++) {
      const code = this.text.charCodeAt(this.at)
      if (code === NEWLINE) {
        this.#line++
        this.#lineStart = this.at + 1
      } else if (code !== BLANK && code !== TAB && code !== RETURN) return false
    }
    return true
  }

  /** What the engine has parsed is read again without bounds of its own. */
  get #isLarge(): boolean {
    return this.text.length > LARGE_TEXT_BYTES
  }

  #isDue(): boolean {
    if (++this.#values < SLICE_VALUES && this.at - this.#pausedAt < SLICE_CHARACTERS) return false
    this.#values = 0
    this.#pausedAt = this.at
    return true
  }

  *#value(): Generator<void, unknown> {
    if (this.#level > MAX_LEVELS) this.#fail(`The text is nested deeper than ${MAX_LEVELS} levels`)
    if (this.#isDue()) yield
    const c = this.text[this.at]
    if (c === '{') return yield* this.#object()
    if (c === '[') return yield* this.#list()
    if (c === '"') return this.#shortString() ?? (yield* this.#longString())
    if (c === '-' || isDigit(this.text.charCodeAt(this.at))) return this.#number()
    return this.#word()
  }

  *#object(): Generator<void, object> {
    const start = this.location()
    const object: Record<string, unknown> = {}
    this.starts?.set(object, start)
    this.at++
    this.#level++
    for (let first = true; ; first = false) {
      while (this.blanks()) yield
      if (first && this.text[this.at] === '}') break
      if (this.text[this.at] !== '"')
        this.#unexpected('was expecting double-quote to start field name', 'Object', start)
      const name = this.#shortString() ?? (yield* this.#longName())
      while (this.blanks()) yield
      if (this.text[this.at] !== ':') {
        this.#unexpected('was expecting a colon to separate field name and value', 'Object', start)
      }
      this.at++
      while (this.blanks()) yield
      if (this.#level === 1 && name === this.wanted) throw FOUND
      const value = yield* this.#value()
      if (name !== '__proto__') object[name] = value
      else
        Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true })
      while (this.blanks()) yield
      if (this.text[this.at] === '}') break
      if (this.text[this.at] !== ',')
        this.#unexpected('was expecting comma to separate Object entries', 'Object', start)
      this.at++
    }
    this.at++
    this.#level--
    return object
  }

  *#list(): Generator<void, readonly unknown[]> {
    const start = this.location()
    const list: unknown[] = []
    this.starts?.set(list, start)
    this.at++
    this.#level++
    for (let index = 0; ; index++) {
      while (this.blanks()) yield
      if (index === 0 && this.text[this.at] === ']') break
      if (this.#level === 1 && index === this.wanted) throw FOUND
      list.push(yield* this.#value())
      while (this.blanks()) yield
      if (this.text[this.at] === ']') break
      if (this.text[this.at] !== ',')
        this.#unexpected('was expecting comma to separate Array entries', 'Array', start)
      this.at++
    }
    this.at++
    this.#level--
    return list
  }

  /** @returns undefined if the string is longer than a slice; nothing is consumed then */
  #shortString(): string | undefined {
    const limit = this.at + 1 + SLICE_CHARACTERS
    const end = this.#leaveString(this.at + 1, limit)
    if (end >= limit || this.text.charCodeAt(end) !== QUOTE) return undefined
    const text = this.#decode(this.at + 1, end)
    this.at = end + 1
    return text
  }

  /** Nothing is called so, and making one text of it takes long. */
  *#longName(): Generator<void, string> {
    if (this.#isLarge) this.#fail(`The field name is longer than ${SLICE_CHARACTERS} characters`)
    return yield* this.#longString()
  }

  *#longString(): Generator<void, string> {
    let text = ''
    for (let from = this.at + 1; ; ) {
      const limit = from + SLICE_CHARACTERS
      const end = this.#leaveString(from, limit)
      text += this.#decode(from, end)
      if (end < limit && this.text.charCodeAt(end) === QUOTE) {
        this.at = end + 1
        return text
      }
      from = end
      yield
    }
  }

  /** @returns where the string ends, or where it may be split: never inside an escape */
  #leaveString(from: number, limit: number): number {
    const { text } = this
    const last = Math.min(limit, text.length)
    let escaped = -1
    let at = from
    for (; at < last; at++) {
      const code = text.charCodeAt(at)
      if (code === QUOTE) return at
      if (code < BLANK) {
        this.at = at
        this.#fail(`Illegal unquoted character (code ${code}): has to be escaped to be in a string value`)
      }
      if (code === BACKSLASH) escaped = at++
    }
    if (at >= text.length) {
      this.at = text.length
      this.#fail('Unexpected end-of-input: was expecting closing quote for a string value')
    }
    const isCut = escaped >= 0 && text[escaped + 1] === 'u' && at - escaped < '\\u0000'.length
    return isCut ? escaped : at
  }

  #decode(from: number, to: number): string {
    try {
      return JSON.parse(`"${this.text.slice(from, to)}"`)
    } catch {
      this.#fail('Unrecognized character escape in a string value')
    }
  }

  #digits(from: number): number {
    const limit = this.#isLarge ? from + MAX_DIGITS : Number.POSITIVE_INFINITY
    let at = from
    while (at <= limit && isDigit(this.text.charCodeAt(at))) at++
    // Turning digits into a number takes much longer than reading them.
    if (at > limit) this.#fail(`The number is longer than ${MAX_DIGITS} characters`)
    return at
  }

  /** @returns the end of the digits that start at `from`; `otherwise` if there are none */
  #digitsBehind(otherwise: number, from: number): number {
    const end = this.#digits(from)
    return end > from ? end : otherwise
  }

  #number(): number {
    const { text } = this
    const first = text[this.at] === '-' ? this.at + 1 : this.at
    let end = text[first] === '0' ? first + 1 : this.#digits(first)
    if (end === first || isDigit(text.charCodeAt(end))) this.#fail('Invalid numeric value')
    if (text[end] === '.') end = this.#digitsBehind(end, end + 1)
    if (text[end] === 'e' || text[end] === 'E') {
      const hasSign = text[end + 1] === '+' || text[end + 1] === '-'
      end = this.#digitsBehind(end, end + (hasSign ? 2 : 1))
    }
    const value = Number(text.slice(this.at, end))
    this.at = end
    return value
  }

  #word(): boolean | null {
    const word = /^[A-Za-z0-9_$]*/.exec(this.text.slice(this.at, this.at + 100))![0]
    if (Object.hasOwn(WORDS, word)) {
      this.at += word.length
      return WORDS[word]!
    }
    if (word !== '') this.#fail(`Unrecognized token '${word}': was expecting ('true', 'false' or 'null')`)
    this.#unexpected("expected a valid value (number, String, array, object, 'true', 'false' or 'null')")
  }

  #unexpected(expectation: string, container?: string, start?: Location): never {
    const c = this.text.codePointAt(this.at)
    if (c === undefined) {
      if (container === undefined) this.#fail(`Unexpected end-of-input: ${expectation}`)
      this.#fail(
        `Unexpected end-of-input: expected close marker for ${container} (start marker at [line:${start!.line}, column:${start!.column}])`,
      )
    }
    this.#fail(`Unexpected character ('${String.fromCodePoint(c)}' (code ${c})): ${expectation}`)
  }

  #fail(message: string): never {
    throw new JsonSyntaxError(message, this.location())
  }
}
