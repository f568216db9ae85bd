import { approve, approvedScopes, isPreApproved } from '../../auth/approvals.ts'
import type { ConnectedApp } from '../../auth/apps/connected-app.ts'
import { issueCode } from '../../auth/authorization-codes.ts'
import {
  AUTHORIZE_PATH,
  AuthorizeRefusal,
  type AuthorizeRequest,
  type AuthorizeTarget,
  afterLogIn,
  asSomebodyElse,
  findTarget,
  readRequest,
} from '../../auth/authorize-request.ts'
import type { BrowserSession } from '../../auth/browser-sessions.ts'
import { callbackWith, destinationOf, formSourceOf } from '../../auth/callback-address.ts'
import { OAuthError } from '../../auth/oauth-error.ts'
import { approvalPage } from '../../auth/pages/approval-page.ts'
import { makeCsrfToken } from '../../auth/pages/csrf.ts'
import { checkCsrf, checkSameSite } from './check-form.ts'
import { SESSION_COOKIE } from './cookies.ts'
import { PageRefusal } from './page-refusal.ts'
import { goTo, orgOfPage, type PageHandler, type PageReply, type PageVisit, sessionOf } from './page-visit.ts'
import { isAtHome, withReturn } from './return-target.ts'

type Decision = 'approve' | 'deny'

/** One request on its way to an answer. */
interface Asking {
  readonly visit: PageVisit
  readonly parameters: URLSearchParams
  readonly target: AuthorizeTarget
  readonly request: AuthorizeRequest
  readonly decision: Decision | undefined
}

/** Shown, never sent anywhere: where an answer may go is not known. (contract/auth 6) */
function refuse({ code, message }: AuthorizeRefusal): PageRefusal {
  const told = `Something is wrong with its request: ${message}. Nothing was sent to it.`
  return new PageRefusal(400, 'This app cannot ask for access', told, { code })
}

async function targetOf(visit: PageVisit, parameters: URLSearchParams): Promise<AuthorizeTarget> {
  try {
    const target = await findTarget(visit.house.reserved, parameters)
    if (await isAtHome(visit, target)) return target
    throw new AuthorizeRefusal('invalid_client_id', 'client identifier invalid')
  } catch (error) {
    throw error instanceof AuthorizeRefusal ? refuse(error) : error
  }
}

/** The answer to the app, by way of the browser; its state comes back as it was. */
function answer(
  { redirectUri }: AuthorizeTarget,
  parameters: URLSearchParams,
  told: Readonly<Record<string, string>>,
): PageReply {
  const [state] = parameters.getAll('state')
  return { status: 302, location: callbackWith(redirectUri, { ...told, state }) }
}

const silentRefusal = () => new OAuthError('immediate_unsuccessful', 'the user has to be asked')

/** @throws OAuthError what the callback is told instead of a code */
async function carryOut(asking: Asking): Promise<PageReply> {
  const { visit, parameters, target, request } = asking
  const org = await orgOfPage(visit, target.app.org)
  const found = await sessionOf(visit)
  const session = found?.org.id === org.id ? found : undefined
  const pathAfterwards = afterLogIn(parameters)
  if (session === undefined || request.wantsLogIn) {
    if (request.isSilent) throw silentRefusal()
    return goTo(withReturn('/login', pathAfterwards))
  }
  if (session.mustChange) {
    if (request.isSilent) throw silentRefusal()
    return goTo(withReturn('/change-password', pathAfterwards))
  }
  if (await mayGoOn(asking, session)) return giveCode(asking, session)
  if (request.isSilent) throw silentRefusal()
  return askUser(asking, session)
}

/** Whether the app may have a code now; false: the user is to be asked. */
async function mayGoOn(asking: Asking, { org, user }: BrowserSession): Promise<boolean> {
  const { visit, target, request, decision } = asking
  const { reserved: db, clock } = visit.house
  const { app } = target
  if (app.permittedUsers === 'AdminApproved') {
    if (await isPreApproved(db, org, app, user.id)) return true
    throw new OAuthError('OAUTH_APP_ACCESS_DENIED', 'user is not admin approved to access this app')
  }
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

async function giveCode(asking: Asking, { org, user }: BrowserSession): Promise<PageReply> {
  const { visit, parameters, target, request } = asking
  const { reserved: db, clock } = visit.house
  const { scopes, challenge, nonce } = request
  const { redirectUri } = target
  const agreement = { org, userId: user.id, scopes, redirectUri, challenge, nonce }
  const code = await issueCode(db, clock, { clientId: target.app.clientId, ...agreement })
  return answer(target, parameters, { code })
}

function askUser({ visit, parameters, target, request }: Asking, session: BrowserSession): PageReply {
  const { app, redirectUri }: { app: ConnectedApp; redirectUri: string } = target
  return {
    status: 200,
    html: approvalPage({
      orgName: session.org.name,
      appName: app.name,
      description: app.description,
      username: session.user.username,
      scopes: request.scopes,
      csrf: makeCsrfToken(visit.cookies.get(SESSION_COOKIE)!),
      // In the address, because a form would change line ends and what is no text.
      action: `${AUTHORIZE_PATH}?${parameters}`,
      destination: destinationOf(redirectUri),
      asSomebodyElse: asSomebodyElse(parameters),
    }),
    formSource: formSourceOf(redirectUri),
  }
}

async function authorize(
  visit: PageVisit,
  parameters: URLSearchParams,
  decision?: Decision,
): Promise<PageReply> {
  const target = await targetOf(visit, parameters)
  try {
    const request = readRequest(parameters, target)
    return await carryOut({ visit, parameters, target, request, decision })
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    return answer(target, parameters, { error: error.error, error_description: error.description })
  }
}

/** The web server flow's beginning. (contract/auth 6) */
export const askAuthorize: PageHandler = (visit) => authorize(visit, visit.query)

/** What the user said to an approval page; a request that came as a form is asked again as an address. */
export const answerAuthorize: PageHandler = async (visit) => {
  const { form, query, cookies } = visit
  const decision = form.get('decision')
  if (decision !== 'approve' && decision !== 'deny') {
    return goTo(`${AUTHORIZE_PATH}?${form.size > 0 ? form : query}`)
  }
  checkSameSite(visit)
  checkCsrf(visit, cookies.get(SESSION_COOKIE))
  return authorize(visit, query, decision)
}
