import { pipeline, Readable } from 'node:stream'
import { promisify } from 'node:util'
import { createDeflate, createGzip, deflate, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { parseKeepingTexts } from '../../base/decimal-json.ts'
import { Json } from '../../base/json.ts'
import { mayBeLarge, writeJson } from '../../base/json-pieces.ts'
import { ByteStream, type Reply } from '../../calls/reply.ts'

const compressors = { gzip: createGzip, deflate: createDeflate }
const compress = { gzip: promisify(gzip), deflate: promisify(deflate) }

const COMPRESSION = { level: 3 }
/** Streams are long. */
const STREAM_COMPRESSION = { level: 1 }

/** Larger answers are sent in pieces, and never indented. */
const LARGE_BYTES = 1024 * 1024

/** Shorter bodies are not worth packing. */
const MIN_PACKED_CHARACTERS = 1024

const JSON_TYPE = 'application/json;charset=UTF-8'

/** Indented, with ` : ` between name and value: what `X-PrettyPrint: 1` asks for. (docs/reference/api/records.md#request-headers) */
function formatPretty(body: unknown): string {
  return JSON.stringify(body, null, 2).replaceAll(/^( *"(?:[^"\\\n]|\\.)*"):/gm, '$1 :')
}

/** The encoding that the client takes, the better one first; undefined: none that this server knows. */
function findEncoding(header: string | string[] | undefined): 'gzip' | 'deflate' | undefined {
  const accepted = String(header ?? '')
    .toLowerCase()
    .split(',')
    .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
    .map((part) => part.split(';')[0]!.trim())
  if (accepted.includes('gzip') || accepted.includes('*')) return 'gzip'
  return accepted.includes('deflate') ? 'deflate' : undefined
}

function formatJson(body: unknown, indented: boolean): string {
  if (!(body instanceof Json)) return indented ? formatPretty(body) : JSON.stringify(body)
  return indented && body.text.length <= LARGE_BYTES ? formatPretty(parseKeepingTexts(body.text)) : body.text
}

/** Agrees on the encoding of an answer that is worth packing; undefined: it is sent as it is. */
function negotiateEncoding(request: FastifyRequest, response: FastifyReply): 'gzip' | 'deflate' | undefined {
  const varies = response.getHeader('Vary')
  response.header('Vary', varies === undefined ? 'Accept-Encoding' : `${varies}, Accept-Encoding`)
  return findEncoding(request.headers['accept-encoding'])
}

interface BegunPieces {
  readonly pieces: readonly Buffer[]
  /** The rest of a large body; undefined if the pieces are the whole body. */
  readonly rest: AsyncGenerator<Buffer> | undefined
}

/** Writes a body until it is done or known to be large. A large one is not held in memory as a whole a second time. */
async function beginPieces(rest: AsyncGenerator<Buffer>): Promise<BegunPieces> {
  const pieces: Buffer[] = []
  let length = 0
  for (;;) {
    const { done, value } = await rest.next()
    if (done) return { pieces, rest: undefined }
    pieces.push(value)
    length += value.length
    if (length > LARGE_BYTES) return { pieces, rest }
  }
}

async function* joinPieces(pieces: readonly Buffer[], rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield* pieces
  yield* rest
}

async function sendPieces(
  request: FastifyRequest,
  response: FastifyReply,
  pieces: readonly Buffer[],
  rest: AsyncGenerator<Buffer>,
): Promise<void> {
  if (!response.hasHeader('Content-Type')) response.header('Content-Type', JSON_TYPE)
  const encoding = negotiateEncoding(request, response)
  await sendStream(request, response, joinPieces(pieces, rest), encoding)
}

async function sendStream(
  request: FastifyRequest,
  response: FastifyReply,
  pieces: AsyncIterable<Uint8Array>,
  encoding: 'gzip' | 'deflate' | undefined,
): Promise<void> {
  if (encoding !== undefined) response.header('Content-Encoding', encoding)
  if (request.method === 'HEAD') {
    await response.send()
    return
  }
  const source = Readable.from(pieces)
  if (encoding === undefined) {
    await response.send(source)
    return
  }
  const compressor = compressors[encoding](STREAM_COMPRESSION)
  // The reader of the compressed bytes sees the end.
  pipeline(source, compressor, () => {})
  await response.send(compressor)
}

/** Only text is packed. */
function sendBytes(
  request: FastifyRequest,
  response: FastifyReply,
  { length, pieces, isText }: ByteStream,
): Promise<void> {
  const encoding = isText ? negotiateEncoding(request, response) : undefined
  if (length !== undefined && encoding === undefined) response.header('Content-Length', length)
  return sendStream(request, response, pieces(), encoding)
}

/** Writes a reply as bytes: the only place that does. */
export async function sendReply(
  request: FastifyRequest,
  response: FastifyReply,
  reply: Reply,
): Promise<void> {
  response
    .code(reply.status)
    .headers({ 'Cache-Control': 'no-cache,must-revalidate,max-age=0,no-store,private' })
  if (reply.headers !== undefined) response.headers(reply.headers)
  if (reply.body === undefined) {
    await response.send()
    return
  }
  if (reply.body instanceof ByteStream) return sendBytes(request, response, reply.body)
  if (reply.body instanceof Uint8Array) {
    await response.send(Buffer.from(reply.body.buffer, reply.body.byteOffset, reply.body.byteLength))
    return
  }
  const json = mayBeLarge(reply.body) ? writeJson(reply.body) : undefined
  const begun = json === undefined || typeof json === 'string' ? undefined : await beginPieces(json)
  if (begun?.rest !== undefined) return sendPieces(request, response, begun.pieces, begun.rest)
  const plain = typeof reply.body === 'string' && reply.headers?.['Content-Type'] !== undefined
  const indented = request.headers['x-prettyprint'] === '1'
  const whole = begun === undefined ? (json as string | undefined) : Buffer.concat(begun.pieces)
  const written = indented ? undefined : whole
  const text = written ?? (plain ? (reply.body as string) : formatJson(reply.body, indented))
  if (!response.hasHeader('Content-Type')) response.header('Content-Type', JSON_TYPE)
  if (text.length < MIN_PACKED_CHARACTERS) {
    await response.send(text)
    return
  }
  const encoding = negotiateEncoding(request, response)
  if (encoding === undefined) {
    await response.send(text)
    return
  }
  const packed = await compress[encoding](text, COMPRESSION)
  await response.header('Content-Encoding', encoding).send(packed)
}
