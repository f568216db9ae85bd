import { pipeline, Readable } from 'node:stream'
import { promisify } from 'node:util'
import { createDeflate, createGzip, deflate, gzip } from 'node:zlib'
import { Json } from '../base/json.ts'
import { ByteStream } from '../calls/byte-stream.ts'
import type { Reply } from '../calls/reply.ts'
import { jsonPieces, mayBeLarge } from './json-pieces.ts'
import type { Visit } from './visit.ts'

const compressors = { gzip: createGzip, deflate: createDeflate }
const compress = { gzip: promisify(gzip), deflate: promisify(deflate) }

const PACKING = { level: 3 }

/** Answers that are larger are sent in pieces, and never indented: in bytes. */
const LARGE = 1024 * 1024

type Exchange = Pick<Visit, 'request' | 'response'>

/** Bodies smaller than this are not worth packing. */
const LEAST_PACKED = 1024

const JSON_TYPE = 'application/json;charset=UTF-8'

/** Indented, with ` : ` between name and value: what `X-PrettyPrint: 1` asks for. (contract/records 0) */
function pretty(body: unknown): string {
  return JSON.stringify(body, null, 2).replaceAll(/^( *"(?:[^"\\\n]|\\.)*"):/gm, '$1 :')
}

/** The encoding that the client takes, the better one first; undefined: none that we know. */
function acceptedEncoding(header: string | string[] | undefined): 'gzip' | 'deflate' | undefined {
  const accepted = String(header ?? '')
    .toLowerCase()
    .split(',')
    .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
    .map((part) => part.split(';')[0]!.trim())
  if (accepted.includes('gzip') || accepted.includes('*')) return 'gzip'
  return accepted.includes('deflate') ? 'deflate' : undefined
}

function jsonText(body: unknown, indented: boolean): string {
  if (!(body instanceof Json)) return indented ? pretty(body) : JSON.stringify(body)
  return indented && body.text.length <= LARGE ? pretty(JSON.parse(body.text)) : body.text
}

/** Agrees on how an answer that is worth it is packed. */
function chooseEncoding({ request, response }: Exchange) {
  const varies = response.getHeader('Vary')
  response.header('Vary', varies === undefined ? 'Accept-Encoding' : `${varies}, Accept-Encoding`)
  return acceptedEncoding(request.headers['accept-encoding'])
}

async function sendLarge(
  { request, response }: Exchange,
  pieces: readonly Buffer[],
  length: number,
): Promise<void> {
  response.header('Content-Type', JSON_TYPE)
  const encoding = chooseEncoding({ request, response })
  if (encoding === undefined) response.header('Content-Length', length)
  else response.header('Content-Encoding', encoding)
  if (request.method === 'HEAD') {
    await response.send()
    return
  }
  const source = Readable.from(pieces)
  if (encoding === undefined) {
    await response.send(source)
    return
  }
  const packing = compressors[encoding](PACKING)
  // Whoever reads the packed bytes hears of the end.
  pipeline(source, packing, () => {})
  await response.send(packing)
}

/** Writes a reply as bytes: the only place that does. */
export async function sendReply({ request, response }: Visit, reply: Reply): Promise<void> {
  response
    .code(reply.status)
    .headers({ 'Cache-Control': 'no-cache,must-revalidate,max-age=0,no-store,private' })
  if (reply.headers !== undefined) response.headers(reply.headers)
  if (reply.body === undefined) {
    await response.send()
    return
  }
  if (reply.body instanceof ByteStream) {
    response.header('Content-Length', reply.body.length)
    await response.send(request.method === 'HEAD' ? undefined : Readable.from(reply.body.pieces()))
    return
  }
  if (reply.body instanceof Uint8Array) {
    await response.send(Buffer.from(reply.body.buffer, reply.body.byteOffset, reply.body.byteLength))
    return
  }
  const pieces = mayBeLarge(reply.body) ? await jsonPieces(reply.body) : undefined
  const length = pieces?.reduce((sum, piece) => sum + piece.length, 0) ?? 0
  if (length > LARGE) return sendLarge({ request, response }, pieces!, length)
  const plain = typeof reply.body === 'string' && reply.headers?.['Content-Type'] !== undefined
  const indented = request.headers['x-prettyprint'] === '1'
  const written = pieces === undefined || indented ? undefined : Buffer.concat(pieces, length)
  const text = written ?? (plain ? (reply.body as string) : jsonText(reply.body, indented))
  if (!plain) response.header('Content-Type', JSON_TYPE)
  if (text.length < LEAST_PACKED) {
    await response.send(text)
    return
  }
  const encoding = chooseEncoding({ request, response })
  if (encoding === undefined) {
    await response.send(text)
    return
  }
  const packed = await compress[encoding](text, PACKING)
  await response.header('Content-Encoding', encoding).send(packed)
}
