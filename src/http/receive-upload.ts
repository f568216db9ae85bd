import { type Readable, Transform, type TransformCallback } from 'node:stream'
import { createGunzip, createInflate } from 'node:zlib'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { ApiError } from '../base/api-error.ts'
import { JsonSyntaxError, readJson } from '../base/json-text.ts'
import type { Call } from '../calls/call.ts'
import { discard, takeIn } from '../storage/pass-bytes.ts'
import { databaseFault } from '../storage/pg-error.ts'
import { WaitingBytes } from '../storage/waiting-bytes.ts'
import { bodyTooLarge, unsupportedEncoding } from './receive-body.ts'
import type { Visit } from './visit.ts'

/** Most bytes of the part that is the record, and most parts. */
const MOST_JSON_BYTES = 1024 * 1024
const MOST_PARTS = 32

const JSON_PART = /^application\/json\b/i

/** A record that came in parts: what it says of itself, and bytes of its fields. (contract/records 2.17) */
export interface Upload extends Pick<Call, 'body' | 'locate'> {
  /** What waited in the database is not needed any more. */
  discard(): Promise<void>
}

const wrong = (message: string) => new ApiError('JSON_PARSER_ERROR', message)

/** Lets as many bytes through as a body may have. */
function bounded(limit: number): Transform {
  let length = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      length += chunk.length
      if (length > limit) done(bodyTooLarge(limit))
      else done(null, chunk)
    },
  })
}

const unpacking = { gzip: createGunzip, 'x-gzip': createGunzip, deflate: createInflate }

/** The steps that a packed body is unpacked by. */
function unpackers(encoding: string): Transform[] {
  if (encoding === 'identity') return []
  if (!Object.hasOwn(unpacking, encoding)) throw unsupportedEncoding(encoding)
  return [unpacking[encoding as keyof typeof unpacking]()]
}

function makeParser(contentType: string): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      isPartAFile: (_name, type) => !JSON_PART.test(type ?? ''),
      limits: { fieldSize: MOST_JSON_BYTES, parts: MOST_PARTS },
    })
  } catch (error) {
    throw wrong(`The body has no parts that can be read: ${(error as Error).message}`)
  }
}

/**
 * Reads a body of parts as it comes: the part that is JSON is the record, each other one has the bytes of the field that it
 * is named after. Nothing of it is held but the piece that is being stored.
 * @throws ApiError
 */
export async function receiveUpload({ house, request, runtime }: Visit): Promise<Upload> {
  const { db, config } = house
  const { org } = runtime!
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  const parser = makeParser(String(request.headers['content-type']))
  const steps = [bounded(config.bodyLimit), ...unpackers(encoding), bounded(config.bodyLimit)]
  let json: string | undefined
  const bytes: Record<string, unknown> = Object.create(null)
  const waiting: WaitingBytes[] = []
  const parts: Readable[] = []
  let taking: Promise<void> = Promise.resolve()
  const upload = { discard: () => discard(db, org, waiting) }
  try {
    await new Promise<void>((resolve, reject) => {
      parser.on('field', (_name, value, _nameTruncated, truncated) => {
        if (truncated) reject(wrong(`The part that is JSON is larger than ${MOST_JSON_BYTES} bytes`))
        else if (json !== undefined) reject(wrong('More than one part is JSON'))
        else json = value
      })
      parser.on('file', (name, stream) => {
        parts.push(stream)
        // What ends it tells of it.
        stream.on('error', () => {})
        taking = taking.then(async () => {
          const given = await takeIn(db, org, stream)
          if (given instanceof WaitingBytes) waiting.push(given)
          bytes[name] = given
        })
        taking.catch(reject)
      })
      parser.on('partsLimit', () => reject(wrong(`The body has more than ${MOST_PARTS} parts`)))
      parser.on('finish', resolve)
      // The request itself is not ended: it is what the client is answered on.
      const source = request.body as Readable
      source.on('error', reject)
      source.on('close', () => !source.readableEnded && reject(wrong('The body breaks off')))
      let stream: Readable = source
      for (const step of [...steps, parser]) {
        step.on('error', reject)
        stream = stream.pipe(step as Transform)
      }
    })
    await taking
    return { ...bodyOf(json, bytes), ...upload }
  } catch (error) {
    const source = request.body as Readable
    source.unpipe()
    source.resume()
    // Whoever reads a part that breaks off would wait for its end.
    for (const stream of [...steps, ...parts]) stream.destroy(error as Error)
    await taking.catch(() => {})
    await upload.discard()
    throw refusalOf(error)
  }
}

/** What a body that could not be read is refused with; what is no fault of the client's stays what it is. */
function refusalOf(error: unknown): unknown {
  if (error instanceof ApiError || databaseFault(error) !== undefined) return error
  return wrong(`The parts of the body cannot be read: ${(error as Error).message}`)
}

function bodyOf(
  json: string | undefined,
  bytes: Readonly<Record<string, unknown>>,
): Pick<Call, 'body' | 'locate'> {
  if (json === undefined) throw wrong('No part of the body is JSON: Content-Type: application/json')
  try {
    const { value: record, locate } = readJson(json)
    const isRecord = typeof record === 'object' && record !== null && !Array.isArray(record)
    return { body: isRecord ? { ...record, ...bytes } : record, locate }
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw wrong(error.message)
    throw error
  }
}
