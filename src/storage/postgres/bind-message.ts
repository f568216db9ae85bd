import { cutText, PIECE_CHARACTERS } from '../../base/cut-text.ts'
import { makePauses } from '../../base/make-pauses.ts'

/** The values of a statement with fewer characters are left to pg, which encodes them at once. */
const LONG_CHARACTERS = 256 * 1024

const BIND = 'B'.charCodeAt(0)

/** Formats of values; and the length of null. */
const TEXT = 0
const BINARY = 1
const NULL = -1

type Scalar = string | number | boolean | null | undefined

type Value = Scalar | Uint8Array | readonly Scalar[]

const isScalar = (value: unknown): value is Scalar =>
  value === null || value === undefined || ['string', 'number', 'boolean'].includes(typeof value)

const isValue = (value: unknown): value is Value =>
  isScalar(value) || value instanceof Uint8Array || (Array.isArray(value) && value.every(isScalar))

function countCharacters(values: readonly unknown[]): number {
  let total = 0
  for (const value of values) {
    if (typeof value === 'string') total += value.length
    else if (Array.isArray(value)) total += countCharacters(value)
  }
  return total
}

/** True if the values of a statement are so long that encoding them at once would hold the event loop. */
export function areLong(values: readonly unknown[]): values is readonly Value[] {
  return countCharacters(values) >= LONG_CHARACTERS && values.every(isValue)
}

/** An array as PostgreSQL reads it, element by element. */
function* writeArray(values: readonly Scalar[]): Generator<string> {
  yield '{'
  for (const [index, value] of values.entries()) {
    if (index > 0) yield ','
    if (value === null || value === undefined) yield 'NULL'
    else yield `"${String(value).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
  }
  yield '}'
}

function* encodeValue(value: Exclude<Value, null | undefined>): Generator<Uint8Array> {
  if (value instanceof Uint8Array) yield value
  else if (Array.isArray(value)) for (const text of writeArray(value)) yield* encodeText(text)
  else yield* encodeText(String(value))
}

function* encodeText(text: string): Generator<Uint8Array> {
  for (const piece of cutText(text)) yield Buffer.from(piece)
}

function uint16(...values: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(2 * values.length)
  for (const [index, value] of values.entries()) bytes.writeUInt16BE(value, 2 * index)
  return bytes
}

function int32(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4)
  bytes.writeInt32BE(value)
  return bytes
}

/** Pieces of a message. Short ones are joined: a socket takes few long pieces faster than many short ones. */
class Pieces {
  readonly #done: Uint8Array[] = []
  #short: Uint8Array[] = []
  #shortLength = 0
  length = 0

  add(piece: Uint8Array): void {
    this.length += piece.length
    this.#short.push(piece)
    this.#shortLength += piece.length
    if (this.#shortLength >= PIECE_CHARACTERS) this.#join()
  }

  #join(): void {
    this.#done.push(this.#short.length === 1 ? this.#short[0]! : Buffer.concat(this.#short))
    this.#short = []
    this.#shortLength = 0
  }

  list(): readonly Uint8Array[] {
    if (this.#short.length > 0) this.#join()
    return this.#done
  }
}

/**
 * Makes the message that gives the values of a statement to PostgreSQL, and lets the event loop go on meanwhile: 24 MB of texts
 * that are not ASCII take seconds.
 * @param statement name of the prepared statement; empty: the one without a name
 * @returns the message in pieces
 */
export async function encodeBind(
  statement: string,
  values: readonly Value[],
): Promise<readonly Uint8Array[]> {
  const pauseIfDue = makePauses()
  const body = new Pieces()
  // No portal of a name.
  body.add(Buffer.from(`\0${statement}\0`))
  const formats = values.map((value) => (value instanceof Uint8Array ? BINARY : TEXT))
  body.add(uint16(values.length, ...formats, values.length))
  for (const value of values) {
    if (value === null || value === undefined) {
      body.add(int32(NULL))
      continue
    }
    const bytes = new Pieces()
    for (const piece of encodeValue(value)) {
      bytes.add(piece)
      await pauseIfDue()
    }
    body.add(int32(bytes.length))
    for (const piece of bytes.list()) body.add(piece)
  }
  // All columns of the result have one format.
  body.add(uint16(1, TEXT))
  const head = Buffer.concat([Uint8Array.of(BIND), int32(body.length + 4)])
  return [head, ...body.list()]
}
