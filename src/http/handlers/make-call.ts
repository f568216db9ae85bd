import type { Call } from '../../calls/call.ts'
import type { ContextFactory } from '../../calls/context-factory.ts'
import { makeSource } from '../../calls/source.ts'
import type { Config } from '../../config/config.ts'
import type { Context } from '../../context.ts'
import type { CallFaults } from '../../faults/call-faults.ts'
import type { RunningCall } from '../../quota/running-calls.ts'
import { type BodyRules, jsonBodies, readJsonBody, unsupportedType } from '../body/receive-body.ts'
import type { HttpContext, Identified, Routed, Started, WithSchema } from '../pipeline/http-context.ts'

type CallBody = Pick<Call, 'body' | 'locate'>

const JSON_TYPE = /^application\/json\s*(;.*)?$/i

const NO_BODY: CallBody = { body: undefined, locate: () => ({ line: 1, column: 1 }) }

/** A body that comes with any other method is ignored. */
export const takesBody = (method: string) => !['GET', 'DELETE', 'HEAD'].includes(method)

/**
 * The body of a call is JSON.
 * @throws ApiError UNSUPPORTED_MEDIA_TYPE
 */
function checkCallType({ method, request }: HttpContext): void {
  const type = request.headers['content-type']
  if (takesBody(method) && type !== undefined && !JSON_TYPE.test(type)) throw unsupportedType(type)
}

/** @throws ApiError JSON_PARSER_ERROR */
async function readCallBody(context: HttpContext & Partial<Started>): Promise<CallBody> {
  const json = await readJsonBody(context)
  return json === undefined ? NO_BODY : { body: json.value, locate: json.locate }
}

/** Bodies of calls. */
export const callBodies = (config: Pick<Config, 'bodyLimit'>): BodyRules<HttpContext> => ({
  ...jsonBodies(config),
  checkType: checkCallType,
})

/**
 * The call that a request makes, without its transport.
 * @param upload the body where it came in parts
 * @throws ApiError JSON_PARSER_ERROR
 */
export async function makeCall(
  context: HttpContext & Routed & Partial<Started>,
  upload?: CallBody,
): Promise<Call> {
  const { method, target, query, request, bytes } = context
  const isRead = bytes.length > 0 && takesBody(method)
  const body = upload ?? (isRead ? await readCallBody(context) : NO_BODY)
  return { method, path: target.path, query, headers: request.headers as Call['headers'], ...body }
}

/** Limits of a call that a request of an administrator does not have: its time, and perhaps faults. */
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
  const { version } = target
  const source = makeSource('rest', version, { headers: request.headers as Call['headers'] })
  const call = { schema, principal, access, version, origin, source, faults }
  return contexts.make(runtime, call, { requestId: request.id, running })
}
