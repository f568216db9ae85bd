import { decodeReferences } from '../../xml/decode-references.ts'

/** A line and a column, both from 1. */
export interface Place {
  readonly line: number
  readonly column: number
}

const LINE_END = '\n'
const REFERENCE = /&#?\w{1,10};/y
const SPACE = /\s*/y

/** The file was parsed before. */
const fail = (reason: string): never => {
  throw new Error(reason)
}

/** Moves over what a pattern matches. */
function match(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

/** Finds places in a file of XML. */
export class TextPlaces {
  readonly #text: string
  #lines: readonly number[] | undefined

  constructor(text: string) {
    this.#text = text
  }

  /**
   * Finds the place of what stands in the text of an element.
   * @param at where what is in the element begins
   * @param wanted its place in that text
   * @returns undefined where the file has more than text there: a comment, or a section
   */
  find(at: number, wanted: Place): Place | undefined {
    const text = this.#text
    let [line, column] = [1, 1]
    let end = match(SPACE, text, at)
    while (line < wanted.line || (line === wanted.line && column < wanted.column)) {
      const character = text[end]
      if (character === undefined || character === '<') return undefined
      const next = character === '&' ? match(REFERENCE, text, end) : end + 1
      if (next === end) return undefined
      const said = character === '&' ? decodeReferences(text.slice(end, next), fail) : character
      if (said === LINE_END) {
        line++
        column = 1
      } else column += said.length
      end = next
    }
    return this.placeOf(end)
  }

  placeOf(offset: number): Place {
    this.#lines ??= this.#findLines()
    let [low, high] = [0, this.#lines.length - 1]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (this.#lines[middle]! <= offset) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: offset - this.#lines[low]! + 1 }
  }

  /** Offsets where lines begin. */
  #findLines(): number[] {
    const lines = [0]
    for (let end = this.#text.indexOf(LINE_END); end >= 0; end = this.#text.indexOf(LINE_END, end + 1))
      lines.push(end + 1)
    return lines
  }
}
