import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, inflate } from 'node:zlib'
import { JsonBounds } from '../../base/json-bounds.ts'
import { readJsonBytes } from '../../base/json-text.ts'
import { runInSlices } from '../../base/run-in-slices.ts'
import { Hopeless } from '../../scripting/work/work.ts'

const UNPACK = { gzip: promisify(gunzip), 'x-gzip': promisify(gunzip), deflate: promisify(inflate) }

/** Maximum size of a decompressed body. */
const MAX_BYTES = 64 * 1024 * 1024

/** Size of a slice that is checked without yielding. */
const CHECKED_BYTES = 1024 * 1024

const NEVER = new AbortController().signal

/** Maximum length of an event id that is used as key unchanged. */
const MAX_ID_LENGTH = 255

/**
 * Decompresses the body of a delivery. The signature covers the compressed bytes.
 * (docs/reference/api/custom-resources.md#acceptance)
 */
export async function unpacked(body: Buffer, headers: Readonly<Record<string, string>>): Promise<Buffer> {
  const encoding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  if (encoding === 'identity') return body
  if (!Object.hasOwn(UNPACK, encoding))
    throw new Hopeless(`The body has the encoding ${encoding}, which is not known`)
  try {
    return await UNPACK[encoding as keyof typeof UNPACK](body, { maxOutputLength: MAX_BYTES })
  } catch (error) {
    throw new Hopeless(`The body is no ${encoding} data: ${(error as Error).message}`)
  }
}

/** Compressed bodies were not checked while they were received. */
async function checkInSlices(bytes: Buffer): Promise<void> {
  const bounds = new JsonBounds()
  await runInSlices(function* () {
    for (let at = 0; at < bytes.length; at += CHECKED_BYTES) {
      bounds.check(bytes.subarray(at, at + CHECKED_BYTES))
      yield
    }
  }, NEVER)
}

/** @throws Hopeless when the body is not valid JSON */
export async function eventIn(bytes: Buffer): Promise<unknown> {
  try {
    await checkInSlices(bytes)
    return (await readJsonBytes(bytes))?.value
  } catch (error) {
    throw new Hopeless(`The body is no JSON: ${(error as Error).message}`)
  }
}

/** The value at a path of an event; undefined where there is none. */
export function valueAt(event: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? (value as Record<string, unknown>)[name]
        : undefined,
    event,
  )
}

/**
 * The key of an event: its own id, or a hash of the body when it has none.
 * (docs/reference/api/custom-resources.md#idempotency)
 */
export function makeKey(id: unknown, bytes: Buffer): string {
  const text = typeof id === 'string' || typeof id === 'number' ? String(id) : ''
  if (text.trim() === '') return createHash('sha256').update(bytes).digest('hex')
  return text.length <= MAX_ID_LENGTH ? text : createHash('sha256').update(text).digest('hex')
}
