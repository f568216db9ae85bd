import type { Org } from '../../storage/orgs/org.ts'

import { isPreApproved, offlineScopes } from '../authorize/approvals.ts'
import { type ConnectedApp, refuseBlocked } from '../oauth/connected-app.ts'
import { OAuthError } from '../oauth/oauth-error.ts'
import { coversScopes } from '../oauth/scopes.ts'
import {
  checkAudience,
  checkTimes,
  isSingleUse,
  readAssertion,
  useOnce,
  verifySignature,
} from '../tokens/assertions.ts'
import { findUserByName } from '../users/users.ts'
import { requireActive } from './admitted-user.ts'
import { giveTokens } from './give-tokens.ts'
import type { Grant, TokenRequest } from './grant.ts'
import { requireApp, requireParameter, unsupportedGrant } from './require.ts'

/** Audiences that simple-salesforce, go-salesforce and restforce sign, whatever server they call. (docs/reference/api/tokens.md#jwt-bearer) */
const FIXED_AUDIENCES = ['https://login.salesforce.com', 'https://test.salesforce.com']

const notApproved = () => new OAuthError('invalid_grant', "user hasn't approved this consumer")

async function listAudiences({ ownOriginsOf, settings }: TokenRequest, org: Org) {
  const own = await ownOriginsOf(org)
  const endpoints = own.map((address) => `${address}/services/oauth2/token`)
  const { jwtAudiences, lenient } = settings
  return {
    accepted: [...own, ...endpoints, ...(jwtAudiences ?? [])],
    withScheme: jwtAudiences === undefined ? FIXED_AUDIENCES : [],
    lenient,
  }
}

/** Scopes that the user or the administrator approved before, since no user is present to ask. */
async function allowedScopes(
  { db }: TokenRequest,
  app: ConnectedApp,
  org: Org,
  userId: string,
): Promise<readonly string[]> {
  if (app.permittedUsers === 'AdminApproved') {
    if (await isPreApproved(db, org, app, userId)) return app.scopes
    throw new OAuthError('invalid_app_access', 'user is not admin approved to access this app')
  }
  const approved = await offlineScopes(db, org, app.clientId, userId)
  if (approved.length === 0) throw notApproved()
  return approved.filter((scope) => coversScopes(app.scopes, [scope]))
}

/** JWT bearer flow: the app acts for a user, by an assertion that it has signed. (docs/reference/api/tokens.md#jwt-bearer) */
export const jwtBearer: Grant = async (request) => {
  const token = requireParameter(request, 'assertion')
  const assertion = readAssertion(token)
  const app = await requireApp(request, assertion.issuer)
  const { org, certificates } = app
  if (org === undefined || !app.enableJwtBearer || certificates === null) throw unsupportedGrant()
  await verifySignature(token, certificates)
  checkTimes(assertion, request.clock())
  checkAudience(assertion, await listAudiences(request, org))
  refuseBlocked(app)
  const user = await findUserByName(request.db, org, assertion.subject)
  if (user === undefined) throw notApproved()
  requireActive(user)
  const scopes = await allowedScopes(request, app, org, user.id)
  // The secret is not used in this flow, so it does not sign the response either.
  const answered = { ...request, clientSecret: undefined }
  const granted = { app, org, userId: user.id, scopes, grantType: 'jwt_bearer' }
  if (!isSingleUse(assertion)) return giveTokens(answered, granted)
  return giveTokens(answered, granted, async (tx) => {
    await useOnce(tx, org, assertion)
    return undefined
  })
}
