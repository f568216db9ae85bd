import { OAuthError } from '../auth/oauth-error.ts'
import { answerTokenRequest } from '../auth/token-endpoint.ts'
import type { ApiError } from '../base/api-error.ts'
import type { Reply } from '../calls/reply.ts'
import type { Org } from '../storage/org.ts'
import type { House, Stage } from './visit.ts'

const noStore = { 'Cache-Control': 'no-store', Pragma: 'no-cache' }

function refusal(error: OAuthError): Reply {
  return {
    status: 400,
    body: { error: error.error, error_description: error.description },
    headers: noStore,
  }
}

/** What is refused before the request reaches the endpoint, or fails in it, has OAuth's shape too. */
export function tokenErrorReply({ status, message }: ApiError): Reply {
  const error = status < 500 ? 'invalid_request' : 'server_error'
  return { status, body: { error, error_description: message }, headers: noStore }
}

/** An org with a host of its own is reached there, by the protocol and port of this request. */
async function originOf({ hosts }: House, origin: string, org: Org): Promise<string> {
  for (const [host, id] of await hosts.all()) {
    if (id !== org.id) continue
    const url = new URL(origin)
    url.hostname = host
    return url.origin
  }
  return origin
}

/** The token endpoint. Errors have OAuth's own shape and are 400. (contract/auth 3) */
export const tokenEndpoint: Stage = async ({ house, request, bytes, origin, method }) => {
  const type = request.headers['content-type'] ?? ''
  try {
    if (method !== 'POST') throw new OAuthError('invalid_request', 'must use HTTP POST')
    if (!/^application\/x-www-form-urlencoded\s*(;.*)?$/i.test(type)) {
      throw new OAuthError('invalid_request', 'the parameters must be form-encoded')
    }
    const { db, sessions, clock } = house
    const form = new URLSearchParams(bytes.toString('utf8'))
    const body = await answerTokenRequest(form, request.headers.authorization, {
      db,
      sessions,
      clock,
      originOf: (org) => originOf(house, origin, org),
    })
    return { status: 200, body, headers: noStore }
  } catch (error) {
    if (error instanceof OAuthError) return refusal(error)
    throw error
  }
}
