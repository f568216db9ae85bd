import { Readable } from 'node:stream'
import { createGunzip, createInflate } from 'node:zlib'
import { ApiError } from '../base/api-error.ts'
import { JsonBounds } from '../base/json-bounds.ts'
import { JsonSyntaxError } from '../base/json-text.ts'
import type { Stage, Visit } from './visit.ts'

/** Largest form, in bytes. */
export const FORM_LIMIT = 64 * 1024

/** Largest body that a custom resource takes that names no limit: from a caller with a token, and from a guest. */
const RESOURCE_LIMIT = 5 * 1024 * 1024
const GUEST_LIMIT = 1024 * 1024

const CHUNK_BYTES = 64 * 1024

const FORM_DOORS = ['token', 'revoke', 'introspect', 'page']
const JSON_TYPE = /^application\/(?:[\w.-]{1,100}\+)?json\b/i

const unpackers = { gzip: createGunzip, 'x-gzip': createGunzip, deflate: createInflate }

export const bodyTooLarge = (limit: number) =>
  new ApiError('REQUEST_BODY_TOO_LARGE', `The request body is larger than ${limit} bytes.`)

export const unsupportedEncoding = (encoding: string) =>
  new ApiError('UNSUPPORTED_MEDIA_TYPE', `Content encoding ${encoding.slice(0, 100)} is not supported`)

const isFormDoor = ({ door }: Visit) => FORM_DOORS.includes(door ?? '')

/** How many bytes the body of a visit may have, as it comes and unpacked. */
function largestBody(visit: Visit): number {
  const { house, door, resource } = visit
  const { bodyLimit } = house.config
  if (isFormDoor(visit)) return Math.min(FORM_LIMIT, bodyLimit)
  if (resource === undefined) return bodyLimit
  return Math.min(resource.maxBytes ?? (door === 'site' ? GUEST_LIMIT : RESOURCE_LIMIT), bodyLimit)
}

const encodingOf = ({ request }: Visit) =>
  (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase()

/** What is JSON, or would be read as such. */
function boundsOf(visit: Visit): JsonBounds | undefined {
  const type = visit.request.headers['content-type']
  const isJson = type === undefined || JSON_TYPE.test(type)
  return isJson && !isFormDoor(visit) ? new JsonBounds() : undefined
}

interface Bounds {
  readonly bytes: number
  readonly json: JsonBounds | undefined
}

/**
 * Reads a stream to its end.
 * @throws ApiError when it is larger than its bounds; the rest is not read then
 */
function readAll(source: Readable, { bytes: limit, json }: Bounds): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const chunks: Buffer[] = []
  let length = 0
  const take = (chunk: Buffer) => {
    length += chunk.length
    try {
      if (length > limit) throw bodyTooLarge(limit)
      json?.check(chunk)
      chunks.push(chunk)
    } catch (error) {
      source.off('data', take)
      source.pause()
      const isTooCostly = error instanceof JsonSyntaxError
      reject(isTooCostly ? new ApiError('JSON_PARSER_ERROR', error.message) : error)
    }
  }
  // Events: an iterator over the stream would cost a small body more than all else that is done with it.
  source.on('data', take)
  source.once('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length)))
  source.once('error', reject)
  source.once('close', () => reject(new Error('The body breaks off')))
  return promise
}

/**
 * Reads the body as it comes, now that it is known who sends it and how large it may be.
 * @throws ApiError REQUEST_BODY_TOO_LARGE
 */
export const receiveBody: Stage = async (visit) => {
  const { body, headers } = visit.request
  if (!(body instanceof Readable) || isUpload(visit)) return undefined
  const bytes = largestBody(visit)
  if (Number(headers['content-length'] ?? 0) > bytes) throw bodyTooLarge(bytes)
  const json = encodingOf(visit) === 'identity' ? boundsOf(visit) : undefined
  try {
    visit.bytes = await readAll(body, { bytes, json })
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw new ApiError('JSON_PARSER_ERROR', 'The body breaks off')
  }
  return undefined
}

/** A record that comes in parts: they are stored while they come. */
export const isUpload = ({ door, request }: Visit) =>
  door === 'data' && /^multipart\/form-data\b/i.test(request.headers['content-type'] ?? '')

/** Unpacks a body that came packed, never to more than the largest body. */
export const unpackBody: Stage = async (visit) => {
  const encoding = encodingOf(visit)
  if (encoding === 'identity' || visit.bytes.length === 0) return undefined
  if (!Object.hasOwn(unpackers, encoding)) throw unsupportedEncoding(encoding)
  const unpacker = unpackers[encoding as keyof typeof unpackers]({ chunkSize: CHUNK_BYTES })
  unpacker.end(visit.bytes)
  try {
    visit.bytes = await readAll(unpacker, { bytes: largestBody(visit), json: boundsOf(visit) })
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw new ApiError('JSON_PARSER_ERROR', `The request body is not ${encoding} data`)
  } finally {
    unpacker.destroy()
  }
  return undefined
}
