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

/** Bytes and values that are parsed between two pauses. */
const SLICE_BYTES = 64 * 1024
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
const COMMA = 0x2c
const COLON = 0x3a
const MINUS = 0x2d
const PLUS = 0x2b
const POINT = 0x2e
const ZERO = 0x30
const LARGE_E = 0x45
const SMALL_E = 0x65
const SMALL_U = 0x75
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** The first bytes beyond ASCII, and of a character that is a pair in a text. */
const BEYOND_ASCII = 0x80
const FOUR_BYTES = 0xf0

const WORDS: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null }

const isDigit = (code: number | undefined) => code !== undefined && code >= 0x30 && code <= 0x39

const continuesCharacter = (code: number | undefined) => code !== undefined && (code & 0xc0) === BEYOND_ASCII

/**
 * Parses JSON from an offset and reports where errors are (docs/reference/api/records.md#error-codes). Its generators yield often, so
 * that the caller can pause the work. It reads bytes, which have to be UTF-8: a text of all of them would take as much memory
 * again, or twice as much.
 */
export class JsonReader {
  readonly bytes: Buffer
  /** Records where objects and lists start; undefined: values are only checked, not built. */
  readonly starts: Starts | undefined
  /** The member or item of the first object or list to find. */
  readonly wanted: string | number | undefined
  at: number
  #line: number
  #lineStart: number
  /** How many bytes this line has more than characters, before `at`. */
  #extra = 0
  /** The same of the part of a string that was left last, and whether that has escapes. */
  #extraLeft = 0
  #hasEscapes = false
  #level = 0
  #pausedAt: number
  #values = 0

  constructor(bytes: Buffer, starts?: Starts, start: Start = FIRST, wanted?: string | number) {
    this.bytes = bytes
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
    if (this.at < this.bytes.length) this.#unexpected('Expected end of the text')
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

  location = (): Start => ({
    offset: this.at,
    line: this.#line,
    column: this.at - this.#lineStart - this.#extra + 1,
  })

  /** @returns whether there may be more */
  blanks(): boolean {
    const limit = this.at + SLICE_BYTES
    for (; this.at < limit; this.at++) {
      const code = this.bytes[this.at]
      if (code === NEWLINE) {
        this.#line++
        this.#lineStart = this.at + 1
        this.#extra = 0
      } else if (code !== BLANK && code !== TAB && code !== RETURN) return false
    }
    return true
  }

  /** True if bounds apply: smaller texts were parsed by the engine before. */
  get #isLarge(): boolean {
    return this.bytes.length > LARGE_TEXT_BYTES
  }

  #isDue(): boolean {
    if (++this.#values < SLICE_VALUES && this.at - this.#pausedAt < SLICE_BYTES) return false
    this.#values = 0
    this.#pausedAt = this.at
    return true
  }

