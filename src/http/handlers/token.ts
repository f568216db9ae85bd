import type { Attempts } from '../../auth/attempts/attempts.ts'
import { answerTokenRequest, type GrantServices } from '../../auth/endpoints/token-endpoint.ts'
import type { SecretBox } from '../../auth/keys/secret-box.ts'
import { OAuthError } from '../../auth/oauth/oauth-error.ts'
import type { Sessions } from '../../auth/tokens/sessions.ts'
import type { Clock } from '../../base/clock.ts'
import type { Config } from '../../config/config.ts'
import type { Db } from '../../storage/database/db.ts'
import type { OrgHosts } from '../../storage/orgs/org-hosts.ts'
import { parseForm } from '../body/form-parameters.ts'
import type { WithTokenFaults } from '../middleware/token-faults.ts'
import type { HttpContext } from '../pipeline/http-context.ts'
import type { RequestHandler } from '../pipeline/pipeline.ts'
import { findClientAddress } from '../request/client-address.ts'
import { findOrgOrigin, findOwnOrigins, isAtItsHost } from '../request/org-host.ts'
import { oauthReply, replyInOAuthFormat } from './oauth-reply.ts'

interface TokenServices {
  readonly reserved: Db
  readonly sessions: Sessions
  readonly secrets: SecretBox
  readonly clock: Clock
  readonly hosts: OrgHosts
  readonly attempts: Attempts
  readonly config: Config
}

function makeSurroundings(services: TokenServices, { request, origin }: HttpContext): GrantServices {
  const { reserved: db, sessions, secrets, clock, config, attempts } = services
  return {
    ...{ db, sessions, secrets, clock, origin, attempts },
    address: findClientAddress(config, request),
    settings: config,
    originOf: (org) => findOrgOrigin(services, origin, org),
    ownOriginsOf: (org) => findOwnOrigins(services, origin, org),
    isAtItsHost: (org) => isAtItsHost(services, request, org),
  }
}

/** The token endpoint. Errors have OAuth's own format and are 400. (docs/reference/api/tokens.md#errors-of-the-token-endpoint) */
export const issueToken =
  (services: TokenServices, withFaults: WithTokenFaults): RequestHandler<HttpContext> =>
  (context) => {
    const { accept, authorization } = context.request.headers
    return replyInOAuthFormat({
      accept,
      read() {
        if (context.method !== 'POST') throw new OAuthError('invalid_request', 'must use HTTP POST')
        return parseForm(context)
      },
      answer: (parameters, format) =>
        withFaults(context, parameters, async () => {
          const surroundings = makeSurroundings(services, context)
          return oauthReply(200, await answerTokenRequest(parameters, authorization, surroundings), format)
        }),
    })
  }
