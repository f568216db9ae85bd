/**
 * JSON from a client, with the place of what is wrong in it. The engine's own parser does the work; this scanner
 * runs only when it refuses, or when a message must say where a value stands. (contract/records 3.3)
 */
export interface Place {
  readonly line: number
  readonly column: number
}

export class JsonSyntaxError extends Error {
  constructor(message: string, place: Place) {
    super(`${message} at [line:${place.line}, column:${place.column}]`)
  }
}

/** Deeper nesting than any body has. */
export const MOST_LEVELS = 500

export function placeAt(text: string, offset: number): Place {
  let line = 1
  let start = 0
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) {
    line++
    start = at + 1
  }
  return { line, column: offset - start + 1 }
}

/** @throws JsonSyntaxError */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    new Scanner(text).document()
    throw new JsonSyntaxError('The text is not JSON', { line: 1, column: 1 })
  }
}

/**
 * Where the value of a member stands. `path` leads to it: `['Name']`, or `['records', 0, 'Name']`. A path that is not
 * there gives the start of the text.
 */
export function locateInJson(text: string, path: readonly (string | number)[]): Place {
  const scanner = new Scanner(text, path)
  try {
    scanner.document()
  } catch (stop) {
    if (!(stop instanceof JsonSyntaxError) && stop !== FOUND) throw stop
  }
  return placeAt(text, scanner.found)
}

/** Thrown to leave the scan once the wanted value is reached. */
const FOUND = Symbol('found')

class Scanner {
  readonly text: string
  readonly wanted: readonly (string | number)[] | undefined
  at = 0
  found = 0

  constructor(text: string, wanted?: readonly (string | number)[]) {
    this.text = text
    this.wanted = wanted
  }

  document(): void {
    this.blanks()
    this.value(0, this.wanted !== undefined)
    this.blanks()
    if (this.at < this.text.length) this.unexpected('Expected end of the text')
  }

  /** `onPath`: all steps so far are those of the wanted path. */
  value(level: number, onPath: boolean): void {
    if (onPath && level === this.wanted!.length) {
      this.found = this.at
      throw FOUND
    }
    if (level > MOST_LEVELS) this.fail(`The text is nested deeper than ${MOST_LEVELS} levels`)
    const c = this.text[this.at]
    if (c === '{') this.object(level, onPath)
    else if (c === '[') this.array(level, onPath)
    else if (c === '"') this.string()
    else if (c === '-' || (c !== undefined && c >= '0' && c <= '9')) this.number()
    else this.word()
  }

  object(level: number, onPath: boolean): void {
    const start = this.at++
    for (let first = true; ; first = false) {
      this.blanks()
      if (first && this.text[this.at] === '}') break
      if (this.text[this.at] !== '"')
        this.unexpected('was expecting double-quote to start field name', 'Object', start)
      const name = this.string()
      this.blanks()
      if (this.text[this.at] !== ':') {
        this.unexpected('was expecting a colon to separate field name and value', 'Object', start)
      }
      this.at++
      this.blanks()
      this.value(level + 1, onPath && this.wanted![level] === name)
      this.blanks()
      if (this.text[this.at] === '}') break
      if (this.text[this.at] !== ',')
        this.unexpected('was expecting comma to separate Object entries', 'Object', start)
      this.at++
    }
    this.at++
  }

  array(level: number, onPath: boolean): void {
    const start = this.at++
    for (let index = 0; ; index++) {
      this.blanks()
      if (index === 0 && this.text[this.at] === ']') break
      this.value(level + 1, onPath && this.wanted![level] === index)
      this.blanks()
      if (this.text[this.at] === ']') break
      if (this.text[this.at] !== ',')
        this.unexpected('was expecting comma to separate Array entries', 'Array', start)
      this.at++
    }
    this.at++
  }

  string(): string {
    const start = this.at++
    for (; this.at < this.text.length; this.at++) {
      const c = this.text.charCodeAt(this.at)
      if (c === 0x22) {
        this.at++
        return this.decode(start)
      }
      if (c < 0x20)
        this.fail(`Illegal unquoted character (code ${c}): has to be escaped to be in a string value`)
      if (c === 0x5c) this.at++
    }
    this.at = this.text.length
    this.fail('Unexpected end-of-input: was expecting closing quote for a string value')
  }

  decode(start: number): string {
    try {
      return JSON.parse(this.text.slice(start, this.at))
    } catch {
      this.at = start
      this.fail('Unrecognized character escape in a string value')
    }
  }

  number(): void {
    const rest = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/.exec(this.text.slice(this.at, this.at + 400))
    if (rest === null || /[0-9]/.test(this.text[this.at + rest[0].length] ?? ''))
      this.fail('Invalid numeric value')
    this.at += rest[0].length
  }

  word(): void {
    const word = /^[A-Za-z0-9_$]*/.exec(this.text.slice(this.at, this.at + 100))![0]
    if (word === 'true' || word === 'false' || word === 'null') this.at += word.length
    else if (word !== '') this.fail(`Unrecognized token '${word}': was expecting ('true', 'false' or 'null')`)
    else this.unexpected("expected a valid value (number, String, array, object, 'true', 'false' or 'null')")
  }

  blanks(): void {
    while (' \t\r\n'.includes(this.text[this.at] ?? 'x')) this.at++
  }

  unexpected(expectation: string, container?: string, start?: number): never {
    const c = this.text.codePointAt(this.at)
    if (c === undefined) {
      if (container === undefined) this.fail(`Unexpected end-of-input: ${expectation}`)
      const place = placeAt(this.text, start!)
      this.fail(
        `Unexpected end-of-input: expected close marker for ${container} (start marker at [line:${place.line}, column:${place.column}])`,
      )
    }
    this.fail(`Unexpected character ('${String.fromCodePoint(c)}' (code ${c})): ${expectation}`)
  }

  fail(message: string): never {
    throw new JsonSyntaxError(message, placeAt(this.text, this.at))
  }
}
