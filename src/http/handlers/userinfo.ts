import { userinfoBody } from '../../auth/endpoints/userinfo.ts'
import { bearerToken } from '../../auth/oauth/token-text.ts'
import type { Clock } from '../../base/clock.ts'
import { type CallerServices, findCaller } from '../middleware/find-caller.ts'
import type { HttpContext } from '../pipeline/http-context.ts'
import type { RequestHandler } from '../pipeline/pipeline.ts'
import { findOrgOrigin } from '../request/org-host.ts'
import { refuseIdentity } from './identity.ts'

interface UserinfoServices extends CallerServices {
  readonly clock: Clock
}

/** Who the token belongs to, whatever its scopes. (docs/reference/api/tokens.md#scopes, docs/reference/api/tokens.md#user-information) */
export const describeUser =
  (services: UserinfoServices): RequestHandler<HttpContext> =>
  async ({ request, origin }) => {
    const token = bearerToken(request.headers.authorization)
    if (token === undefined) return refuseIdentity('Missing_OAuth_Token')
    const authenticated = await findCaller(services, request, token)
    if (authenticated === undefined) return refuseIdentity('Bad_OAuth_Token')
    const { session, caller } = authenticated
    const address = await findOrgOrigin(services, origin, session.org)
    const body = userinfoBody(address, session.org, caller.user, services.clock(), '{version}')
    return { status: 200, body }
  }
