import { identityBody } from '../../auth/endpoints/identity.ts'
import { bearerToken } from '../../auth/oauth/token-text.ts'
import { makeApiVersion } from '../../base/api-version.ts'
import type { Clock } from '../../base/clock.ts'
import { canonicalRecordId } from '../../base/record-id.ts'
import type { Reply } from '../../calls/reply.ts'
import type { Config } from '../../config/config.ts'
import { type CallerServices, findCaller } from '../middleware/find-caller.ts'
import type { HttpContext } from '../pipeline/http-context.ts'
import type { RequestHandler } from '../pipeline/pipeline.ts'
import { findOrgOrigin } from '../request/org-host.ts'

const PATH = /^\/id\/([A-Za-z0-9]+)\/([A-Za-z0-9]+)\/?$/

/** Refusals are plain words that clients look for. (docs/reference/api/tokens.md#refusals-of-identity-resources) */
export const refuseIdentity = (word: string): Reply => ({
  status: 403,
  body: word,
  headers: { 'Content-Type': 'text/plain;charset=UTF-8' },
})

interface IdentityServices extends CallerServices {
  readonly clock: Clock
  readonly config: Pick<Config, 'versions'>
}

/** Who the token belongs to. The token comes in the header or, here only, in the query. (docs/reference/api/tokens.md#identity) */
export const describeIdentity =
  (services: IdentityServices): RequestHandler<HttpContext> =>
  async ({ request, path, query, origin }) => {
    const token = bearerToken(request.headers.authorization) ?? query.get('oauth_token') ?? undefined
    if (token === undefined) return refuseIdentity('Missing_OAuth_Token')
    const authenticated = await findCaller(services, request, token)
    if (authenticated === undefined) return refuseIdentity('Bad_OAuth_Token')
    const [, orgId, userId] = PATH.exec(path) ?? []
    const { user } = authenticated.caller
    const { org } = authenticated.session
    if (canonicalRecordId(orgId ?? '') !== org.id) return refuseIdentity('Wrong_Org')
    if (canonicalRecordId(userId ?? '') !== user.id) return refuseIdentity('Bad_Id')
    const latest = makeApiVersion(services.config.versions.at(-1)!)
    const version = query.get('version') === 'latest' ? latest.text : '{version}'
    return {
      status: 200,
      body: identityBody(await findOrgOrigin(services, origin, org), org, user, services.clock(), version),
    }
  }
