import { findApp, refuseBlocked } from '../auth/apps/find-app.ts'
import { issueSingleAccess, SINGLE_ACCESS_PATH } from '../auth/authorize/single-access.ts'
import { findStartPath } from '../auth/authorize/single-access-start.ts'
import { CONSOLE_APP } from '../auth/oauth/connected-app.ts'
import { OAuthError } from '../auth/oauth/oauth-error.ts'
import { isGuest } from '../auth/users/users.ts'
import { ApiError } from '../base/api-error.ts'
import { readOptionalEnvelope } from '../calls/envelope.ts'
import { type Handler, type Route, route } from '../calls/route.ts'
import type { Context } from '../context.ts'
import { checkOrg } from './orgs.ts'
import type { Platform } from './platform.ts'
import { findUser, type NamedInOrg } from './users.ts'

const CONSOLE_PATH = '/console/'

/** Names the caller in place of a user. */
const CURRENT = 'current'

/** The console as the org has it: whoever is shut out there gets in nowhere else either. */
async function requireConsole({ db, org }: Context) {
  const app = await findApp(db, CONSOLE_APP.clientId, org)
  if (app === undefined) throw new ApiError('INVALID_INPUT', 'The org has no app ObjectryConsole any more')
  try {
    refuseBlocked(app)
  } catch (error) {
    if (error instanceof OAuthError) throw new ApiError('INVALID_INPUT', 'The app ObjectryConsole is blocked')
    throw error
  }
  return app
}

/** Lets a user in without a password: a token, and an address that begins a browser session once. */
export function userAccessRoutes({ sessions, clock }: Platform): readonly Route[] {
  const open: Handler<NamedInOrg> = async (ctx, call, params) => {
    await checkOrg(ctx, params.org)
    const { db, org } = ctx
    const user = await findUser(ctx, params.user === CURRENT ? ctx.principal.userId : params.user)
    if (!user.isActive || isGuest(user))
      throw new ApiError('INVALID_INPUT', `${user.username} is not active, or a guest, and cannot log in`)
    const envelope = readOptionalEnvelope(call, ['startPath'])
    const startPath = findStartPath(envelope.text('startPath') ?? CONSOLE_PATH)
    if (startPath === undefined)
      throw new ApiError('INVALID_INPUT', 'startPath must be a path of this server')
    const { clientId } = await requireConsole(ctx)
    // What the console asks for, so that it needs no log-in.
    const scopes = CONSOLE_APP.scopes.filter((scope) => scope !== 'refresh_token')
    const { id, username } = user
    const body = await db.transaction(async (tx) => {
      const token = await sessions.issue({ org, userId: id, clientId, scopes, grantType: 'admin' }, tx)
      const code = await issueSingleAccess(tx, clock, token, startPath)
      return { id, username, token, path: `${SINGLE_ACCESS_PATH}?otp=${code}` }
    })
    return { status: 201, body }
  }
  return [route('POST', '/orgs/:org/users/:user/access', 'setup', open)]
}
