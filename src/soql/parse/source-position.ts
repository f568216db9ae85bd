/** A position in a text, both counted from 1. (docs/reference/api/queries.md#positions) */
interface SourcePosition {
  readonly row: number
  readonly column: number
}

/** Number of words on either side of the token in the excerpt. */
const WORDS_AROUND = 2
/** Bounds the excerpt where a single word is as long as the query. */
const CHARACTERS_AROUND = 200

/** Converts an offset to row and column. A row ends with LF, CR LF or CR. (docs/reference/api/queries.md#positions) */
export function findSourcePosition(text: string, at: number): SourcePosition {
  let row = 1
  let start = 0
  for (let i = findRowEnd(text, 0); i < at; i = findRowEnd(text, start)) {
    const next = text.startsWith('\r\n', i) ? i + 2 : i + 1
    // An offset on the LF of CR LF still belongs to the row that it ends.
    if (next > at) break
    row++
    start = next
  }
  return { row, column: at - start + 1 }
}

/** An error message with excerpt, caret and position in the query. (docs/reference/api/queries.md#positions) */
export function addPosition(text: string, at: number, explanation: string): string {
  const { row, column } = findSourcePosition(text, at)
  const start = at - column + 1
  const line = text.slice(start, findRowEnd(text, at))
  const from = findExcerptStart(line, column - 1)
  const excerpt = line.slice(from, findExcerptEnd(line, column - 1))
  const caret = `${' '.repeat(column - 1 - from)}^`
  return `\n${excerpt}\n${caret}\nERROR at Row:${row}:Column:${column}\n${explanation}`
}

function findRowEnd(text: string, from: number): number {
  let i = from
  while (i < text.length && text[i] !== '\n' && text[i] !== '\r') i++
  return i
}

function findExcerptStart(line: string, at: number): number {
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

function findExcerptEnd(line: string, at: number): number {
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
