import { parseKeepingTexts } from './decimal-json.ts'

/** A part of a JSON text that ends with a whole character. Bytes are held outside of the heap of objects and texts. */
export type JsonPiece = string | Buffer

/** JSON as a text, or in pieces: joining a large text takes as much memory again, and holds the event loop. */
export type JsonText = JsonPiece | readonly JsonText[]

const isPiece = (text: JsonText): text is JsonPiece => typeof text === 'string' || Buffer.isBuffer(text)

function listPieces(text: JsonText, pieces: JsonPiece[] = []): JsonPiece[] {
  if (isPiece(text)) pieces.push(text)
  else for (const piece of text) listPieces(piece, pieces)
  return pieces
}

/** A text of fewer characters is joined. */
const SHORT_PIECES_CHARACTERS = 64 * 1024

const isText = (piece: JsonPiece) => typeof piece === 'string'

/** A value that is already serialized as JSON; writers of bodies insert it unchanged. */
export class Json {
  /** One piece, unless the text is long. */
  readonly pieces: readonly JsonPiece[]

  constructor(text: JsonText) {
    const pieces = listPieces(text)
    let length = 0
    for (const piece of pieces) length += piece.length
    this.pieces = length < SHORT_PIECES_CHARACTERS && pieces.every(isText) ? [pieces.join('')] : pieces
  }

  get text(): string {
    return this.pieces.length === 1 ? String(this.pieces[0]!) : this.pieces.join('')
  }

  /** For `JSON.stringify`, where it is a part of another value. */
  toJSON(): unknown {
    return parseKeepingTexts(this.text)
  }
}

/** Parts of a text become bytes when they are so long. */
const WRITTEN_CHARACTERS = 16 * 1024

/**
 * Joins the parts of a JSON text, which may be long. Its beginning becomes bytes before its end is made: as texts, the parts of the
 * answers that are under way outlive several collections of the heap, each of which copies them.
 */
export class JsonWriter {
  readonly #pieces: JsonPiece[] = []
  #text = ''

  /** @param part ends with a whole character */
  add(part: string): void {
    this.#text += part
    if (this.#text.length < WRITTEN_CHARACTERS) return
    this.#pieces.push(Buffer.from(this.#text))
    this.#text = ''
  }

  end(): JsonText {
    return this.#pieces.length === 0 ? this.#text : [...this.#pieces, this.#text]
  }
}

/** For longer texts `JSON.stringify` is as fast. */
const SHORT_TEXT_CHARACTERS = 100

/** A text as JSON. Most texts are short and need no escapes; checking for that is faster than `JSON.stringify`. */
export function quoteJson(text: string): string {
  if (text.length > SHORT_TEXT_CHARACTERS) return JSON.stringify(text)
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    // Control characters, quotes, backslashes, and surrogates, which may be unpaired.
    if (code < 0x20 || code === 0x22 || code === 0x5c || (code >= 0xd800 && code <= 0xdfff)) {
      return JSON.stringify(text)
    }
  }
  return `"${text}"`
}

/** A value as JSON; undefined where that is longer, which is found out without writing it. */
export function writeBounded(value: unknown, maxLength: number): string | undefined {
  let rest = maxLength
  const isTooLong = (one: unknown): boolean => {
    rest -= typeof one === 'string' ? one.length + 2 : 1
    if (rest < 0) return true
    if (typeof one !== 'object' || one === null) return false
    if (Array.isArray(one)) return one.some(isTooLong)
    for (const name in one) {
      rest -= name.length + 3
      if (isTooLong((one as Readonly<Record<string, unknown>>)[name])) return true
    }
    return false
  }
  if (isTooLong(value)) return undefined
  const text = JSON.stringify(value)
  return text.length > maxLength ? undefined : text
}

/** True of objects of JSON and YAML, which are no lists. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
