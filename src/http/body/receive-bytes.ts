import { pipeline, Readable } from 'node:stream'
import { ApiError } from '../../base/api-error.ts'
import { makePauses } from '../../base/make-pauses.ts'
import type { HttpContext } from '../pipeline/http-context.ts'
import { BREAKS_OFF, checkIsOpen, getEncoding, makeUnpacker } from './receive-body.ts'

const broken = (message: string) => new ApiError('JSON_PARSER_ERROR', message)

/** The request itself is never destroyed: the client is answered on it. */
async function* readRequest(source: Readable): AsyncGenerator<Buffer> {
  const pauseIfDue = makePauses()
  try {
    for await (const chunk of source.iterator({ destroyOnReturn: false })) {
      yield chunk as Buffer
      await pauseIfDue()
    }
  } catch {
    throw broken(BREAKS_OFF)
  }
}

async function* unpack(chunks: AsyncGenerator<Buffer>, encoding: string): AsyncGenerator<Buffer> {
  const unpacker = makeUnpacker(encoding)
  let failure: unknown
  pipeline(Readable.from(chunks), unpacker, (error) => {
    failure = error
  })
  try {
    for await (const chunk of unpacker) yield chunk as Buffer
  } catch (error) {
    throw failure instanceof ApiError || error instanceof ApiError
      ? (failure ?? error)
      : broken(`The request body is not ${encoding} data`)
  } finally {
    unpacker.destroy()
  }
}

/**
 * The body as it comes, unpacked. What is not read is thrown away.
 * @throws ApiError UNSUPPORTED_MEDIA_TYPE, and JSON_PARSER_ERROR where it breaks off
 */
export function receiveBytes({ request }: HttpContext): AsyncIterable<Uint8Array> {
  const { body } = request
  if (!(body instanceof Readable)) return Readable.from([])
  checkIsOpen(body)
  const encoding = getEncoding(request)
  const chunks = readRequest(body)
  return encoding === 'identity' ? chunks : unpack(chunks, encoding)
}
