import { approve, approvedScopes, isPreApproved } from '../../auth/authorize/approvals.ts'
import {
  AUTHORIZE_PATH,
  AuthorizeRefusal,
  type AuthorizeRequest,
  type AuthorizeTarget,
  afterLogIn,
  asAnotherUser,
  readRequest,
} from '../../auth/authorize/authorize-request.ts'
import { type BrowserSession, takeConsoleFamily } from '../../auth/authorize/browser-sessions.ts'
import { callbackWith, describeDestination, makeFormSource } from '../../auth/authorize/callback-address.ts'
import { type ConnectedApp, isFirstParty } from '../../auth/oauth/connected-app.ts'
import { OAuthError } from '../../auth/oauth/oauth-error.ts'
import { asksForRefresh, coversScopes } from '../../auth/oauth/scopes.ts'
import { approvalPage } from '../../auth/pages/approval-page.ts'
import { makeCsrfToken } from '../../auth/pages/csrf.ts'
import { issuing } from '../../auth/tokens/access-locks.ts'
import { issueCode } from '../../auth/tokens/authorization-codes.ts'
import type { Config } from '../../config/config.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { checkCsrf, checkSameSite } from './check-form.ts'
import { SESSION_COOKIE } from './cookies.ts'
import {
  findPageOrg,
  findPageSession,
  type Page,
  type PageContext,
  type PageHandler,
  type PageOrgServices,
  type PageReply,
  type PageSession,
  type PageSessionServices,
  redirect,
} from './page-context.ts'
import type { WithPageFaults } from './page-faults.ts'
import { PageRefusal } from './page-refusal.ts'
import { findPageTarget, isAtItsHost, type TargetServices, withReturn } from './return-target.ts'

interface AuthorizeServices extends PageOrgServices, PageSessionServices {
  readonly config: Pick<Config, 'publicUrl' | 'consoleOrigin'>
  readonly withFaults: WithPageFaults
}

type Decision = 'approve' | 'deny'

/** One request for access, with what it was parsed to. */
interface Authorization {
  readonly services: AuthorizeServices
  readonly context: PageContext
  readonly parameters: URLSearchParams
  readonly target: AuthorizeTarget
  readonly request: AuthorizeRequest
  readonly decision: Decision | undefined
}

/** Shown, never sent anywhere: where a reply may be sent is not known. (docs/reference/api/tokens.md#authorization-request) */
function makeRefusal({ code, message }: AuthorizeRefusal): PageRefusal {
  const explanation = `Something is wrong with its request: ${message}. Nothing was sent to it.`
  return new PageRefusal(400, 'This app cannot ask for access', explanation, { code })
}

async function findCheckedTarget(
  services: TargetServices,
  context: PageContext,
  parameters: URLSearchParams,
): Promise<AuthorizeTarget> {
  try {
    const target = await findPageTarget(services, context, parameters)
    if (await isAtItsHost(services, context, target)) return target
    throw new AuthorizeRefusal('invalid_client_id', 'client identifier invalid')
  } catch (error) {
    throw error instanceof AuthorizeRefusal ? makeRefusal(error) : error
  }
}

/** The reply to the app, by way of the browser; its state is returned as it was. */
function redirectToApp(
  { redirectUri }: AuthorizeTarget,
  parameters: URLSearchParams,
  values: Readonly<Record<string, string>>,
): PageReply {
  const [state] = parameters.getAll('state')
  return { status: 302, location: callbackWith(redirectUri, { ...values, state }) }
}

const silentRefusal = () => new OAuthError('immediate_unsuccessful', 'the user has to be asked')

/** Who is logged in to the org. Only the console may be given what an access token that opened the session already has. */
async function findSession(
  { services, context, target, request }: Authorization,
  org: Org,
): Promise<PageSession | undefined> {
  const found = await findPageSession(services, context)
  if (found?.org.id !== org.id) return undefined
  if (found.openedBy === undefined) return found
  const isCovered = coversScopes(
    found.openedBy.scopes,
    request.scopes.filter((scope) => !asksForRefresh([scope])),
  )
  return isFirstParty(target.app) && isCovered ? found : undefined
}

/** @throws OAuthError what the callback gets instead of a code */
async function carryOut(authorization: Authorization): Promise<PageReply> {
  const { services, context, target } = authorization
  const org = await findPageOrg(services, context, target.app.org)
  const session = await findSession(authorization, org)
  const pageRequest = {
    route: AUTHORIZE_PATH,
    org,
    app: target.app,
    username: session?.user.username,
  } as const
  return services.withFaults(context, pageRequest, () => answerRequest(authorization, session))
}

