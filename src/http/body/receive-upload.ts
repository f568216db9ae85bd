import { type Readable, Transform, type TransformCallback } from 'node:stream'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { ApiError } from '../../base/api-error.ts'
import { JsonSyntaxError } from '../../base/json-reader.ts'
import { readJson } from '../../base/json-text.ts'
import { makePauses } from '../../base/make-pauses.ts'
import type { Call } from '../../calls/call.ts'
import type { Config } from '../../config/config.ts'
import { type Db, WaitingBytes } from '../../storage/database/db.ts'
import { databaseFault } from '../../storage/database/pg-error.ts'
import { discard, takeIn } from '../../storage/pass-bytes.ts'
import type { HttpContext, Identified } from '../pipeline/http-context.ts'
import { BREAKS_OFF, bodyTooLarge, checkIsOpen, getEncoding, makeUnpacker } from './receive-body.ts'

/** Of the part that is the record. */
const MAX_JSON_BYTES = 1024 * 1024

const MAX_PARTS = 32

const JSON_PART = /^application\/json\b/i

export interface UploadServices {
  readonly db: Db
  readonly config: Pick<Config, 'bodyLimit'>
}

/** A record that came in parts: what it says of itself, and bytes of its fields. (docs/reference/api/records.md#files) */
interface Upload extends Pick<Call, 'body' | 'locate'> {
  /** Removes what waits in the database. */
  discard(): Promise<void>
}

const wrong = (message: string) => new ApiError('JSON_PARSER_ERROR', message)

/**
 * Lets as many bytes through as a body may have. Pauses between them: reading some takes long, and what has come already would
 * all be read without a pause.
 */
function bounded(limit: number): Transform {
  let length = 0
  const pauseIfDue = makePauses()
  return new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      length += chunk.length
      if (length > limit) return done(bodyTooLarge(limit))
      const pause = pauseIfDue()
      if (pause === undefined) done(null, chunk)
      else void pause.then(() => done(null, chunk))
    },
  })
}

function makeParser(contentType: string): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      isPartAFile: (_name, type) => !JSON_PART.test(type ?? ''),
      limits: { fieldSize: MAX_JSON_BYTES, parts: MAX_PARTS },
    })
  } catch (error) {
    throw wrong(`The body has no parts that can be read: ${(error as Error).message}`)
  }
}

/**
 * Reads a body of parts as it comes: the part that is JSON is the record, each other one has the bytes of the field that it
 * is named after. Only the chunk that is being stored is held in memory.
 * @throws ApiError
 */
export async function receiveUpload(
  { db, config }: UploadServices,
  { request, runtime }: HttpContext & Identified,
): Promise<Upload> {
  const { org } = runtime
  const encoding = getEncoding(request)
  const parser = makeParser(String(request.headers['content-type']))
  const unpacker = encoding === 'identity' ? [] : [makeUnpacker(encoding)]
  const steps = [bounded(config.bodyLimit), ...unpacker, bounded(config.bodyLimit)]
  let json: string | undefined
  const bytes: Record<string, unknown> = Object.create(null)
  const waiting: WaitingBytes[] = []
  const parts: Readable[] = []
  let taking: Promise<void> = Promise.resolve()
  const upload = { discard: () => discard(db, org, waiting) }
  const source = request.body as Readable
  // A stream without a listener would end the process where it fails after the reading is over.
  for (const step of [...steps, parser]) step.on('error', () => {})
  try {
    await new Promise<void>((resolve, reject) => {
      parser.on('field', (_name, value, _nameTruncated, truncated) => {
        if (truncated) reject(wrong(`The part that is JSON is larger than ${MAX_JSON_BYTES} bytes`))
        else if (json !== undefined) reject(wrong('More than one part is JSON'))
        else json = value
      })
      parser.on('file', (name, stream) => {
        parts.push(stream)
        // Whoever destroys the stream knows the error.
        stream.on('error', () => {})
        taking = taking.then(async () => {
          const given = await takeIn(db, org, stream)
          if (given instanceof WaitingBytes) waiting.push(given)
          bytes[name] = given
        })
        taking.catch(reject)
      })
      parser.on('partsLimit', () => reject(wrong(`The body has more than ${MAX_PARTS} parts`)))
      parser.on('finish', resolve)
      // The request itself is not ended: it is what the client is answered on.
      checkIsOpen(source)
      // Of the client's connection, which fails as those to the database do.
      source.on('error', () => reject(wrong(BREAKS_OFF)))
      source.on('close', () => !source.readableEnded && reject(wrong(BREAKS_OFF)))
      let stream: Readable = source
      for (const step of [...steps, parser]) {
        step.on('error', reject)
        stream = stream.pipe(step as Transform)
      }
    })
    await taking
    return { ...makeBody(json, bytes), ...upload }
  } catch (error) {
    source.unpipe()
    source.resume()
    // Whoever reads a part that breaks off would wait for its end.
    for (const stream of [...steps, ...parts]) stream.destroy(error as Error)
    await taking.catch(() => {})
    await upload.discard()
    throw toRefusal(error)
  }
}

/** Returns the refusal of a body that cannot be read, and failures of the server as they are. */
function toRefusal(error: unknown): unknown {
  if (error instanceof ApiError || databaseFault(error) !== undefined) return error
  return wrong(`The parts of the body cannot be read: ${(error as Error).message}`)
}

function makeBody(
  json: string | undefined,
  bytes: Readonly<Record<string, unknown>>,
): Pick<Call, 'body' | 'locate'> {
  if (json === undefined)
    throw new ApiError('INVALID_MULTIPART_REQUEST', 'Multipart message must include a non-binary part')
  try {
    const { value: record, locate } = readJson(json)
    const isRecord = typeof record === 'object' && record !== null && !Array.isArray(record)
    return { body: isRecord ? { ...record, ...bytes } : record, locate }
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw wrong(error.message)
    throw error
  }
}
