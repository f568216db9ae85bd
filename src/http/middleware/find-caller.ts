import type { FastifyRequest } from 'fastify'
import type { Sessions } from '../../auth/tokens/sessions.ts'
import type { OrgRuntimes } from '../../calls/org-runtimes.ts'
import { databaseFault } from '../../storage/database/pg-error.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { OrgHosts } from '../../storage/orgs/org-hosts.ts'
import type { Authenticated } from '../pipeline/http-context.ts'
import { isAtItsHost } from '../request/org-host.ts'

export interface CallerServices {
  readonly sessions: Sessions
  readonly runtimes: OrgRuntimes
  readonly hosts: OrgHosts
}

/** True if the org was deleted, perhaps through another process. */
async function isGone({ sessions, hosts }: CallerServices, org: Org): Promise<boolean> {
  hosts.forget()
  await hosts.all()
  if ((await hosts.find(org.id)) !== undefined) return false
  sessions.forget(org)
  return true
}

/** Whose token it is; undefined: it is not valid, or not at this host, or its user is not active, or its org is gone. */
export async function findCaller(
  services: CallerServices,
  request: FastifyRequest,
  token: string,
): Promise<Authenticated | undefined> {
  const { sessions, runtimes } = services
  const session = await sessions.find(token)
  if (session === undefined || !(await isAtItsHost(services, request, session.org))) return undefined
  const runtime = runtimes.of(session.org)
  const caller = await runtime.callers.of(session.userId).catch(async (error) => {
    if (databaseFault(error)?.kind === 'outdated' && (await isGone(services, session.org))) return undefined
    throw error
  })
  return caller && { session, runtime, caller }
}
