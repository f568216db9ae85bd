import { createHash, randomUUID } from 'node:crypto'
import { ApiError } from '../base/api-error.ts'
import type { Context } from '../context.ts'
import { databaseFault } from '../storage/pg-error.ts'
import type { Call } from './call.ts'
import { errorReply, type Reply } from './reply.ts'
import type { Router } from './router.ts'

/** Carries out one operation, whichever door it came through. Never rejects. */
export type Dispatch = (ctx: Context, call: Call) => Promise<Reply>

/**
 * The checks that protect an operation, in their order: route, method, version, then the handler. Whatever is thrown
 * becomes a reply here: the only general catch of the code base.
 */
export function makeDispatch(router: Router): Dispatch {
  return async (ctx, call) => {
    let path = call.path
    try {
      const { route, params } = router.find(call.method, call.path)
      path = route.path
      if (route.since !== undefined && ctx.version.major < route.since) {
        throw new ApiError('NOT_FOUND', 'The requested resource does not exist')
      }
      const reply = await route.handler(ctx, call, params)
      ctx.observe({ kind: 'operation', route: path, method: call.method, status: reply.status })
      return reply
    } catch (thrown) {
      const error = toApiError(thrown, ctx)
      ctx.observe({ kind: 'operation', route: path, method: call.method, status: error.status })
      const headers =
        error.code === 'METHOD_NOT_ALLOWED'
          ? { Allow: router.allowedMethods(call.path).join(', ') }
          : undefined
      return errorReply(error, headers)
    }
  }
}

/** What a client may know of anything that was thrown; the rest goes to the log under an id. */
export function toApiError(thrown: unknown, { observe }: Pick<Context, 'observe'>): ApiError {
  if (thrown instanceof ApiError) return thrown
  switch (databaseFault(thrown)?.kind) {
    case 'locked':
      return new ApiError('UNABLE_TO_LOCK_ROW', 'unable to obtain exclusive access to this record', {
        cause: thrown,
      })
    case 'cancelled':
      return new ApiError('QUERY_TIMEOUT', 'Your query request was running for too long.', { cause: thrown })
    case 'unreachable':
      observe({ kind: 'failure', errorId: 'database', error: thrown })
      return new ApiError('SERVER_UNAVAILABLE', 'Server Too Busy', { cause: thrown })
  }
  const errorId = makeErrorId(thrown)
  observe({ kind: 'failure', errorId, error: thrown })
  return new ApiError(
    'UNKNOWN_EXCEPTION',
    `An unexpected error occurred. Please include this ErrorId if you contact support: ${errorId}`,
    { cause: thrown },
  )
}

/** Random, and a hash of the failure's place, so that the same failure is recognised. */
function makeErrorId(thrown: unknown): string {
  const random = randomUUID().replaceAll('-', '')
  const digits = (text: string) => BigInt(`0x${text}`).toString().slice(0, 10)
  const place = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
  const hash = createHash('sha256').update(place).digest('hex').slice(0, 8)
  return `${digits(random.slice(0, 12))}-${digits(random.slice(12, 24)).slice(0, 5)} (${hash})`
}
