/** One row of a CSV text. */
export interface CsvRow {
  readonly cells: readonly string[]
  /** Why it is not valid CSV. */
  readonly fault?: string
}

interface Rows {
  readonly rows: readonly CsvRow[]
  /** Where the next row begins. */
  readonly end: number
}

const QUOTE = 34
const LINE_FEED = 10
const CARRIAGE_RETURN = 13

const AFTER_QUOTE = 'text follows a closing quote'
const INSIDE_TEXT = 'a quote inside a value that is not quoted'
const NEVER_CLOSED = 'a quote that is never closed'

/** Finds the next occurrence of a character; remembers it, so that no part of the text is searched twice. */
class Finder {
  readonly #text: string
  readonly #sought: string
  #at = -1

  constructor(text: string, sought: string) {
    this.#text = text
    this.#sought = sought
  }

  /** The length of the text if there is none. */
  from(start: number): number {
    if (this.#at < start) {
      const found = this.#text.indexOf(this.#sought, start)
      this.#at = found < 0 ? this.#text.length : found
    }
    return this.#at
  }
}

/**
 * Splits a text into rows. Values may be quoted; a quote in a quoted value is doubled. Line endings are LF and CRLF, also
 * mixed; empty lines are skipped. A row that is not valid ends with its line, and the next one is read as usual.
 * @param start where a row begins
 * @param isEnd whether nothing follows the text: a row at its end is complete
 */
export function parseRows(
  text: string,
  start: number,
  { delimiter, max, isEnd }: { readonly delimiter: string; readonly max: number; readonly isEnd: boolean },
): Rows {
  const rows: CsvRow[] = []
  const delimiters = new Finder(text, delimiter)
  const lineFeeds = new Finder(text, '\n')
  const separator = delimiter.charCodeAt(0)
  const { length } = text
  let end = start
  while (end < length && rows.length < max) {
    const first = text.charCodeAt(end)
    if (first === LINE_FEED) {
      end++
      continue
    }
    if (first === CARRIAGE_RETURN && text.charCodeAt(end + 1) === LINE_FEED) {
      end += 2
      continue
    }
    const row = readRow()
    if (row === undefined) break
    rows.push(row)
  }
  return { rows, end }

  /** Reads the row at `end` and moves on; undefined if it may go on behind the text. */
  function readRow(): CsvRow | undefined {
    const cells: string[] = []
    let fault: string | undefined
    let at = end
    for (;;) {
      if (text.charCodeAt(at) === QUOTE) {
        const from = at + 1
        let hasQuotes = false
        let quote = from
        for (;;) {
          quote = text.indexOf('"', quote)
          if (quote < 0 || (quote + 1 === length && !isEnd)) break
          if (text.charCodeAt(quote + 1) !== QUOTE) break
          hasQuotes = true
          quote += 2
        }
        if (quote < 0) {
          if (!isEnd) return undefined
          cells.push(unquoted(text.slice(from), hasQuotes))
          end = length
          return { cells, fault: NEVER_CLOSED }
        }
        if (quote + 1 === length && !isEnd) return undefined
        const value = unquoted(text.slice(from, quote), hasQuotes)
        at = quote + 1
        const next = text.charCodeAt(at)
        if (next === separator) {
          cells.push(value)
          at++
          continue
        }
        const isLineEnd =
          at === length ||
          next === LINE_FEED ||
          (next === CARRIAGE_RETURN && (at + 1 === length || text.charCodeAt(at + 1) === LINE_FEED))
        if (!isLineEnd) fault = AFTER_QUOTE
        const lineEnd = lineFeeds.from(at)
        if (lineEnd === length && !isEnd) return undefined
        cells.push(isLineEnd ? value : value + withoutReturn(text.slice(at, lineEnd)))
        end = Math.min(length, lineEnd + 1)
        return fault === undefined ? { cells } : { cells, fault }
      }
      const separatorAt = delimiters.from(at)
      const lineEnd = lineFeeds.from(at)
      if (separatorAt < lineEnd) {
        const value = text.slice(at, separatorAt)
        if (value.includes('"')) fault = INSIDE_TEXT
        cells.push(value)
        at = separatorAt + 1
        continue
      }
      if (lineEnd === length && !isEnd) return undefined
      const value = withoutReturn(text.slice(at, lineEnd))
      if (value.includes('"')) fault = INSIDE_TEXT
      cells.push(value)
      end = Math.min(length, lineEnd + 1)
      return fault === undefined ? { cells } : { cells, fault }
    }
  }
}

/** The text between quotes, in which quotes are doubled. */
const unquoted = (text: string, hasQuotes: boolean) => (hasQuotes ? text.replaceAll('""', '"') : text)

const withoutReturn = (value: string) => (value.endsWith('\r') ? value.slice(0, -1) : value)

/** Writes rows with the delimiter and the line ending of a job. */
export class CsvWriter {
  readonly delimiter: string
  readonly lineEnding: string

  constructor(delimiter: string, lineEnding: string) {
    this.delimiter = delimiter
    this.lineEnding = lineEnding
  }

  /** Every value is in quotes, which each client reads whatever its delimiter. */
  row(values: readonly string[]): string {
    const hasQuotes = values.some((value) => value.includes('"'))
    const escaped = hasQuotes ? values.map((value) => value.replaceAll('"', '""')) : values
    return `"${escaped.join(`"${this.delimiter}"`)}"${this.lineEnding}`
  }
}
