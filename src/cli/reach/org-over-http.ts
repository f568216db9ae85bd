import type { Reply } from '../../calls/reply.ts'
import type { RunningServer } from '../../storage/running-server.ts'
import type { ReachedOrg } from './reached-org.ts'
import { readBody } from './record-pages.ts'

/** Time that a server has to say that it is there, in milliseconds. */
const PATIENCE = 10_000

/** The newest version that the server has. */
const NEWEST = '/services/data/latest'

function send(
  { address, token }: RunningServer,
  method: string,
  path: string,
  { body, signal }: { readonly body?: unknown; readonly signal?: AbortSignal } = {},
) {
  const url = /^\/(services|setup)\//.test(path) ? path : NEWEST + path
  const headers: Record<string, string> = { authorization: `Bearer ${token}` }
  if (body !== undefined) headers['content-type'] = 'application/json'
  return fetch(address + url, {
    method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
    signal: signal ?? null,
  })
}

function unreachable({ address }: RunningServer, error: unknown): Error {
  const { cause, message } = error as Error
  return new Error(
    `The server at ${address} does not answer: ${cause instanceof Error ? cause.message : message}`,
  )
}

/** Somebody is there and says nothing: a server that is busy or stopped, or a stranger. */
export class SilentServer extends Error {}

/**
 * True if the server that left the note still lives: another one in its place does not know the token. The admin
 * API is called, where no fault is injected.
 */
async function isAlive(server: RunningServer): Promise<boolean> {
  try {
    const { ok, body } = await send(server, 'GET', '/setup/orgs/current', {
      signal: AbortSignal.timeout(PATIENCE),
    })
    await body?.cancel()
    return ok
  } catch (error) {
    if ((error as Error).name !== 'TimeoutError') return false
    throw new SilentServer(`The server at ${server.address} has not answered for ${PATIENCE / 1000} seconds.`)
  }
}

/**
 * The org of a running server over its ordinary interface.
 * @param org another one than the first, by name or id
 * @returns undefined when no server is there, or another one: the note is of one that was killed
 * @throws SilentServer
 */
export async function reachServer(server: RunningServer, org?: string): Promise<ReachedOrg | undefined> {
  if (!(await isAlive(server))) return undefined
  const first = callsTo(server)
  if (org === undefined) return first
  const { token } = await readBody<{ token: string }>(
    first.call('POST', `/setup/orgs/${encodeURIComponent(org)}/token`),
  )
  return callsTo({ ...server, token })
}

function callsTo(server: RunningServer): ReachedOrg {
  return {
    address: server.address,
    async call(method, path, sent): Promise<Reply> {
      try {
        const response = await send(server, method, path, { body: sent })
        const text = await response.text()
        return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
      } catch (error) {
        throw unreachable(server, error)
      }
    },
    async close() {},
  }
}
