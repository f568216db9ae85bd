import { findLocations, Locations } from './json-locations.ts'
import { JsonReader, JsonSyntaxError, LARGE_TEXT_BYTES, type Location, type Starts } from './json-reader.ts'
import { drain, runInSlices } from './run-in-slices.ts'

/*
 * JSON from clients. The engine's own parser handles small texts; the reader parses large ones in slices, and runs when the
 * engine rejects a text or a message needs the location of a value.
 */

export class NotUtf8 extends Error {
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

/** Number of bytes that are decoded at a time. */
const DECODE_CHUNK_BYTES = 1024 * 1024

/** @throws JsonSyntaxError */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    drain(new JsonReader(text).document())
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

const utf8 = new TextDecoder('utf-8', { fatal: true })

function* readLarge(bytes: Uint8Array): Generator<void, ReadJson | undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const pieces: string[] = []
  for (let at = 0; at < bytes.length; at += DECODE_CHUNK_BYTES) {
    pieces.push(decoder.decode(bytes.subarray(at, at + DECODE_CHUNK_BYTES), { stream: true }))
    yield
  }
  pieces.push(decoder.decode())
  const text = pieces.join('')
  yield
  if (text.trim() === '') return undefined
  const starts: Starts = new WeakMap()
  const value = yield* new JsonReader(text, starts).document()
  // The text is not kept: a body may be large, and few calls need a location in it.
  let locations: Locations | undefined
  const locate: ReadJson['locate'] = (path) => {
    locations ??= new Locations(utf8.decode(bytes), value, starts)
    return locations.locate(path)
  }
  return { value, locate }
}
