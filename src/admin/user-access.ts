import { findApp } from '../auth/apps/find-app.ts'
import { CONSOLE_PATH } from '../auth/authorize/return-path.ts'
import { issueSingleAccess, SINGLE_ACCESS_PATH } from '../auth/authorize/single-access.ts'
import { findStartPath } from '../auth/authorize/single-access-start.ts'
import { CONSOLE_APP } from '../auth/oauth/connected-app.ts'
import { OAuthError } from '../auth/oauth/oauth-error.ts'
import { bearerToken } from '../auth/oauth/token-text.ts'
import { issuing } from '../auth/tokens/access-locks.ts'
import { findParent, lockParent } from '../auth/tokens/issue-under.ts'
import { isGuest } from '../auth/users/users.ts'
import { ApiError } from '../base/api-error.ts'
import { readOptionalEnvelope } from '../calls/envelope.ts'
import { type Handler, type Route, route } from '../calls/route.ts'
import type { Context } from '../context.ts'
import { checkOrg } from './orgs.ts'
import type { Platform } from './platform.ts'
import { findUser, type NamedInOrg } from './users.ts'

/** Names the caller in place of a user. */
const CURRENT = 'current'

async function findConsole({ db, org }: Context) {
  const app = await findApp(db, CONSOLE_APP.clientId, org)
  if (app === undefined) throw new ApiError('INVALID_INPUT', 'The org has no app ObjectryConsole any more')
  return app
}

/** Whoever is shut out of the console gets in nowhere else either. */
function refuse(thrown: unknown): never {
  if (!(thrown instanceof OAuthError)) throw thrown
  const isBlocked = thrown.error === 'OAUTH_APP_BLOCKED'
  throw new ApiError('INVALID_INPUT', isBlocked ? 'The app ObjectryConsole is blocked' : thrown.description)
}

/** Lets a user in without a password: a token under the caller's, and an address that begins a browser session once. */
export function userAccessRoutes({ sessions, clock }: Platform): readonly Route[] {
  const open: Handler<NamedInOrg> = async (ctx, call, params) => {
    await checkOrg(ctx, params.org)
    const { db, org } = ctx
    const user = await findUser(ctx, params.user === CURRENT ? ctx.principal.userId : params.user)
    if (!user.isActive || isGuest(user))
      throw new ApiError('INVALID_INPUT', `${user.username} is not active, or a guest, and cannot log in`)
    const envelope = readOptionalEnvelope(call, ['startPath'])
    const startPath = findStartPath(envelope.text('startPath'), CONSOLE_PATH)
    if (startPath === undefined)
      throw new ApiError('INVALID_INPUT', 'startPath must be a path of this server')
    const app = await findConsole(ctx)
    const { clientId } = app
    // The scopes that the console asks for, so that it needs no log-in.
    const scopes = CONSOLE_APP.scopes.filter((scope) => scope !== 'refresh_token')
    const { id, username } = user
    const parentToken = bearerToken(call.headers.authorization)
    const parentTokenHash = parentToken === undefined ? undefined : await findParent(sessions, parentToken)
    const body = await issuing(db, { org, userId: id, app }, async (tx) => {
      if (parentTokenHash !== undefined) await lockParent(tx, parentTokenHash)
      const given = { org, userId: id, clientId, scopes, grantType: 'admin', parentTokenHash }
      const token = await sessions.issue(given, tx)
      const code = await issueSingleAccess(tx, clock, token, startPath)
      return { id, username, token, path: `${SINGLE_ACCESS_PATH}?otp=${code}` }
    }).catch(refuse)
    return { status: 201, body }
  }
  return [route('POST', '/orgs/:org/users/:user/access', 'setup', open)]
}
