import { ApiError, outcomeUnknown, serverTooBusy } from '../base/api-error.ts'
import { Json } from '../base/json.ts'
import { toApiError } from '../calls/dispatch.ts'
import type { Reply } from '../calls/reply.ts'
import type { Context } from '../context.ts'
import { runEachAlone, runInTransaction, type Script } from '../scripting/run-script.ts'
import { type Returned, ScriptError, ScriptTimeout, ThreadEnded } from '../scripting/threads/messages.ts'
import type { ThreadPool } from '../scripting/threads/thread-pool.ts'
import type { Resource, Verb } from './resources/resource.ts'

/** A request as handlers get it. */
export interface HandlerRequest {
  readonly method: string
  /** Below `/services/customrest`, still encoded. */
  readonly path: string
  /** Decoded values of the `:names` in the path. The rest of the path is under `*`. */
  readonly params: Readonly<Record<string, string>>
  /** Query parameters; the last value of a repeated name. */
  readonly query: Readonly<Record<string, string>>
  /** Names in lower case, without credentials. */
  readonly headers: Readonly<Record<string, string>>
  /** The decompressed body. */
  readonly bytes: Uint8Array
  /** The parsed JSON body; undefined when there is none. */
  readonly body: unknown
}

/** Headers that belong to the connection, or that the server writes itself. */
const OWN_HEADERS = [
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'trailer',
  'transfer-encoding',
  'upgrade',
]

/**
 * Makes the response from the result of a handler. No result is 200 without a body.
 * (docs/reference/api/custom-resources.md#responses, docs/reference/api/custom-resources.md#failures (line
 * 52))
 */
function makeReply(returned: Returned): Reply {
  if ('json' in returned) {
    return { status: 200, body: returned.json === undefined ? undefined : new Json(returned.json) }
  }
  const { status, bytes } = returned
  const headers = Object.fromEntries(
    Object.entries(returned.headers).filter(([name]) => !OWN_HEADERS.includes(name)),
  )
  return { status, headers, body: bytes.length === 0 ? undefined : bytes }
}

/**
 * Makes the response for a failed handler: its own error, or that of the platform.
 * (docs/reference/api/custom-resources.md#responses, docs/reference/api/custom-resources.md#failures (line
 * 52))
 */
function failureReply(ctx: Context, { name }: Resource, verb: Verb, error: unknown): Reply {
  // An operation of its own, where the file says so, stays when a later one fails.
  const isPartlyDone = ctx.commits.count > 0
  if (error instanceof ScriptTimeout || error instanceof ThreadEnded) {
    throw new ApiError('APEX_ERROR', `The handler ${name} was stopped: ${error.message}`, { cause: error })
  }
  if (!(error instanceof ScriptError)) throw toApiError(error, ctx, isPartlyDone)
  const { status, message, location, errors } = error.thrown
  if (status !== undefined) return { status, body: { error: message } }
  if (errors?.some(({ errorCode }) => errorCode === 'SERVER_UNAVAILABLE')) {
    throw isPartlyDone ? outcomeUnknown(error) : serverTooBusy(error)
  }
  const refused = errors?.map(({ errorCode, message }) => `${errorCode}, ${message}`).join('; ')
  const said = refused === undefined ? error.message : `${error.thrown.name}: ${refused}`
  ctx.observe({ kind: 'said', source: name, message: `${verb} failed: ${said}${location}` })
  throw new ApiError('APEX_ERROR', `${said}\n\nClass.${name}.${verb}${location}`, { cause: error })
}

/** Runs a handler: in one transaction, unless its file says otherwise. */
export async function runResource(
  pool: ThreadPool,
  ctx: Context,
  resource: Resource,
  verb: Verb,
  request: HandlerRequest,
): Promise<Reply> {
  const { name, file, seconds } = resource
  const script: Script = { name, file, member: verb, seconds, input: request }
  try {
    return makeReply(await (resource.alone ? runEachAlone : runInTransaction)(pool, ctx, script))
  } catch (error) {
    return failureReply(ctx, resource, verb, error)
  }
}
