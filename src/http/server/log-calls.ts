import type { CallLog } from '../../calllog/call-log.ts'
import type { Config } from '../../config/config.ts'
import type { HttpContext, Identified, Routed, WithSchema } from '../pipeline/http-context.ts'
import { findClientAddress } from '../request/client-address.ts'
import { getFailure, type Outcome } from './journal-calls.ts'
import { keepBodies } from './kept-bodies.ts'
import { isWarmUp } from './warm-up.ts'

/** Notes a call that has ended. */
export type LogCall = (context: HttpContext, outcome: Outcome, beganAt: number) => void

interface LogServices {
  readonly callLog: CallLog
  readonly config: Pick<Config, 'trustedProxies'>
}

/** A call may have ended anywhere in its pipeline. */
type EndedContext = HttpContext & Partial<Identified & Routed & WithSchema>

/** Who follows the log must not fill it. */
const OWN_PATH = /^\/setup\/orgs\/[^/]+\/calls(\/|$)/

const MAX_PATH_CHARACTERS = 500

const round = (milliseconds: number) => Math.round(milliseconds * 100) / 100

const NOTHING = { statements: 0, databaseMs: 0, statementList: [] }

/** Calls with a valid token, log-ins by SOAP, and calls of the public site. (docs/reference/api/admin-api.md#call-log) */
export function logCalls({ callLog, config }: LogServices): LogCall {
  return (context: EndedContext, outcome, beganAt) => {
    const { runtime, caller, session, facts, request, response, path, bytes, method } = context
    if (isWarmUp(request)) return
    if (runtime === undefined || (facts.endpoint === 'admin' && OWN_PATH.test(path))) return
    // Anybody may try to log in; what is tried must not push out what was called.
    if (facts.endpoint === 'soap' && caller === undefined && facts.faultNames.length === 0) return
    const failure = getFailure(outcome)
    const { status } = failure
    if (!callLog.takes(runtime.org.id, status)) return
    const durationMs = performance.now() - beganAt
    const { statements, databaseMs, statementList } = facts.running ?? NOTHING
    const length = response.getHeader('content-length')
    const bodies = callLog.keepsBodies(runtime.org.id) ? keepBodies(context, outcome.reply) : undefined
    callLog.note(runtime.org.id, {
      time: new Date(Date.now() - durationMs).toISOString(),
      request_id: request.id,
      method,
      path: (facts.shownPath ?? path).slice(0, MAX_PATH_CHARACTERS),
      route: facts.route ?? 'unknown',
      status,
      error_code: failure.code,
      duration_ms: round(durationMs),
      statements,
      database_ms: round(databaseMs),
      username: caller?.user.username,
      client_id: session?.clientId,
      client_address: findClientAddress(config, request),
      bytes_in: bytes.length,
      bytes_out: length === undefined ? undefined : Number(length),
      statement_list: statementList,
      ...bodies,
    })
  }
}
