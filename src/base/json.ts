/** JSON as a text, or in pieces: joining a large text takes as much memory again, and holds the event loop. */
export type JsonText = string | readonly JsonText[]

function listPieces(text: JsonText, pieces: string[] = []): string[] {
  if (typeof text === 'string') pieces.push(text)
  else for (const piece of text) listPieces(piece, pieces)
  return pieces
}

/** A text of fewer characters is joined. */
const SHORT_PIECES_CHARACTERS = 64 * 1024

/** A value that is already serialized as JSON; writers of bodies insert it unchanged. */
export class Json {
  /** One piece, unless the text is long. */
  readonly pieces: readonly string[]

  constructor(text: JsonText) {
    const pieces = listPieces(text)
    let length = 0
    for (const piece of pieces) length += piece.length
    this.pieces = length < SHORT_PIECES_CHARACTERS ? [pieces.join('')] : pieces
  }

  get text(): string {
    return this.pieces.length === 1 ? this.pieces[0]! : this.pieces.join('')
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
