import { createHash } from 'node:crypto'
import { findStoredSession } from '../auth/find-session.ts'
import { hashToken, orgIdIn } from '../auth/token-text.ts'
import { ApiError } from '../base/api-error.ts'
import type { Reply } from '../calls/reply.ts'
import type { Journal } from '../faults/journal/journal.ts'
import { bearerToken } from './bearer-token.ts'
import { failureIn } from './failure-in.ts'
import type { Visit } from './visit.ts'

/** What became of a visit: a reply, or what was thrown; neither: its connection was cut. */
export interface Outcome {
  readonly reply?: Reply | undefined
  readonly thrown?: unknown
}

const hash = (...parts: readonly (string | Uint8Array)[]) => {
  const made = createHash('sha1')
  for (const part of parts) made.update(part).update('\n')
  return made.digest('base64').slice(0, 20)
}

interface Caller {
  readonly orgId: string
  readonly clientId: string | undefined
}

/** Whose call it was; of a token that opens nothing, what is still known of it. */
async function callerOf({ house, runtime, session, request }: Visit): Promise<Caller | undefined> {
  if (runtime !== undefined) return { orgId: runtime.org.id, clientId: session?.clientId }
  const token = bearerToken(request.headers.authorization ?? '')
  if (token === undefined) return undefined
  const tokenHash = hashToken(token)
  const stored = await findStoredSession(house.reserved, tokenHash)
  if (stored !== undefined) return { orgId: stored.org.id, clientId: stored.clientId }
  const orgId = orgIdIn(token)
  const org = orgId === undefined ? undefined : await house.hosts.find(orgId)
  return org && { orgId: org.id, clientId: house.journal!.loserOf(tokenHash) }
}

function failureOf({ reply, thrown }: Outcome): { readonly status: number; readonly code: string } {
  if (reply !== undefined) return { status: reply.status, code: failureIn(reply) }
  if (thrown instanceof ApiError) return { status: thrown.status, code: thrown.code }
  return thrown === undefined ? { status: 0, code: '' } : { status: 500, code: 'UNKNOWN_EXCEPTION' }
}

async function note(
  journal: Journal,
  visit: Visit,
  outcome: Outcome,
  beganAt: number,
  ended: number,
): Promise<void> {
  const caller = await callerOf(visit)
  if (caller === undefined) return
  const { target, method, request, resource, bytes, met = [] } = visit
  const url = request.raw.url ?? ''
  const query = url.includes('?') ? url.slice(url.indexOf('?')) : ''
  const who = caller.clientId ?? ''
  journal.note(caller.orgId, {
    kind: 'call',
    isCounted: visit.isCounted ?? false,
    beganAt,
    milliseconds: ended - beganAt,
    clientId: caller.clientId,
    method,
    route: resource === undefined ? (visit.route ?? 'unknown') : `/services/customrest${resource.path}`,
    version: resource === undefined ? (target?.version.text ?? '') : '',
    ...failureOf(outcome),
    fault: met.map(({ name }) => name).join(', '),
    sameness: hash(who, method, url, bytes),
    samenessInAnyVersion: hash(who, method, target?.path ?? url, query, bytes),
  })
}

/** Writes a call into the journal where failures are rehearsed. Nobody waits for it. */
export function noteCall(visit: Visit, outcome: Outcome, beganAt: number): void {
  const { journal, clock } = visit.house
  const { caller, resource, session } = visit
  // Whoever knocks where no resource is, is nobody's client: neither a server that makes itself ready.
  const isNobody = caller !== undefined && session === undefined && resource === undefined
  if (journal === undefined || isNobody) return
  note(journal, visit, outcome, beganAt, clock().getTime()).catch(() => {})
}
