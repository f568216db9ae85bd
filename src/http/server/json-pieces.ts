import { Json } from '../../base/json.ts'
import { makePauses } from '../../base/make-pauses.ts'

/** As much is turned into bytes at a time, in characters. */
const PIECE_CHARACTERS = 64 * 1024

/** As many items of a list are written at a time. */
const PIECE_ITEMS = 20

/** Results of steps are lists inside of lists, and records have others below them. */
const MAX_LEVELS = 12

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Lists of what steps gave: there are few, and each may be large. */
const STEP_LISTS = ['results', 'compositeResponse', 'graphs']

/** Whether a body may be so large that writing it holds the event loop. */
export function mayBeLarge(body: unknown): boolean {
  if (isList(body)) return body.length > PIECE_ITEMS
  if (body instanceof Json) return body.pieces.length > 1
  if (!isObject(body)) return false
  for (const name in body) {
    const value = (body as Readonly<Record<string, unknown>>)[name]
    if (isList(value) && (value.length > PIECE_ITEMS || STEP_LISTS.includes(name))) return true
  }
  return false
}

/** Whether an object has nothing below it, so that it is quickly written as a whole. */
function isFlat(value: object): boolean {
  for (const name in value) {
    if (isObject((value as Readonly<Record<string, unknown>>)[name])) return false
  }
  return true
}

const isPlain = (value: object) => Object.getPrototypeOf(value) === Object.prototype

function* write(value: unknown, level: number): Generator<string> {
  if (value instanceof Json) yield* value.pieces
  else if (level > MAX_LEVELS || !isObject(value)) yield JSON.stringify(value)
  else if (isList(value)) yield* writeList(value, level)
  else if (isFlat(value)) yield JSON.stringify(value)
  else if (isPlain(value as object)) yield* writeObject(value as object, level)
  else yield JSON.stringify(value)
}

/** Whether an item of a list is a record with lists of others below it. */
function hasRecords(item: unknown): boolean {
  if (!isObject(item)) return false
  for (const name in item) {
    const value = (item as Readonly<Record<string, unknown>>)[name]
    if (isObject(value) && 'records' in value) return true
  }
  return false
}

/** @param isOfSteps whether each item may be as large as a whole answer */
function* writeList(list: readonly unknown[], level: number, isOfSteps = false): Generator<string> {
  yield '['
  for (let at = 0; at < list.length; ) {
    if (at > 0) yield ','
    const items = list.slice(at, at + PIECE_ITEMS)
    if (isOfSteps || items.some(hasRecords)) {
      yield* write(list[at] ?? null, level + 1)
      at++
    } else {
      yield JSON.stringify(items).slice(1, -1)
      at += items.length
    }
  }
  yield ']'
}

function* writeObject(object: object, level: number): Generator<string> {
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
    text += value
    if (text.length >= PIECE_CHARACTERS) return writeRest(text, pieces)
  }
}

async function* writeRest(begun: string, pieces: Generator<string>): AsyncGenerator<Buffer> {
  let text = begun
  const pauseIfDue = makePauses()
  for (const piece of pieces) {
    if (text.length >= PIECE_CHARACTERS) {
      yield Buffer.from(text)
      text = ''
      await pauseIfDue()
    }
    text += piece
  }
  yield Buffer.from(text)
}
