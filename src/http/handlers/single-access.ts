import { CONSOLE_PATH, HOME } from '../../auth/authorize/return-path.ts'
import { issueSingleAccess, SINGLE_ACCESS_PATH } from '../../auth/authorize/single-access.ts'
import { findStartPath } from '../../auth/authorize/single-access-start.ts'
import { OAuthError } from '../../auth/oauth/oauth-error.ts'
import { coversScopes } from '../../auth/oauth/scopes.ts'
import { bearerToken } from '../../auth/oauth/token-text.ts'
import type { Clock } from '../../base/clock.ts'
import type { Reply } from '../../calls/reply.ts'
import type { Config } from '../../config/config.ts'
import type { Db } from '../../storage/database/db.ts'
import { parseFormAndQuery } from '../body/form-parameters.ts'
import { type CallerServices, findCaller } from '../middleware/find-caller.ts'
import type { HttpContext } from '../pipeline/http-context.ts'
import type { RequestHandler } from '../pipeline/pipeline.ts'
import { findOrgOrigin } from '../request/org-host.ts'
import { refuseIdentity } from './identity.ts'
import { oauthReply, replyInOAuthFormat } from './oauth-reply.ts'

interface SingleAccessServices extends CallerServices {
  readonly reserved: Db
  readonly clock: Clock
  readonly config: Pick<Config, 'console'>
}

/** The token comes in the header or in a form. Never in the address, which others write down. */
function findToken({ request, query }: HttpContext, parameters: ReadonlyMap<string, string>) {
  if (query.has('access_token')) {
    throw new OAuthError('invalid_request', 'an access token does not belong into an address')
  }
  return bearerToken(request.headers.authorization) ?? parameters.get('access_token')
}

async function openAccess(
  services: SingleAccessServices,
  context: HttpContext,
  parameters: ReadonlyMap<string, string>,
): Promise<Reply> {
  const { reserved, clock, config } = services
  const token = findToken(context, parameters)
  if (token === undefined) return refuseIdentity('Missing_OAuth_Token')
  const found = await findCaller(services, context.request, token)
  if (found === undefined) return refuseIdentity('Bad_OAuth_Token')
  const { org, scopes } = found.session
  if (!coversScopes(scopes, ['web'])) {
    return oauthReply(403, { error: 'insufficient_scope', error_description: 'the scope web is needed' })
  }
  const home = config.console ? CONSOLE_PATH : HOME
  const startPath = findStartPath(parameters.get('redirect_uri'), home)
  if (startPath === undefined) {
    throw new OAuthError('invalid_request', 'redirect_uri must be a relative address of this server')
  }
  const code = await issueSingleAccess(reserved, clock, token, startPath)
  if (code === undefined) return refuseIdentity('Bad_OAuth_Token')
  const address = await findOrgOrigin(services, context.origin, org)
  return oauthReply(200, { frontdoor_uri: `${address}${SINGLE_ACCESS_PATH}?otp=${code}` })
}

/** An address that opens a browser session with an access token, once. (docs/reference/api/tokens.md#single-access) */
export const openSingleAccess =
  (services: SingleAccessServices): RequestHandler<HttpContext> =>
  (context) =>
    replyInOAuthFormat({
      accept: undefined,
      read: () => parseFormAndQuery(context),
      answer: (parameters) => openAccess(services, context, parameters),
    })
