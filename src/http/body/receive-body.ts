import { Readable } from 'node:stream'
import { createGunzip, createInflate } from 'node:zlib'
import type { FastifyRequest } from 'fastify'
import { ApiError } from '../../base/api-error.ts'
import { JsonBounds } from '../../base/json-bounds.ts'
import { JsonSyntaxError } from '../../base/json-reader.ts'
import { type ReadJson, readJsonCall } from '../../base/json-text.ts'
import type { Config } from '../../config/config.ts'
import type { SharedBytes } from '../../quota/shared-bytes.ts'
import type { BodyMemory, HttpContext, InOrg, Started } from '../pipeline/http-context.ts'
import type { Middleware } from '../pipeline/pipeline.ts'
import { GatheredBytes } from './gathered-bytes.ts'
import { ReservedMemory, SMALL_BODY_BYTES } from './reserved-memory.ts'

/** Which bodies an endpoint takes. */
export interface BodyRules<Context> {
  /** How many bytes a body may have, as it comes and unpacked. */
  maxBytes(context: Context): number
  /** True if a body may be JSON, whose depth and number of values are bounded. */
  readonly mayBeJson: boolean
  /**
   * Refuses bodies of a content type that nothing reads, before they come.
   * @throws ApiError UNSUPPORTED_MEDIA_TYPE
   */
  checkType?(context: Context): void
  /** Bodies that the handler itself reads while they come. */
  isStreamed?(context: Context): boolean
  /** Bodies that the handler wants as they came. */
  staysPacked?(context: Context): boolean
  /**
   * Refuses a body by its first `START_BYTES`, unpacked, before the rest of it is received. Shorter ones are not asked about.
   * @throws ApiError
   */
  checkStart?(context: Context, start: Buffer): Promise<void>
}

/** In bytes. */
const START_BYTES = 64 * 1024

/** In bytes. */
const MAX_FORM_BYTES = 64 * 1024

const CHUNK_BYTES = 64 * 1024

const JSON_TYPE = /^application\/(?:[\w.-]{1,100}\+)?json\b/i

const unpackers = { gzip: createGunzip, 'x-gzip': createGunzip, deflate: createInflate }

export const formBodies = ({ bodyLimit }: Pick<Config, 'bodyLimit'>): BodyRules<unknown> => ({
  maxBytes: () => Math.min(MAX_FORM_BYTES, bodyLimit),
  mayBeJson: false,
})

export const jsonBodies = ({ bodyLimit }: Pick<Config, 'bodyLimit'>): BodyRules<unknown> => ({
  maxBytes: () => bodyLimit,
  mayBeJson: true,
})

export const bodyTooLarge = (limit: number) =>
  new ApiError('REQUEST_BODY_TOO_LARGE', `The request body is larger than ${limit} bytes.`)

const unsupportedEncoding = (encoding: string) =>
  new ApiError('UNSUPPORTED_MEDIA_TYPE', `Content encoding ${encoding.slice(0, 100)} is not supported`)

export const unsupportedType = (type: string) =>
  new ApiError('UNSUPPORTED_MEDIA_TYPE', `Content type ${type.slice(0, 255)} is not supported`)

export const getEncoding = ({ headers }: FastifyRequest) =>
  (headers['content-encoding'] ?? 'identity').trim().toLowerCase()

/** @throws ApiError UNSUPPORTED_MEDIA_TYPE */
function checkEncoding(encoding: string): asserts encoding is keyof typeof unpackers {
  if (!Object.hasOwn(unpackers, encoding)) throw unsupportedEncoding(encoding)
}

/** @throws ApiError UNSUPPORTED_MEDIA_TYPE */
export function makeUnpacker(encoding: string) {
  checkEncoding(encoding)
  return unpackers[encoding]({ chunkSize: CHUNK_BYTES })
}

/** True if a request says that it has a body. */
const announcesBody = ({ headers }: FastifyRequest) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

