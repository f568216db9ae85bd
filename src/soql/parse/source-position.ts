/** A place in a text as people count: both from 1. (docs/reference/api/queries.md#positions) */
export interface SourcePosition {
  readonly row: number
  readonly column: number
}

/** How many words of the row stand on either side of the token in the excerpt. */
const WORDS_AROUND = 2
/** A single word may be as long as the whole query; the excerpt may not. */
const CHARACTERS_AROUND = 200

/** Turns an offset into row and column. A row ends with LF, CR LF or CR. (docs/reference/api/queries.md#positions) */
export function sourcePosition(text: string, at: number): SourcePosition {
  let row = 1
  let start = 0
  for (let i = rowEnd(text, 0); i < at; i = rowEnd(text, start)) {
    const next = text.startsWith('\r\n', i) ? i + 2 : i + 1
    // An offset on the line feed of CR LF still belongs to the row that it ends.
    if (next > at) break
    row++
    start = next
  }
  return { row, column: at - start + 1 }
}

/** The message of an error that points at a place of the query: excerpt, caret, position. (docs/reference/api/queries.md#positions) */
export function positioned(text: string, at: number, explanation: string): string {
  const { row, column } = sourcePosition(text, at)
  const start = at - column + 1
  const line = text.slice(start, rowEnd(text, at))
  const from = excerptStart(line, column - 1)
  const excerpt = line.slice(from, excerptEnd(line, column - 1))
  const caret = `${' '.repeat(column - 1 - from)}^`
  return `\n${excerpt}\n${caret}\nERROR at Row:${row}:Column:${column}\n${explanation}`
}

function rowEnd(text: string, from: number): number {
  let i = from
  while (i < text.length && text[i] !== '\n' && text[i] !== '\r') i++
  return i
}

function excerptStart(line: string, at: number): number {
  let i = at
  for (let words = 0; words < WORDS_AROUND; words++) {
    let start = i
    while (start > 0 && isBetweenWords(line[start - 1])) start--
    if (start === 0) break
    while (start > 0 && !isBetweenWords(line[start - 1])) start--
    i = start
  }
  return Math.max(i, at - CHARACTERS_AROUND)
}

function excerptEnd(line: string, at: number): number {
  let i = at
  while (i < line.length && !isBetweenWords(line[i])) i++
  for (let words = 0; words < WORDS_AROUND; words++) {
    let end = i
    while (end < line.length && isBetweenWords(line[end])) end++
    if (end === line.length) break
    while (end < line.length && !isBetweenWords(line[end])) end++
    i = end
  }
  return Math.min(i, at + CHARACTERS_AROUND)
}

function isBetweenWords(character: string | undefined): boolean {
  return character === ' ' || character === '\t' || character === ','
}
