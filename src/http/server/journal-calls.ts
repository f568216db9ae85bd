import { createHash } from 'node:crypto'
import { bearerToken, hashToken, orgIdIn } from '../../auth/oauth/token-text.ts'
import { findStoredSession } from '../../auth/tokens/find-session.ts'
import { ApiError } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import type { Reply } from '../../calls/reply.ts'
import type { Journal } from '../../faults/journal/journal.ts'
import type { Db } from '../../storage/database/db.ts'
import type { OrgHosts } from '../../storage/orgs/org-hosts.ts'
import type { WithResource } from '../handlers/custom-rest.ts'
import type { WithSoap } from '../handlers/soap.ts'
import type { HttpContext, Identified, Routed } from '../pipeline/http-context.ts'

/** How a request ended: with a reply, or an error that was thrown; neither: its connection was cut. */
export interface Outcome {
  readonly reply?: Reply | undefined
  readonly thrown?: unknown
}

/** Writes a call into the journal once it has ended. Nobody waits for it. */
export type JournalCall = (context: HttpContext, outcome: Outcome, beganAt: number) => void

interface JournalServices {
  readonly journal: Journal
  readonly clock: Clock
  readonly reserved: Db
  readonly hosts: OrgHosts
}

/** A call may have ended anywhere in its pipeline. */
type EndedContext = HttpContext & Partial<Identified & Routed & WithResource & WithSoap>

/** Whom a call is reported for. */
interface Client {
  readonly orgId: string
  readonly clientId: string | undefined
}

const hash = (...parts: readonly (string | Uint8Array)[]) => {
  const sha = createHash('sha1')
  for (const part of parts) sha.update(part).update('\n')
  return sha.digest('base64').slice(0, 20)
}

/** The code of what failed: the call itself, else its first step that failed; a batch that was halted is reported as that. */
function getCode({ error, stepErrors = [] }: Reply): string {
  if (error !== undefined) return error.code
  const codes = stepErrors.map(({ code }) => code)
  const halt = 'BATCH_PROCESSING_HALTED'
  return codes.includes(halt) ? halt : (codes[0] ?? '')
}

export function getFailure({ reply, thrown }: Outcome): { readonly status: number; readonly code: string } {
  if (reply !== undefined) return { status: reply.status, code: getCode(reply) }
  if (thrown instanceof ApiError) return { status: thrown.status, code: thrown.code }
  return thrown === undefined ? { status: 0, code: '' } : { status: 500, code: 'UNKNOWN_EXCEPTION' }
}

export function journalCalls({ journal, clock, reserved, hosts }: JournalServices): JournalCall {
  /** Of a token that is not valid, what is still known of it. */
  async function findClient({ runtime, session, request, soap }: EndedContext): Promise<Client | undefined> {
    if (runtime !== undefined) return { orgId: runtime.org.id, clientId: session?.clientId }
    const token = soap?.sessionId ?? bearerToken(request.headers.authorization)
    if (token === undefined) return undefined
    const tokenHash = hashToken(token)
    const stored = await findStoredSession(reserved, tokenHash)
    if (stored !== undefined) return { orgId: stored.org.id, clientId: stored.clientId }
    const orgId = orgIdIn(token)
    const org = orgId === undefined ? undefined : await hosts.find(orgId)
    return org && { orgId: org.id, clientId: journal.loserOf(tokenHash) }
  }

  async function write(
    context: EndedContext,
    outcome: Outcome,
    beganAt: number,
    endedAt: number,
  ): Promise<void> {
    const client = await findClient(context)
    if (client === undefined) return
    const { target, method, request, resource, bytes, facts } = context
    const url = request.raw.url ?? ''
    const query = url.includes('?') ? url.slice(url.indexOf('?')) : ''
    const who = client.clientId ?? ''
    journal.note(client.orgId, {
      kind: 'call',
      isCounted: facts.isCounted,
      beganAt,
      milliseconds: endedAt - beganAt,
      clientId: client.clientId,
      method,
      route: resource === undefined ? (facts.route ?? 'unknown') : `/services/customrest${resource.path}`,
      version: resource === undefined ? (target?.version.text ?? '') : '',
      ...getFailure(outcome),
      fault: facts.faultNames.join(', '),
      sameness: hash(who, method, url, bytes),
      samenessInAnyVersion: hash(who, method, target?.path ?? url, query, bytes),
    })
  }

  return (context: EndedContext, outcome, beganAt) => {
    const { caller, resource, session } = context
    // Requests of guests to no resource are no client's calls; a server sends such ones itself when it starts.
    if (caller !== undefined && session === undefined && resource === undefined) return
    journal.expect(write(context, outcome, beganAt, clock().getTime()))
  }
}