/** @throws OAuthError */
async function answerRequest(
  authorization: Authorization,
  session: PageSession | undefined,
): Promise<PageReply> {
  const { parameters, request } = authorization
  const pathAfterwards = afterLogIn(parameters)
  if (session === undefined || request.wantsLogIn) {
    if (request.isSilent) throw silentRefusal()
    return redirect(withReturn('/login', pathAfterwards))
  }
  if (session.mustChange) {
    if (request.isSilent) throw silentRefusal()
    return redirect(withReturn('/change-password', pathAfterwards))
  }
  if (await isPermitted(authorization, session)) return sendCode(authorization, session)
  if (request.isSilent) throw silentRefusal()
  return askUser(authorization, session)
}

/** True if the app may have a code now; false if the user must be asked. */
async function isPermitted(authorization: Authorization, { org, user }: BrowserSession): Promise<boolean> {
  const { services, target, request, decision } = authorization
  const { reserved: db, clock } = services
  const { app } = target
  if (app.permittedUsers === 'AdminApproved') {
    if (await isPreApproved(db, org, app, user.id)) return true
    throw new OAuthError('OAUTH_APP_ACCESS_DENIED', 'user is not admin approved to access this app')
  }
  if (isFirstParty(app)) return true
  if (decision === 'deny') throw new OAuthError('access_denied', 'end-user denied authorization')
  const { clientId } = app
  const { scopes } = request
  if (decision === 'approve') {
    await approve(db, clock, { org, clientId, userId: user.id, scopes })
    return true
  }
  if (request.wantsConsent) return false
  const known = await approvedScopes(db, org, clientId, user.id)
  return scopes.length > 0 && scopes.every((scope) => known.includes(scope))
}

async function sendCode(authorization: Authorization, session: BrowserSession): Promise<PageReply> {
  const { services, parameters, target, request } = authorization
  const { reserved: db, clock } = services
  const { challenge, nonce } = request
  const { org, user, openedBy } = session
  // An access token that opened the session cannot become more than it is, nor live longer.
  const scopes = openedBy ? request.scopes.filter((scope) => !asksForRefresh([scope])) : request.scopes
  const { app, redirectUri } = target
  const { clientId } = app
  const userId = user.id
  const code = await issuing(db, { org, userId, app, browserSessionHash: session.tokenHash }, async (tx) => {
    const family = isFirstParty(app) ? await takeConsoleFamily(tx, session) : undefined
    const links = { family, accessTokenHash: openedBy?.tokenHash }
    return issueCode(tx, clock, { clientId, org, userId, scopes, redirectUri, challenge, nonce, ...links })
  })
  return redirectToApp(target, parameters, { code })
}

function askUser({ parameters, target, request }: Authorization, session: PageSession): PageReply {
  const { app, redirectUri }: { app: ConnectedApp; redirectUri: string } = target
  return {
    status: 200,
    html: approvalPage({
      orgName: session.org.name,
      appName: app.name,
      description: app.description,
      username: session.user.username,
      scopes: request.scopes,
      csrf: makeCsrfToken(session.cookie),
      // In the address, because a form would change line ends and what is no text.
      action: `${AUTHORIZE_PATH}?${parameters}`,
      destination: describeDestination(redirectUri),
      asAnotherUser: asAnotherUser(parameters),
    }),
    formSource: makeFormSource(redirectUri),
  }
}

async function authorize(
  services: AuthorizeServices,
  context: PageContext,
  parameters: URLSearchParams,
  decision?: Decision,
): Promise<PageReply> {
  const target = await findCheckedTarget(services, context, parameters)
  try {
    const request = readRequest(parameters, target)
    return await carryOut({ services, context, parameters, target, request, decision })
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    return redirectToApp(target, parameters, { error: error.error, error_description: error.description })
  }
}

/** The decision of the user on an approval page; a request that came as a form is redirected to its address. */
const answerAuthorize =
  (services: AuthorizeServices): PageHandler =>
  async (context) => {
    const { form, query, cookies } = context
    const decision = form.get('decision')
    if (decision !== 'approve' && decision !== 'deny') {
      return redirect(`${AUTHORIZE_PATH}?${form.size > 0 ? form : query}`)
    }
    checkSameSite(services.config, context)
    checkCsrf(context, cookies.get(SESSION_COOKIE))
    return authorize(services, context, query, decision)
  }

/** The beginning of the web server flow. (docs/reference/api/tokens.md#authorization-request) */
export const makeAuthorizePage = (services: AuthorizeServices): Page => ({
  url: AUTHORIZE_PATH,
  get: (context) => authorize(services, context, context.query),
  post: answerAuthorize(services),
  takesForeignForms: true,
})
