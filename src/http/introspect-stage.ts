import { provenClient } from '../auth/apps/proven-client.ts'
import { clientCredentialsIn } from '../auth/client-credentials-in.ts'
import { introspect } from '../auth/introspection.ts'
import { OAuthError } from '../auth/oauth-error.ts'
import { identityAddress } from '../auth/token-response.ts'
import type { Org } from '../storage/org.ts'
import { allParameters } from './form-parameters.ts'
import { originOf } from './host-of-org.ts'
import { answerInOAuthShape, oauthReply } from './oauth-reply.ts'
import type { Stage } from './visit.ts'

/** What a token is good for, told to apps that prove who they are. (contract/auth 10) */
export const introspection: Stage = (visit) => {
  const { house, origin, request } = visit
  const { reserved: db, clocks } = house
  const { accept, authorization } = request.headers
  const identityOf = async (org: Org, userId: string) =>
    identityAddress(await originOf(house, origin, org), org.id, userId)
  return answerInOAuthShape({
    accept,
    read() {
      if (visit.method !== 'POST') throw new OAuthError('invalid_request', 'must use HTTP POST')
      return allParameters(visit)
    },
    async answer(parameters, format) {
      const app = await provenClient(house, clientCredentialsIn(parameters, authorization))
      const token = parameters.get('token') ?? ''
      if (token === '') throw new OAuthError('invalid_request', 'missing required parameter: token')
      return oauthReply(200, await introspect(db, app, token, identityOf, clocks.of), format)
    },
  })
}
