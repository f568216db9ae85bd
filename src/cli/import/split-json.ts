import { MAX_LEVELS } from '../../base/json-reader.ts'
import type { SourceFile } from './source-file.ts'

/** The text of one value, and the line on which it begins. */
export interface JsonPiece {
  readonly text: string
  readonly line: number
}

/**
 * Text before the first record: nothing, the start of an array, that of a tree, or that of a saved query result, also as sf
 * prints it.
 */
const OPENING =
  /^\s*(?:\[|\{\s*(?:"(?:status|totalSize|done|nextRecordsUrl)"\s*:\s*(?:\w+|"[^"]*")\s*,\s*)*(?:"result"\s*:\s*\{\s*(?:"(?:totalSize|done)"\s*:\s*\w+\s*,\s*)*)?"records"\s*:\s*\[)/
const MAX_OPENING_LENGTH = 4096

const QUOTE = 0x22
const BACKSLASH = 0x5c
const NEWLINE = 0x0a

class StrangeText extends Error {
  readonly line: number

  constructor(line: number, message: string) {
    super(message)
    this.line = line
  }
}

/** Text between records and after the last one. */
const BETWEEN = ' \t\r\n,]}'

/** Finds the objects that stand beside each other in an array, or line by line, as their text comes in. */
class Splitter {
  #text = ''
  #at = 0
  #start = -1
  #depth = 0
  #quoted = false
  #line = 1
  #startLine = 1
  #awaitsEnd = false
  /** Other members may follow the records. */
  #isResult = false

  /** True if more must come: an object, or the end of the list. */
  get isOpen(): boolean {
    return this.#start >= 0 || this.#awaitsEnd
  }

  /** Where the last record begins. */
  get line(): number {
    return this.#startLine
  }

  /** Text before the first record, if that was the start of a list. */
  open(opening: string): void {
    this.#awaitsEnd = true
    this.#isResult = opening.includes('{')
    this.#line += opening.split('\n').length - 1
  }

  #enter(): void {
    if (++this.#depth > MAX_LEVELS)
      throw new StrangeText(this.#line, `the record is nested deeper than ${MAX_LEVELS} levels`)
  }

  /** The objects that are complete with this much more text. */
  *add(chunk: string): Generator<JsonPiece> {
    this.#text += chunk
    const { length } = this.#text
    for (; this.#at < length; this.#at++) {
      const c = this.#text.charCodeAt(this.#at)
      if (c === NEWLINE) this.#line++
      if (this.#isResult && !this.#awaitsEnd) continue
      if (this.#quoted) {
        if (c === QUOTE) this.#quoted = false
        else if (c === BACKSLASH) {
          // The escaped character may not have arrived yet.
          if (this.#at + 1 === length) break
          this.#at++
        }
      } else if (c === 0x7b) {
        if (this.#depth === 0) {
          this.#start = this.#at
          this.#startLine = this.#line
        }
        this.#enter()
      } else if (this.#depth === 0) {
        if (!BETWEEN.includes(this.#text[this.#at]!))
          throw new StrangeText(this.#line, 'every record must be an object')
        if (c === 0x5d) this.#awaitsEnd = false
      } else if (c === QUOTE) this.#quoted = true
      else if (c === 0x5b) this.#enter()
      else if ((c === 0x7d || c === 0x5d) && --this.#depth === 0) {
        yield { text: this.#text.slice(this.#start, this.#at + 1), line: this.#startLine }
        this.#start = -1
      }
    }
    const kept = this.#start < 0 ? this.#at : this.#start
    this.#text = this.#text.slice(kept)
    this.#at -= kept
    if (this.#start >= 0) this.#start = 0
  }
}

/** The text without what stands before the first record; undefined while that may still be coming. */
function withoutOpening(head: string, isWhole: boolean, splitter: Splitter): string | undefined {
  const opening = OPENING.exec(head)?.[0]
  if (opening === undefined) return isWhole || head.length > MAX_OPENING_LENGTH ? head : undefined
  splitter.open(opening)
  return head.slice(opening.length)
}

/**
 * The objects of a JSON array, of the records of a tree, or of a file with one on each line, each as its text. Only one
 * is held at a time.
 * @throws Error with the line on which something else stands
 */
export async function* splitJson(source: SourceFile): AsyncGenerator<JsonPiece> {
  const decoder = new TextDecoder('utf-8')
  const splitter = new Splitter()
  let head: string | undefined = ''
  try {
    for await (const chunk of source.chunks()) {
      let text: string | undefined = decoder.decode(chunk, { stream: true })
      if (head !== undefined) {
        head += text
        text = withoutOpening(head, false, splitter)
        if (text === undefined) continue
        head = undefined
      }
      yield* splitter.add(text)
    }
    if (head !== undefined) yield* splitter.add(withoutOpening(head, true, splitter)!)
  } catch (error) {
    if (!(error instanceof StrangeText)) throw error
    throw new Error(`${source.name}, line ${error.line}: ${error.message}.`, { cause: error })
  }
  if (splitter.isOpen) {
    throw new Error(`${source.name} is not complete: its last record begins on line ${splitter.line}.`)
  }
}

/** @throws Error with the line where the text is no object */
export function parsePiece({ name }: SourceFile, { text, line }: JsonPiece): Record<string, unknown> {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`${name} is no JSON, line ${line}: ${(error as Error).message}`)
  }
}
