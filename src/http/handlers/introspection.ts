import { provenClient } from '../../auth/apps/proven-client.ts'
import type { Attempts } from '../../auth/attempts/attempts.ts'
import { clientCredentialsIn } from '../../auth/endpoints/client-credentials-in.ts'
import { countTokenErrors } from '../../auth/endpoints/count-token-errors.ts'
import { introspect } from '../../auth/endpoints/introspection.ts'
import type { SecretBox } from '../../auth/keys/secret-box.ts'
import { OAuthError } from '../../auth/oauth/oauth-error.ts'
import { identityAddress } from '../../auth/tokens/token-response.ts'
import type { Clock } from '../../base/clock.ts'
import type { Config } from '../../config/config.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { OrgClocks } from '../../storage/orgs/org-clocks.ts'
import type { OrgHosts } from '../../storage/orgs/org-hosts.ts'
import { parseFormAndQuery } from '../body/form-parameters.ts'
import type { HttpContext } from '../pipeline/http-context.ts'
import type { RequestHandler } from '../pipeline/pipeline.ts'
import { findClientAddress } from '../request/client-address.ts'
import { findOrgOrigin } from '../request/org-host.ts'
import { oauthReply, replyInOAuthFormat } from './oauth-reply.ts'

interface IntrospectionServices {
  readonly reserved: Db
  readonly secrets: SecretBox
  readonly clock: Clock
  readonly clocks: OrgClocks
  readonly hosts: OrgHosts
  readonly attempts: Attempts
  readonly config: Config
}

/** Tells authenticated apps for what a token is valid. (docs/reference/api/tokens.md#introspection) */
export function introspectToken(services: IntrospectionServices): RequestHandler<HttpContext> {
  const { reserved: db, secrets, clock, clocks, attempts, config: settings } = services
  return (context) => {
    const { origin, request, method } = context
    const { accept, authorization } = request.headers
    const getIdentity = async (org: Org, userId: string) =>
      identityAddress(await findOrgOrigin(services, origin, org), org.id, userId)
    return replyInOAuthFormat({
      accept,
      read() {
        if (method !== 'POST') throw new OAuthError('invalid_request', 'must use HTTP POST')
        return parseFormAndQuery(context)
      },
      async answer(parameters, format) {
        const credentials = clientCredentialsIn(parameters, authorization)
        const counting = { attempts, settings, address: findClientAddress(settings, request) }
        const body = await countTokenErrors(counting, credentials.clientId, async () => {
          const app = await provenClient({ db, secrets, clock }, credentials)
          const token = parameters.get('token') ?? ''
          if (token === '') throw new OAuthError('invalid_request', 'missing required parameter: token')
          return introspect(db, app, token, getIdentity, clocks.of)
        })
        return oauthReply(200, body, format)
      },
    })
  }
}