interface Bounds {
  readonly bytes: number
  /** How many bytes come, where it is known. */
  readonly length?: number | undefined
  readonly json: JsonBounds | undefined
  /** The memory for a body that may be large. */
  readonly memory?: BodyMemory | undefined
  /** Called once with what has come when it is more than a start. */
  readonly checkStart?: ((start: Buffer) => Promise<void>) | undefined
}

/** A body without a type is read as JSON. */
function makeJsonBounds({ headers }: FastifyRequest, mayBeJson: boolean): JsonBounds | undefined {
  const type = headers['content-type']
  return mayBeJson && (type === undefined || JSON_TYPE.test(type)) ? new JsonBounds() : undefined
}

export const BREAKS_OFF = 'The body breaks off'

/**
 * A stream whose client has left already emits nothing more: whoever waits for its events would wait for ever.
 * @throws ApiError JSON_PARSER_ERROR
 */
export function checkIsOpen(source: Readable): void {
  if (source.destroyed) throw new ApiError('JSON_PARSER_ERROR', BREAKS_OFF)
}

/**
 * Reads a stream to its end.
 * @throws ApiError when it is larger than its bounds; the rest is not read then
 */
function readAll(source: Readable, bounds: Bounds): Promise<Buffer> {
  const { bytes: limit, length, json, memory, checkStart } = bounds
  checkIsOpen(source)
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const gathered = new GatheredBytes(limit, length)
  const stop = (error: unknown) => {
    source.off('data', take)
    source.pause()
    reject(error)
  }
  let isChecked = checkStart === undefined
  const take = (chunk: Buffer) => {
    try {
      if (gathered.length + chunk.length > limit) throw bodyTooLarge(limit)
      json?.check(chunk)
      gathered.add(chunk)
      const isStart = !isChecked && gathered.length >= START_BYTES
      isChecked ||= isStart
      const more = isStart
        ? checkStart!(gathered.join()).then(() => memory?.needsMore(gathered.length))
        : memory?.needsMore(gathered.length)
      if (more === undefined) return
      source.pause()
      more.then(() => source.resume(), stop)
    } catch (error) {
      const isTooCostly = error instanceof JsonSyntaxError
      stop(isTooCostly ? new ApiError('JSON_PARSER_ERROR', error.message) : error)
    }
  }
  // Events: an iterator over the stream would cost a small body more than all else that is done with it.
  memory?.begin(stop)
  source.on('data', take)
  source.once('end', () => {
    memory?.end()
    resolve(gathered.join())
  })
  source.once('error', reject)
  // Each body ends with this event: an error, with its stack, is made only where it says something.
  source.once('close', () => source.readableEnded || reject(new Error(BREAKS_OFF)))
  return promise
}

/** @throws ApiError; JSON_PARSER_ERROR with the message where the stream itself fails */
async function readBody(source: Readable, bounds: Bounds, message: string): Promise<Buffer> {
  try {
    return await readAll(source, bounds)
  } catch (error) {
    throw error instanceof ApiError ? error : new ApiError('JSON_PARSER_ERROR', message)
  }
}

/** Unpacks the first bytes of a body; what is broken in it shows when all of it is unpacked. */
function unpackStart(start: Buffer, encoding: string): Promise<Buffer> {
  const { promise, resolve } = Promise.withResolvers<Buffer>()
  const unpacker = makeUnpacker(encoding)
  const chunks: Buffer[] = []
  let length = 0
  const end = () => {
    unpacker.destroy()
    resolve(Buffer.concat(chunks).subarray(0, START_BYTES))
  }
  unpacker.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    length += chunk.length
    if (length >= START_BYTES) end()
  })
  unpacker.once('error', end)
  unpacker.write(start, end)
  return promise
}

const makeStartCheck =
  (check: (start: Buffer) => Promise<void>, encoding: string) =>
  async (start: Buffer): Promise<void> =>
    check(encoding === 'identity' ? start : await unpackStart(start, encoding))

type ReceivingContext = HttpContext & Partial<InOrg & Started>

