import { isUtf8 } from 'node:buffer'
import { ApiError } from './api-error.ts'
import { findLocations, Locations } from './json-locations.ts'
import { JsonReader, JsonSyntaxError, LARGE_TEXT_BYTES, type Location, type Starts } from './json-reader.ts'
import { drain, runInSlices } from './run-in-slices.ts'

/*
 * JSON from clients. The engine's own parser handles small texts; the reader parses large ones in slices, and runs when the
 * engine rejects a text or a message needs the location of a value.
 */

class NotUtf8 extends Error {
  constructor() {
    super('The request body is not UTF-8 text')
  }
}

/** A parsed text, and the location of each value in it. */
export interface ReadJson {
  readonly value: unknown
  /**
   * The location of a value. `path` leads to it: `['Name']`, or `['records', 0, 'Name']`. A path that does not exist
   * gives the start of the text.
   */
  readonly locate: (path: readonly (string | number)[]) => Location
}

/** @throws JsonSyntaxError */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    drain(new JsonReader(Buffer.from(text)).document())
    throw new JsonSyntaxError('The text is not JSON', { line: 1, column: 1 })
  }
}

/** Parses a small text. @throws JsonSyntaxError */
export function readJson(text: string): ReadJson {
  let locations: Locations | undefined
  const locate: ReadJson['locate'] = (path) => {
    locations ??= findLocations(text)
    return locations.locate(path)
  }
  return { value: parseJson(text), locate }
}

/**
 * Parses bytes; undefined if they are blank. Holds the event loop for some ten milliseconds at a time, whatever their number.
 * @throws JsonSyntaxError, NotUtf8; the deadline's reason
 */
export async function readJsonBytes(
  bytes: Uint8Array,
  bound?: { readonly deadline: AbortSignal },
): Promise<ReadJson | undefined> {
  try {
    if (bytes.length > LARGE_TEXT_BYTES) return await runInSlices(() => readLarge(bytes), bound?.deadline)
    const text = utf8.decode(bytes)
    return text.trim() === '' ? undefined : readJson(text)
  } catch (error) {
    throw error instanceof TypeError && 'code' in error ? new NotUtf8() : error
  }
}

/**
 * Parses the body of a call; undefined if it is blank.
 * @throws ApiError JSON_PARSER_ERROR; the deadline's reason
 */
export async function readJsonCall(
  bytes: Uint8Array,
  bound?: { readonly deadline: AbortSignal },
): Promise<ReadJson | undefined> {
  try {
    return await readJsonBytes(bytes, bound)
  } catch (error) {
    const isOfBody = error instanceof JsonSyntaxError || error instanceof NotUtf8
    throw isOfBody ? new ApiError('JSON_PARSER_ERROR', error.message) : error
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

const BYTE_ORDER_MARK = Buffer.from('\ufeff')

function* readLarge(given: Uint8Array): Generator<void, ReadJson | undefined> {
  if (!isUtf8(given)) throw new NotUtf8()
  const all = Buffer.from(given.buffer, given.byteOffset, given.length)
  const start = all.subarray(0, BYTE_ORDER_MARK.length)
  const bytes = start.equals(BYTE_ORDER_MARK) ? all.subarray(start.length) : all
  yield
  const starts: Starts = new WeakMap()
  const reader = new JsonReader(bytes, starts)
  while (reader.blanks()) yield
  if (reader.at === bytes.length) return undefined
  const value = yield* reader.document()
  let locations: Locations | undefined
  const locate: ReadJson['locate'] = (path) => {
    locations ??= new Locations(bytes, value, starts)
    return locations.locate(path)
  }
  return { value, locate }
}
