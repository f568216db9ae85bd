import { userinfoBody } from '../auth/userinfo.ts'
import { findUser } from '../auth/users.ts'
import { bearerToken } from './bearer-token.ts'
import { isAtItsHost, originOf } from './host-of-org.ts'
import { refusal } from './identity-stage.ts'
import type { Stage } from './visit.ts'

/** Who the token belongs to. Every token may ask, whatever its scopes. (contract/auth 2 and 10) */
export const userinfo: Stage = async (visit) => {
  const { house, request, method, origin } = visit
  if (method !== 'GET' && method !== 'POST') return undefined
  const token = bearerToken(request.headers.authorization)
  if (token === undefined) return refusal('Missing_OAuth_Token')
  const session = await house.sessions.find(token)
  const user = session && (await findUser(house.db, session.org, session.userId))
  if (session === undefined || user?.isActive !== true || !(await isAtItsHost(visit, session.org))) {
    return refusal('Bad_OAuth_Token')
  }
  const address = await originOf(house, origin, session.org)
  const body = userinfoBody(address, session.org, user, house.clock(), '{version}')
  return { status: 200, body }
}