  *#value(): Generator<void, unknown> {
    if (this.#level > MAX_LEVELS) this.#fail(`The text is nested deeper than ${MAX_LEVELS} levels`)
    if (this.#isDue()) yield
    const code = this.bytes[this.at]
    if (code === OPEN_OBJECT) return yield* this.#object()
    if (code === OPEN_LIST) return yield* this.#list()
    if (code === QUOTE) return this.#shortString() ?? (yield* this.#longString())
    if (code === MINUS || isDigit(code)) return this.#number()
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
      if (first && this.bytes[this.at] === CLOSE_OBJECT) break
      if (this.bytes[this.at] !== QUOTE)
        this.#unexpected('was expecting double-quote to start field name', 'Object', start)
      const name = this.#shortString() ?? (yield* this.#longName())
      while (this.blanks()) yield
      if (this.bytes[this.at] !== COLON) {
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
      if (this.bytes[this.at] === CLOSE_OBJECT) break
      if (this.bytes[this.at] !== COMMA)
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
      if (index === 0 && this.bytes[this.at] === CLOSE_LIST) break
      if (this.#level === 1 && index === this.wanted) throw FOUND
      list.push(yield* this.#value())
      while (this.blanks()) yield
      if (this.bytes[this.at] === CLOSE_LIST) break
      if (this.bytes[this.at] !== COMMA)
        this.#unexpected('was expecting comma to separate Array entries', 'Array', start)
      this.at++
    }
    this.at++
    this.#level--
    return list
  }

  /** @returns undefined if the string is longer than a slice; nothing is consumed then */
  #shortString(): string | undefined {
    const limit = this.at + 1 + SLICE_BYTES
    const end = this.#leaveString(this.at + 1, limit)
    if (end >= limit || this.bytes[end] !== QUOTE) return undefined
    const text = this.#decode(this.at + 1, end, this.#extra)
    this.#extra += this.#extraLeft
    this.at = end + 1
    return text
  }

  /** Nothing is called so, and making one text of it takes long. */
  *#longName(): Generator<void, string> {
    if (this.#isLarge) this.#fail(`The field name is longer than ${SLICE_BYTES} characters`)
    return yield* this.#longString()
  }

  *#longString(): Generator<void, string> {
    const start = this.at + 1
    const extraAtStart = this.#extra
    /** Undefined while one byte is one character: such a text is made at once in the end, which takes it half the memory. */
    let text: string | undefined
    for (let from = start; ; ) {
      const limit = from + SLICE_BYTES
      const end = this.#leaveString(from, limit)
      if (text === undefined && (this.#hasEscapes || this.#extraLeft > 0)) {
        text = this.bytes.toString('latin1', start, from)
      }
      if (text !== undefined) text += this.#decode(from, end, extraAtStart)
      this.#extra += this.#extraLeft
      if (end < limit && this.bytes[end] === QUOTE) {
        this.at = end + 1
        text ??= this.bytes.toString('latin1', start, end)
        yield
        return text
      }
      from = end
      yield
    }
  }

  /** @returns where the string ends, or where it may be split: never inside an escape or a character */
  #leaveString(from: number, limit: number): number {
    const { bytes } = this
    const last = Math.min(limit, bytes.length)
    let escaped = -1
    let extra = 0
    let at = from
    for (; at < last; at++) {
      const code = bytes[at]!
      if (code === QUOTE) break
      if (code < BLANK) {
        this.at = at
        this.#extra += extra
        this.#fail(`Illegal unquoted character (code ${code}): has to be escaped to be in a string value`)
      }
      if (code === BACKSLASH) escaped = at++
      else if (code >= BEYOND_ASCII) {
        if (continuesCharacter(code)) extra++
        else if (code >= FOUR_BYTES) extra--
      }
    }
    if (at >= bytes.length) {
      this.at = bytes.length
      this.#extra += extra
      this.#fail('Unexpected end-of-input: was expecting closing quote for a string value')
    }
    this.#hasEscapes = escaped >= 0
    if (at >= last) {
      if (escaped >= 0 && bytes[escaped + 1] === SMALL_U && at - escaped < '\\u0000'.length) at = escaped
      while (continuesCharacter(bytes[at])) {
        at--
        if (continuesCharacter(bytes[at])) extra--
        else if (bytes[at]! >= FOUR_BYTES) extra++
      }
    }
    this.#extraLeft = extra
    return at
  }

  /** Decodes what was left last. @param extraAtString where the whole string starts */
  #decode(from: number, to: number, extraAtString: number): string {
    const text = this.bytes.toString('utf8', from, to)
    if (!this.#hasEscapes) return text
    try {
      return JSON.parse(`"${text}"`)
    } catch {
      this.#extra = extraAtString
      this.#fail('Unrecognized character escape in a string value')
    }
  }

  #digits(from: number): number {
    const limit = this.#isLarge ? from + MAX_DIGITS : Number.POSITIVE_INFINITY
    let at = from
    while (at <= limit && isDigit(this.bytes[at])) at++
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
    const { bytes } = this
    const first = bytes[this.at] === MINUS ? this.at + 1 : this.at
    let end = bytes[first] === ZERO ? first + 1 : this.#digits(first)
    if (end === first || isDigit(bytes[end])) this.#fail('Invalid numeric value')
    if (bytes[end] === POINT) end = this.#digitsBehind(end, end + 1)
    if (bytes[end] === SMALL_E || bytes[end] === LARGE_E) {
      const hasSign = bytes[end + 1] === PLUS || bytes[end + 1] === MINUS
      end = this.#digitsBehind(end, end + (hasSign ? 2 : 1))
    }
    const value = Number(bytes.toString('latin1', this.at, end))
    this.at = end
    return value
  }

  #word(): boolean | null {
    const end = Math.min(this.at + 100, this.bytes.length)
    const word = /^[A-Za-z0-9_$]*/.exec(this.bytes.toString('latin1', this.at, end))![0]
    if (Object.hasOwn(WORDS, word)) {
      this.at += word.length
      return WORDS[word]!
    }
    if (word !== '') this.#fail(`Unrecognized token '${word}': was expecting ('true', 'false' or 'null')`)
    this.#unexpected("expected a valid value (number, String, array, object, 'true', 'false' or 'null')")
  }

  #unexpected(expectation: string, container?: string, start?: Location): never {
    if (this.at >= this.bytes.length) {
      if (container === undefined) this.#fail(`Unexpected end-of-input: ${expectation}`)
      this.#fail(
        `Unexpected end-of-input: expected close marker for ${container} (start marker at [line:${start!.line}, column:${start!.column}])`,
      )
    }
    const code = this.bytes.toString('utf8', this.at, this.at + 4).codePointAt(0)!
    this.#fail(`Unexpected character ('${String.fromCodePoint(code)}' (code ${code})): ${expectation}`)
  }

  #fail(message: string): never {
    throw new JsonSyntaxError(message, this.location())
  }
}
