import type { Attempts } from '../../auth/attempts/attempts.ts'
import { countTokenErrors } from '../../auth/endpoints/count-token-errors.ts'
import { revokeToken } from '../../auth/endpoints/revocation-endpoint.ts'
import { OAuthError } from '../../auth/oauth/oauth-error.ts'
import type { Sessions } from '../../auth/tokens/sessions.ts'
import type { Reply } from '../../calls/reply.ts'
import type { Config } from '../../config/config.ts'
import type { Db } from '../../storage/database/db.ts'
import { parseFormAndQuery } from '../body/form-parameters.ts'
import type { HttpContext } from '../pipeline/http-context.ts'
import type { RequestHandler } from '../pipeline/pipeline.ts'
import { findClientAddress } from '../request/client-address.ts'
import { replyInOAuthFormat } from './oauth-reply.ts'

interface RevocationServices {
  readonly reserved: Db
  readonly sessions: Sessions
  readonly attempts: Attempts
  readonly config: Config
}

/** Name of a function of a page: nothing that could be another script. */
const CALLBACK = /^[A-Za-z_$][\w$]{0,63}(?:\.[A-Za-z_$][\w$]{0,63}){0,5}$/

/** A reply as a script that calls a function of the page (JSONP). */
function makeScript(callback: string, reply: Reply): Reply {
  const argument = JSON.stringify(reply.body ?? {}).replaceAll('<', '\\u003c')
  return {
    // Browsers do not run a script with another status.
    status: 200,
    body: `/**/${callback}(${argument});`,
    headers: {
      ...reply.headers,
      'Content-Type': 'application/javascript;charset=UTF-8',
      'X-Content-Type-Options': 'nosniff',
    },
  }
}

function revoke(services: RevocationServices, context: HttpContext): Promise<Reply> {
  const { reserved: db, sessions, attempts, config: settings } = services
  const { request, method } = context
  return replyInOAuthFormat({
    accept: request.headers.accept,
    read() {
      if (method !== 'POST' && method !== 'GET') {
        throw new OAuthError('invalid_request', 'must use HTTP POST or GET')
      }
      return parseFormAndQuery(context)
    },
    async answer(parameters) {
      // The client does not say who it is, so wrong tokens count by the address alone.
      const counting = { attempts, settings, address: findClientAddress(settings, request) }
      await countTokenErrors(counting, undefined, () => revokeToken(db, sessions, parameters.get('token')))
      return { status: 200, headers: { 'Cache-Control': 'no-store' } }
    },
  })
}

/** Revokes a token: by POST, by GET, and as a script with `callback`. (docs/reference/api/tokens.md#revocation) */
export const revokeByRequest =
  (services: RevocationServices): RequestHandler<HttpContext> =>
  async (context) => {
    const callback = context.method === 'GET' ? context.query.get('callback') : null
    if (callback === null) return revoke(services, context)
    if (CALLBACK.test(callback)) return makeScript(callback, await revoke(services, context))
    return replyInOAuthFormat({
      accept: undefined,
      read: () => new Map(),
      answer: () =>
        Promise.reject(new OAuthError('invalid_request', 'callback must be the name of a function')),
    })
  }
