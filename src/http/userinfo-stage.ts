import { userinfoBody } from '../auth/userinfo.ts'
import { bearerToken } from './bearer-token.ts'
import { findCaller } from './find-caller.ts'
import { originOf } from './host-of-org.ts'
import { refusal } from './identity-stage.ts'
import type { Stage } from './visit.ts'

/** Who the token belongs to. Every token may ask, whatever its scopes. (contract/auth 2 and 10) */
export const userinfo: Stage = async (visit) => {
  const { house, request, method, origin } = visit
  if (method !== 'GET' && method !== 'POST') return undefined
  const token = bearerToken(request.headers.authorization)
  if (token === undefined) return refusal('Missing_OAuth_Token')
  const known = await findCaller(visit, token)
  if (known === undefined) return refusal('Bad_OAuth_Token')
  const { session, caller } = known
  const address = await originOf(house, origin, session.org)
  const body = userinfoBody(address, session.org, caller.user, house.clock(), '{version}')
  return { status: 200, body }
}
