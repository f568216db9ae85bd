import { countTokenErrors } from '../auth/count-token-errors.ts'
import { OAuthError } from '../auth/oauth-error.ts'
import { revokeToken } from '../auth/revocation-endpoint.ts'
import type { Reply } from '../calls/reply.ts'
import { addressOf } from './client-address.ts'
import { allParameters } from './form-parameters.ts'
import { answerInOAuthShape } from './oauth-reply.ts'
import type { Stage, Visit } from './visit.ts'

/** A function of a page, and nothing else that a script could be made of. */
const CALLBACK = /^[A-Za-z_$][\w$]{0,63}(?:\.[A-Za-z_$][\w$]{0,63}){0,5}$/

/** As a script that calls a function of the page: pages without any other way to ask. */
function asScript(callback: string, reply: Reply): Reply {
  const argument = JSON.stringify(reply.body ?? {}).replaceAll('<', '\\u003c')
  return {
    // A script that is not run because of its status could tell its page nothing.
    status: 200,
    body: `/**/${callback}(${argument});`,
    headers: {
      ...reply.headers,
      'Content-Type': 'application/javascript;charset=UTF-8',
      'X-Content-Type-Options': 'nosniff',
    },
  }
}

function revoke(visit: Visit): Promise<Reply> {
  const { reserved: db, sessions, attempts, config: settings } = visit.house
  return answerInOAuthShape({
    accept: visit.request.headers.accept,
    read() {
      if (visit.method !== 'POST' && visit.method !== 'GET') {
        throw new OAuthError('invalid_request', 'must use HTTP POST or GET')
      }
      return allParameters(visit)
    },
    async answer(parameters) {
      // Whose token it is nobody says, so wrong ones count by the address alone.
      const counting = { attempts, settings, address: addressOf(visit) }
      await countTokenErrors(counting, undefined, () => revokeToken(db, sessions, parameters.get('token')))
      return { status: 200, headers: { 'Cache-Control': 'no-store' } }
    },
  })
}

/** Takes a token away: by POST, by GET, and as a script with `callback`. (contract/auth 10) */
export const revocation: Stage = async (visit) => {
  const callback = visit.method === 'GET' ? visit.query.get('callback') : null
  if (callback === null) return revoke(visit)
  if (CALLBACK.test(callback)) return asScript(callback, await revoke(visit))
  return answerInOAuthShape({
    accept: undefined,
    read: () => new Map(),
    answer: () =>
      Promise.reject(new OAuthError('invalid_request', 'callback must be the name of a function')),
  })
}
