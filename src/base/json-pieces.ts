import { cutText, PIECE_CHARACTERS } from './cut-text.ts'
import { Json, type JsonPiece } from './json.ts'
import { makePauses } from './make-pauses.ts'

/** Items of a list that are written at a time; fewer if they are long. */
const PIECE_ITEMS = 20

/** Results of steps are lists inside of lists, and records have others below them. */
const MAX_LEVELS = 12

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Lists of what steps gave: there are few, and each may be large. */
const STEP_LISTS = ['results', 'compositeResponse', 'graphs']

/** True if a body may be so large that writing it holds the event loop. */
export function mayBeLarge(body: unknown): boolean {
  if (isList(body)) return body.length > PIECE_ITEMS
  if (body instanceof Json) return body.pieces.length > 1 || body.pieces[0]!.length > PIECE_CHARACTERS
  if (!isObject(body)) return false
  for (const name in body) {
    const value = (body as Readonly<Record<string, unknown>>)[name]
    if (isList(value) && (value.length > PIECE_ITEMS || STEP_LISTS.includes(name))) return true
  }
  return false
}

/** True if an object has nothing below it, so that it is quickly written as a whole. */
function isFlat(value: object): boolean {
  for (const name in value) {
    if (isObject((value as Readonly<Record<string, unknown>>)[name])) return false
  }
  return true
}

const isPlain = (value: object) => Object.getPrototypeOf(value) === Object.prototype

function* write(value: unknown, level: number): Generator<JsonPiece> {
  if (value instanceof Json) yield* value.pieces
  else if (level > MAX_LEVELS || !isObject(value)) yield JSON.stringify(value)
  else if (isList(value)) yield* writeList(value, level)
  else if (isFlat(value)) yield JSON.stringify(value)
  else if (isPlain(value as object)) yield* writeObject(value as object, level)
  else yield JSON.stringify(value)
}

/** True if an item of a list is a record with lists of others below it. */
function hasRecords(item: unknown): boolean {
  if (!isObject(item)) return false
  for (const name in item) {
    const value = (item as Readonly<Record<string, unknown>>)[name]
    if (isObject(value) && 'records' in value) return true
  }
  return false
}

/** @param isOfSteps whether each item may be as large as a whole answer */
function* writeList(list: readonly unknown[], level: number, isOfSteps = false): Generator<JsonPiece> {
  yield '['
  let count = 1
  for (let at = 0; at < list.length; ) {
    if (at > 0) yield ','
    const items = list.slice(at, at + count)
    if (isOfSteps || items.some(hasRecords)) {
      yield* write(list[at] ?? null, level + 1)
      at++
    } else {
      const text = JSON.stringify(items).slice(1, -1)
      yield text
      at += items.length
      count = Math.max(1, Math.min(PIECE_ITEMS, Math.floor((PIECE_CHARACTERS * items.length) / text.length)))
    }
  }
  yield ']'
}

function* writeObject(object: object, level: number): Generator<JsonPiece> {
  let before = '{'
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined) continue
    yield `${before}${JSON.stringify(name)}:`
    if (isList(value)) yield* writeList(value, level + 1, STEP_LISTS.includes(name))
    else yield* write(value, level + 1)
    before = ','
  }
  yield before === '{' ? '{}' : '}'
}

/** A body as JSON: all of its text if that is short, otherwise its bytes, written in slices: others are served between them. */
export function writeJson(body: unknown): string | AsyncGenerator<Buffer> {
  const pieces = write(body, 0)
  let text = ''
  for (;;) {
    const { done, value } = pieces.next()
    if (done) return text
    if (typeof value !== 'string') return writeRest(text, pieces, value)
    text += value
    if (text.length >= PIECE_CHARACTERS) return writeRest(text, pieces)
  }
}

/** @param next bytes that follow the text, before the other pieces */
async function* writeRest(
  begun: string,
  pieces: Generator<JsonPiece>,
  next?: Buffer,
): AsyncGenerator<Buffer> {
  const pauseIfDue = makePauses()
  let text = begun
  const encode = async function* (long = '') {
    for (const one of [text, long]) {
      for (const piece of cutText(one)) {
        yield Buffer.from(piece)
        await pauseIfDue()
      }
    }
    text = ''
  }
  if (next !== undefined) {
    yield* encode()
    yield next
  }
  for (const piece of pieces) {
    if (typeof piece !== 'string') {
      yield* encode()
      yield piece
    } else if (piece.length >= PIECE_CHARACTERS) yield* encode(piece)
    else {
      text += piece
      if (text.length >= PIECE_CHARACTERS) yield* encode()
    }
  }
  yield* encode()
}

/**
 * A part of an answer as bytes if it is large, otherwise as it is: an answer made of many large parts would be held as
 * objects and texts, which take several times as much memory, until the last part is there.
 */
export async function packLarge(body: unknown): Promise<unknown> {
  if (!mayBeLarge(body)) return body
  const written = writeJson(body)
  if (typeof written === 'string') return body
  const chunks: Buffer[] = []
  for await (const chunk of written) chunks.push(chunk)
  return new Json(chunks)
}
