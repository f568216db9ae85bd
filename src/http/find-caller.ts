import type { Caller } from '../access/callers.ts'
import type { Session } from '../auth/sessions.ts'
import type { OrgRuntime } from '../calls/org-runtimes.ts'
import { isAtItsHost } from './host-of-org.ts'
import type { Visit } from './visit.ts'

/** Somebody who came with a token. */
export interface Known {
  readonly session: Session
  readonly runtime: OrgRuntime
  readonly caller: Caller
}

/** Whose token it is; undefined: it is worth nothing, or not at this host, or its user is not active. */
export async function findCaller(visit: Visit, token: string): Promise<Known | undefined> {
  const { sessions, runtimes } = visit.house
  const session = await sessions.find(token)
  if (session === undefined || !(await isAtItsHost(visit, session.org))) return undefined
  const runtime = runtimes.of(session.org)
  const caller = await runtime.callers.of(session.userId)
  return caller && { session, runtime, caller }
}
