import { OAuthError } from '../auth/oauth-error.ts'
import { answerTokenRequest, type TokenSurroundings } from '../auth/token-endpoint.ts'
import { addressOf } from './client-address.ts'
import { formParameters } from './form-parameters.ts'
import { isAtItsHost, originOf, ownOriginsOf } from './host-of-org.ts'
import { answerInOAuthShape, oauthReply } from './oauth-reply.ts'
import type { Stage, Visit } from './visit.ts'

function surroundingsOf(visit: Visit): TokenSurroundings {
  const { house, origin } = visit
  const { reserved: db, sessions, secrets, clock, config, attempts } = house
  return {
    ...{ db, sessions, secrets, clock, origin, attempts },
    address: addressOf(visit),
    settings: config,
    originOf: (org) => originOf(house, origin, org),
    ownOriginsOf: (org) => ownOriginsOf(house, origin, org),
    isAtItsHost: (org) => isAtItsHost(visit, org),
  }
}

/** The token endpoint. Errors have OAuth's own shape and are 400. (contract/auth 3) */
export const tokenEndpoint: Stage = (visit) => {
  const { accept, authorization } = visit.request.headers
  return answerInOAuthShape({
    accept,
    read() {
      if (visit.method !== 'POST') throw new OAuthError('invalid_request', 'must use HTTP POST')
      return formParameters(visit)
    },
    async answer(parameters, format) {
      const body = await answerTokenRequest(parameters, authorization, surroundingsOf(visit))
      return oauthReply(200, body, format)
    },
  })
}
