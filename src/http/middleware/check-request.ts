import type { FastifyRequest } from 'fastify'
import { ApiError, notFound } from '../../base/api-error.ts'
import type { Config } from '../../config/config.ts'
import { type AddressSettings, getMaxUriLength, type HttpContext } from '../pipeline/http-context.ts'
import type { Middleware } from '../pipeline/pipeline.ts'

/** Also of headers that Node refuses itself. */
export const headersTooLarge = () =>
  new ApiError('REQUEST_HEADERS_TOO_LARGE', 'The address and the headers are too long.')

export const uriTooLong = (config: Pick<Config, 'lenient'>) =>
  new ApiError('URI_TOO_LONG', `The address is longer than ${getMaxUriLength(config)} bytes.`)

/** A line of a header has `: ` behind its name and a line break behind its value. */
const LINE_BYTES = 4

/** The address and the headers as they came. */
function countHeadBytes({ url = '', rawHeaders }: FastifyRequest['raw']): number {
  const texts = rawHeaders.reduce((sum, text) => sum + text.length, url.length)
  return texts + (rawHeaders.length / 2) * LINE_BYTES
}

/**
 * Refuses an address that is too long or, unless the setting is lenient, has doubled slashes, and headers that are too long
 * beside it. (docs/reference/strict-rules.md)
 * @throws ApiError URI_TOO_LONG, REQUEST_HEADERS_TOO_LARGE, NOT_FOUND
 */
export function checkHead({ config }: { readonly config: AddressSettings }): Middleware<HttpContext> {
  const max = getMaxUriLength(config)
  return ({ request: { raw }, path }) => {
    if ((raw.url ?? '').length > max) throw uriTooLong(config)
    if (config.lenient) return undefined
    if (countHeadBytes(raw) > max) throw headersTooLarge()
    if (path.includes('//')) throw notFound()
    return undefined
  }
}

/** `POST ...?_HttpMethod=PATCH`, for clients that can send GET and POST only. (docs/reference/api/records.md#requests) */
export const overrideMethod: Middleware<HttpContext> = (context) => {
  const wanted = context.query.get('_HttpMethod')?.toUpperCase()
  if (context.method === 'POST' && wanted !== undefined && ['PATCH', 'PUT', 'DELETE'].includes(wanted)) {
    context.method = wanted
  }
  return undefined
}

/** @throws ApiError METHOD_NOT_ALLOWED for any other method */
export const allowMethods =
  (...methods: readonly string[]): Middleware<HttpContext> =>
  ({ method, response }) => {
    if (methods.includes(method)) return undefined
    response.header('Allow', methods.join(', '))
    throw new ApiError(
      'METHOD_NOT_ALLOWED',
      `HTTP Method '${method}' not allowed. Allowed are ${methods.join(',')}`,
    )
  }
