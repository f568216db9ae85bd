import { createHash, randomUUID } from 'node:crypto'
import { ApiError, notFound, outcomeUnknown } from '../base/api-error.ts'
import type { ErrorCode } from '../base/error-codes.ts'
import type { Container, Context } from '../context.ts'
import { faultError } from '../storage/database/fault-error.ts'
import { databaseFault, isOutdatedPlan } from '../storage/database/pg-error.ts'
import { retryOnLock } from './atomically.ts'
import type { Call } from './call.ts'
import { injectFault } from './inject-faults.ts'
import { errorReply, type Reply } from './reply.ts'
import { canNestIn, type Dispatch, type RouteKind } from './route.ts'
import type { Router } from './router.ts'

/**
 * The checks before an operation, in order: route, method, nesting, version, then the handler. Every error becomes a
 * reply here: the only general catch of the code base.
 */
export function makeDispatch(router: Router): Dispatch {
  /** The route of a call that may be carried out. */
  const admit = (ctx: Context, { method, path }: Call) => {
    // If none of the routes below the segment may be nested, the exact route does not matter.
    if (ctx.nested !== undefined) checkNesting(ctx, path, router.kindsBeside(path))
    const match = router.find(method, path)
    checkNesting(ctx, path, [match.route.kind])
    if (match.route.since !== undefined && ctx.version.major < match.route.since) {
      throw notFound()
    }
    return match
  }

  /** @param committed how much `ctx` had committed when the operation began */
  const makeRefusal = (ctx: Context, { method, path }: Call, thrown: unknown, committed: number): Reply => {
    const error = toApiError(thrown, ctx, ctx.commits.count > committed)
    const headers =
      error.code === 'METHOD_NOT_ALLOWED' ? { Allow: router.allowedMethods(path).join(', ') } : undefined
    ctx.observe({
      kind: 'operation',
      route: router.findPattern(path) ?? 'unknown',
      method,
      status: error.status,
    })
    return errorReply(error, headers)
  }

  const dispatch = async (ctx: Context, call: Call): Promise<Reply> => {
    const committed = ctx.commits.count
    try {
      const { route, params } = admit(ctx, call)
      ctx.worksOn((params as { readonly object?: string }).object)
      if (ctx.faults !== undefined) await injectStepFault(ctx)
      const handle = () => retryOnSchemaChange(ctx, (now) => route.handler(now, call, params, whole))
      // The operations on one record are one transaction each.
      const reply = await (route.kind === 'record' ? retryOnLock(ctx, handle) : handle())
      ctx.observe({ kind: 'operation', route: route.path, method: call.method, status: reply.status })
      return reply
    } catch (thrown) {
      return makeRefusal(ctx, call, thrown, committed)
    }
  }

  /** The calls with their parameters, if all are of one route that can carry them out together. */
  const admitMany = (ctx: Context, calls: readonly Call[]) => {
    try {
      const admitted = calls.map((call) => ({ call, ...admit(ctx, call) }))
      const route = admitted[0]!.route
      if (route.many === undefined || admitted.some((one) => one.route !== route)) return undefined
      return { route, handleMany: route.many, admitted }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // Each is refused by itself.
      return undefined
    }
  }

  const many: Dispatch['many'] = async (ctx, calls, allOrNone) => {
    const matched = admitMany(ctx, calls)
    if (matched === undefined) return undefined
    const { route, handleMany, admitted } = matched
    const committed = ctx.commits.count
    try {
      const replies = await retryOnSchemaChange(ctx, (now) => handleMany(now, admitted, allOrNone))
      for (const { status } of replies ?? []) {
        ctx.observe({ kind: 'operation', route: route.path, method: route.method, status })
      }
      return replies
    } catch (thrown) {
      return calls.map((call) => makeRefusal(ctx, call, thrown, committed))
    }
  }

  const whole: Dispatch = Object.assign(dispatch, {
    many,
    find: (method: string, path: string) => router.findRoute(method, path),
    findPattern: (path: string) => router.findPattern(path),
  })
  return whole
}

