import type { FastifyRequest } from 'fastify'
import type { Sessions } from '../../auth/tokens/sessions.ts'
import type { OrgRuntimes } from '../../calls/org-runtimes.ts'
import type { OrgHosts } from '../../storage/orgs/org-hosts.ts'
import type { Authenticated } from '../pipeline/http-context.ts'
import { isAtItsHost } from '../request/org-host.ts'

export interface CallerServices {
  readonly sessions: Sessions
  readonly runtimes: OrgRuntimes
  readonly hosts: OrgHosts
}

/** Whose token it is; undefined: it is not valid, or not at this host, or its user is not active. */
export async function findCaller(
  services: CallerServices,
  request: FastifyRequest,
  token: string,
): Promise<Authenticated | undefined> {
  const { sessions, runtimes } = services
  const session = await sessions.find(token)
  if (session === undefined || !(await isAtItsHost(services, request, session.org))) return undefined
  const runtime = runtimes.of(session.org)
  const caller = await runtime.callers.of(session.userId)
  return caller && { session, runtime, caller }
}
