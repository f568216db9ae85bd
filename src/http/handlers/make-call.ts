import { ApiError } from '../../base/api-error.ts'
import { locateInJson } from '../../base/json-text.ts'
import type { Call } from '../../calls/call.ts'
import type { ContextFactory } from '../../calls/context-factory.ts'
import type { Context } from '../../context.ts'
import type { CallFaults } from '../../faults/call-faults.ts'
import type { RunningCall } from '../../limits/running-calls.ts'
import { decodeText, parseBody } from '../body/json-body.ts'
import type { HttpContext, Identified, Routed, WithSchema } from '../pipeline/http-context.ts'

type CallBody = Pick<Call, 'body' | 'locate'>

const JSON_TYPE = /^application\/json\s*(;.*)?$/i

const NO_BODY: CallBody = { body: undefined, locate: () => ({ line: 1, column: 1 }) }

/** A body that comes with any other method is ignored. */
export const takesBody = (method: string) => !['GET', 'DELETE', 'HEAD'].includes(method)

/** @throws ApiError UNSUPPORTED_MEDIA_TYPE, JSON_PARSER_ERROR */
function parseCallBody({ bytes, method, request }: HttpContext): CallBody {
  if (bytes.length === 0 || !takesBody(method)) return NO_BODY
  const type = request.headers['content-type']
  if (type !== undefined && !JSON_TYPE.test(type)) {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', `Content type ${type.slice(0, 255)} is not supported`)
  }
  const body = parseBody(decodeText(bytes))
  if (body === undefined) return NO_BODY
  // The text is not kept: a body may be large, and few calls need a location in it.
  return { body, locate: (path) => locateInJson(decodeText(bytes), path) }
}

/**
 * What a request asks for, without the transport.
 * @throws ApiError UNSUPPORTED_MEDIA_TYPE, JSON_PARSER_ERROR
 */
export function makeCall(context: HttpContext & Routed, body: CallBody = parseCallBody(context)): Call {
  const { method, target, query, request } = context
  return { method, path: target.path, query, headers: request.headers as Call['headers'], ...body }
}

/** What distinguishes a call with bounded time and perhaps with faults from a request of an administrator. */
interface CallExtras {
  readonly running?: RunningCall
  readonly faults?: CallFaults | undefined
}

/** In whose name, and with which schema, a request is carried out. */
export function makeCallContext(
  contexts: ContextFactory,
  context: HttpContext & Identified & Routed & WithSchema,
  { running, faults }: CallExtras = {},
): Context {
  const { runtime, schema, caller, target, origin, request } = context
  const { principal, access } = caller
  const call = { schema, principal, access, version: target.version, origin, faults }
  return contexts.make(runtime, call, { requestId: request.id, running })
}