/** Injects faults into a step. For a call of its own the HTTP middleware has done so. */
async function injectStepFault(ctx: Context): Promise<void> {
  const { nested, faults, version } = ctx
  if (nested === undefined || faults === undefined) return
  for (const met of faults.matched) await injectFault(met, version, ctx.deadline())
}

const CONTAINER_NAMES: Readonly<Record<Container, string>> = {
  composite: 'a composite',
  batch: 'a batch',
  graph: 'a composite graph',
  graphql: 'a GraphQL',
}

/** Refuses a step of a kind that the container does not support. (docs/reference/api/composite.md#composite) */
function checkNesting({ nested, version }: Context, path: string, kinds: readonly RouteKind[]): void {
  if (nested === undefined || kinds.some((kind) => canNestIn(kind, nested))) return
  const url = `${version.path}${path}`.slice(0, 255)
  throw new ApiError(
    'PROCESSING_HALTED',
    `The requested resource is not supported in ${CONTAINER_NAMES[nested]} request: ${url}`,
  )
}

/**
 * Carries out a call with the schema that it started with, and once more if a deployment changed the tables meanwhile.
 * An attempt that has committed something is not repeated.
 */
async function retryOnSchemaChange<T>(ctx: Context, handle: (ctx: Context) => Promise<T> | T): Promise<T> {
  const committed = ctx.commits.count
  try {
    return await handle(ctx)
  } catch (error) {
    if (databaseFault(error)?.kind !== 'outdated') throw error
    if (ctx.commits.count > committed) throw outcomeUnknown(error)
    const fresh = await ctx.refresh(ctx.db).catch((gone) => {
      if (databaseFault(gone)?.kind !== 'outdated') throw gone
      // The org was deleted.
      throw new ApiError('INVALID_SESSION_ID', 'Session expired or invalid', { cause: gone })
    })
    if (fresh.schema.version === ctx.schema.version && !isOutdatedPlan(error)) throw error
    return handle({ ...ctx, ...fresh })
  }
}

/** Codes that invite the client to send the call again, as `Retry-After` does. */
const REPEATABLE: readonly ErrorCode[] = ['UNABLE_TO_LOCK_ROW', 'QUERY_TIMEOUT']

const isRepeatable = ({ code, retryAfterSeconds }: ApiError) =>
  retryAfterSeconds !== undefined || REPEATABLE.includes(code)

/**
 * The error that the client gets for anything thrown. Unexpected errors are logged under an id.
 * @param isPartlyDone the operation has committed something, so the error must not say that it may be repeated
 */
export function toApiError(
  thrown: unknown,
  { observe }: Pick<Context, 'observe'>,
  isPartlyDone = false,
): ApiError {
  const error = thrown instanceof ApiError ? thrown : makeError(thrown, observe)
  return isPartlyDone && isRepeatable(error) ? outcomeUnknown(error) : error
}

function makeError(thrown: unknown, observe: Context['observe']): ApiError {
  const fault = faultError(thrown)
  if (fault !== undefined) {
    if (fault.code === 'SERVER_UNAVAILABLE') observe({ kind: 'failure', errorId: 'database', error: thrown })
    return fault
  }
  const errorId = makeErrorId(thrown)
  observe({ kind: 'failure', errorId, error: thrown })
  return new ApiError(
    'UNKNOWN_EXCEPTION',
    `An unexpected error occurred. Please include this ErrorId if you contact support: ${errorId}`,
    { cause: thrown },
  )
}

/** Random digits with a hash of the failure's location, so that equal failures can be recognized. */
function makeErrorId(thrown: unknown): string {
  const random = randomUUID().replaceAll('-', '')
  const digits = (text: string) => BigInt(`0x${text}`).toString().slice(0, 10)
  const location = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
  const hash = createHash('sha256').update(location).digest('hex').slice(0, 8)
  return `${digits(random.slice(0, 12))}-${digits(random.slice(12, 24)).slice(0, 5)} (${hash})`
}