/** The memory for the body of a request, which is released when the request has ended. Requests without an org share theirs. */
function makeMemory({ facts, request, runtime, running }: ReceivingContext, received: SharedBytes) {
  const memory = new ReservedMemory(received, runtime?.org.id ?? '', (giveUp) => {
    const leave = () => giveUp(new ApiError('JSON_PARSER_ERROR', BREAKS_OFF))
    request.raw.once('close', leave)
    const forget = running?.whenOver(() => giveUp(running.over!))
    return () => {
      request.raw.off('close', leave)
      forget?.()
    }
  })
  facts.bodyMemory = memory
  return memory
}

/**
 * Reads the body as it comes, now that it is known who sends it and how large it may be. A large one waits until there is
 * memory for it.
 * @param received absent: none is large
 * @throws ApiError REQUEST_BODY_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, SERVER_UNAVAILABLE
 */
export function receiveBody<Context>(
  rules: BodyRules<Context>,
  received?: SharedBytes,
): Middleware<ReceivingContext & Context> {
  const receive = async (context: ReceivingContext & Context, body: Readable) => {
    const { request } = context
    const bytes = rules.maxBytes(context)
    const length = request.headers['content-length']
    if (Number(length ?? 0) > bytes) throw bodyTooLarge(bytes)
    const encoding = getEncoding(request)
    const isPlain = encoding === 'identity'
    if (announcesBody(request)) {
      rules.checkType?.(context)
      if (!isPlain && !rules.staysPacked?.(context)) checkEncoding(encoding)
    }
    const json = isPlain ? makeJsonBounds(request, rules.mayBeJson) : undefined
    const check = rules.checkStart && makeStartCheck(rules.checkStart.bind(rules, context), encoding)
    if (received === undefined || Number(length ?? bytes) <= SMALL_BODY_BYTES) {
      context.bytes = await readBody(body, { bytes, json, checkStart: check }, BREAKS_OFF)
      return undefined
    }
    checkIsOpen(body)
    const memory = makeMemory(context, received)
    // The unpacked body needs memory too; reserving both at once keeps it from waiting while it holds some.
    const unpacked = isPlain || rules.staysPacked?.(context) ? 0 : bytes
    const known = length === undefined ? undefined : Number(length)
    const reserve = async () => {
      if (known !== undefined) await memory.reserve(known + unpacked)
    }
    if (check === undefined) await reserve()
    // Whoever is refused by the start takes no memory from others.
    const checkStart = check && ((start: Buffer) => check(start).then(reserve))
    context.bytes = await readBody(body, { bytes, length: known, json, memory, checkStart }, BREAKS_OFF)
    return undefined
  }
  return (context) => {
    const { body } = context.request
    if (!(body instanceof Readable) || rules.isStreamed?.(context)) return undefined
    return receive(context, body)
  }
}

/**
 * Unpacks a body that came packed, never to more than the largest body.
 * @throws ApiError REQUEST_BODY_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE
 */
export function unpackBody<Context>(
  rules: BodyRules<Context>,
  received?: SharedBytes,
): Middleware<ReceivingContext & Context> {
  const unpack = async (context: ReceivingContext & Context, encoding: string) => {
    const bytes = rules.maxBytes(context)
    const bounds: Bounds = {
      bytes,
      json: makeJsonBounds(context.request, rules.mayBeJson),
      memory: received && (context.facts.bodyMemory ?? makeMemory(context, received)),
      checkStart: rules.checkStart?.bind(rules, context),
    }
    const unpacker = makeUnpacker(encoding)
    unpacker.end(context.bytes)
    try {
      context.bytes = await readBody(unpacker, bounds, `The request body is not ${encoding} data`)
    } finally {
      unpacker.destroy()
    }
    return undefined
  }
  return (context) => {
    const encoding = getEncoding(context.request)
    if (encoding === 'identity' || context.bytes.length === 0 || rules.staysPacked?.(context))
      return undefined
    return unpack(context, encoding)
  }
}

/**
 * The JSON of a body that was received and unpacked; undefined where it is blank.
 * @throws ApiError JSON_PARSER_ERROR
 */
export function readJsonBody({
  bytes,
  running,
}: HttpContext & Partial<Started>): Promise<ReadJson | undefined> {
  return readJsonCall(bytes, running)
}
