import { identityBody } from '../auth/identity.ts'
import { makeApiVersion } from '../base/api-version.ts'
import { canonicalRecordId } from '../base/record-id.ts'
import type { Reply } from '../calls/reply.ts'
import { bearerToken } from './bearer-token.ts'
import { findCaller } from './find-caller.ts'
import { originOf } from './host-of-org.ts'
import type { Stage } from './visit.ts'

const PATH = /^\/id\/([A-Za-z0-9]+)\/([A-Za-z0-9]+)\/?$/

/** Refusals of this door are plain words that clients look for. (contract/auth 9) */
export const refusal = (word: string): Reply => ({
  status: 403,
  body: word,
  headers: { 'Content-Type': 'text/plain;charset=UTF-8' },
})

/** Who the token belongs to. The token comes in the header or, here only, in the query. (contract/auth 10) */
export const identity: Stage = async (visit) => {
  const { house, request, path, query, origin } = visit
  const token = bearerToken(request.headers.authorization) ?? query.get('oauth_token') ?? undefined
  if (token === undefined) return refusal('Missing_OAuth_Token')
  const known = await findCaller(visit, token)
  if (known === undefined) return refusal('Bad_OAuth_Token')
  const [, orgId, userId] = PATH.exec(path) ?? []
  const { user } = known.caller
  const { org } = known.session
  if (canonicalRecordId(orgId ?? '') !== org.id) return refusal('Wrong_Org')
  if (canonicalRecordId(userId ?? '') !== user.id) return refusal('Bad_Id')
  const latest = makeApiVersion(house.config.versions.at(-1)!)
  const version = query.get('version') === 'latest' ? latest.text : '{version}'
  return {
    status: 200,
    body: identityBody(await originOf(house, origin, org), org, user, house.clock(), version),
  }
}
