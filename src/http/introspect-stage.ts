import { provenClient } from '../auth/apps/proven-client.ts'
import { clientCredentialsIn } from '../auth/client-credentials-in.ts'
import { countTokenErrors } from '../auth/count-token-errors.ts'
import { introspect } from '../auth/introspection.ts'
import { OAuthError } from '../auth/oauth-error.ts'
import { identityAddress } from '../auth/token-response.ts'
import type { Org } from '../storage/org.ts'
import { addressOf } from './client-address.ts'
import { allParameters } from './form-parameters.ts'
import { originOf } from './host-of-org.ts'
import { answerInOAuthShape, oauthReply } from './oauth-reply.ts'
import type { Stage } from './visit.ts'

/** What a token is good for, told to apps that prove who they are. (contract/auth 10) */
export const introspection: Stage = (visit) => {
  const { house, origin, request } = visit
  const { reserved: db, clocks, attempts, config: settings } = house
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
      const credentials = clientCredentialsIn(parameters, authorization)
      const counting = { attempts, settings, address: addressOf(visit) }
      const body = await countTokenErrors(counting, credentials.clientId, async () => {
        const app = await provenClient(house, credentials)
        const token = parameters.get('token') ?? ''
        if (token === '') throw new OAuthError('invalid_request', 'missing required parameter: token')
        return introspect(db, app, token, identityOf, clocks.of)
      })
      return oauthReply(200, body, format)
    },
  })
}
