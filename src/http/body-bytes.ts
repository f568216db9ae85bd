import { promisify } from 'node:util'
import { gunzip, inflate } from 'node:zlib'
import { ApiError } from '../base/api-error.ts'
import type { Stage } from './visit.ts'

const unpack = { gzip: promisify(gunzip), 'x-gzip': promisify(gunzip), deflate: promisify(inflate) }

export const bodyTooLarge = (limit: number) =>
  new ApiError('REQUEST_BODY_TOO_LARGE', `The request body is larger than ${limit} bytes.`)

export const unsupportedEncoding = (encoding: string) =>
  new ApiError('UNSUPPORTED_MEDIA_TYPE', `Content encoding ${encoding.slice(0, 100)} is not supported`)

/** Unpacks a body that came packed, never to more than the largest body. (contract/records 0) */
export const unpackBody: Stage = async (visit) => {
  const encoding = (visit.request.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  if (encoding === 'identity' || visit.bytes.length === 0) return undefined
  if (!Object.hasOwn(unpack, encoding)) {
    throw unsupportedEncoding(encoding)
  }
  const { bodyLimit } = visit.house.config
  try {
    visit.bytes = await unpack[encoding as keyof typeof unpack](visit.bytes, { maxOutputLength: bodyLimit })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw bodyTooLarge(bodyLimit)
    throw new ApiError('JSON_PARSER_ERROR', `The request body is not ${encoding} data`)
  }
  return undefined
}
