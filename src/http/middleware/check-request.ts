import { ApiError } from '../../base/api-error.ts'
import { type HttpContext, MAX_URI_LENGTH } from '../pipeline/http-context.ts'
import type { Middleware } from '../pipeline/pipeline.ts'

export const uriTooLong = () =>
  new ApiError('URI_TOO_LONG', `The address is longer than ${MAX_URI_LENGTH} bytes.`)

/** @throws ApiError URI_TOO_LONG */
export const checkUriLength: Middleware<HttpContext> = ({ request }) => {
  if ((request.raw.url ?? '').length > MAX_URI_LENGTH) throw uriTooLong()
  return undefined
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
