import { randomBytes } from 'node:crypto'
import { beginBrowserSession, endBrowserSession } from '../../auth/authorize/browser-sessions.ts'
import { makeCsrfToken } from '../../auth/pages/csrf.ts'
import { accountPage, loginPage } from '../../auth/pages/login-page.ts'
import type { LogInRefusal } from '../../auth/users/log-in.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { checkCsrf } from './check-form.ts'
import { checkPagePassword, type PasswordServices } from './check-password.ts'
import { LOGIN_COOKIE, SESSION_COOKIE, setCookie } from './cookies.ts'
import {
  findPageOrg,
  findPageSession,
  isSecure,
  type Page,
  type PageContext,
  type PageHandler,
  type PageOrgServices,
  type PageReply,
  type PageSessionServices,
  redirect,
} from './page-context.ts'
import type { WithPageFaults } from './page-faults.ts'
import { findReturnTarget, type ReturnTarget, withReturn } from './return-target.ts'

type LogInServices = PageOrgServices &
  PageSessionServices &
  PasswordServices & { readonly withFaults: WithPageFaults }

const PATH = '/login'

/** How long a log-in form is valid, in seconds. */
const FORM_LIFE = 60 * 60

/** One text whatever is wrong: different ones would reveal which users exist. */
const WRONG =
  'Username or password is wrong. After too many wrong passwords nobody gets in from here for 15 minutes.'

/** More is shown only where the password was right. */
const PROBLEMS: Readonly<Record<LogInRefusal, string>> = {
  refused: WRONG,
  locked: WRONG,
  inactive: 'This user is not active. Ask your administrator.',
}

async function makeFormReply(
  services: LogInServices,
  context: PageContext,
  next: ReturnTarget,
  { username, problem }: { readonly username: string; readonly problem?: string },
): Promise<PageReply> {
  const org = await findPageOrg(services, context, next.target?.app.org)
  const known = context.cookies.get(LOGIN_COOKIE)
  const cookie = known ?? randomBytes(24).toString('base64url')
  const secure = isSecure(services.config)
  return {
    status: problem === undefined ? 200 : 400,
    html: loginPage({
      orgName: org.name,
      appName: next.target?.app.name,
      username,
      returnTo: next.path,
      csrf: makeCsrfToken(cookie),
      problem,
    }),
    formSource: next.formSource,
    cookies: [setCookie(LOGIN_COOKIE, cookie, { secure, maxAge: FORM_LIFE })],
  }
}

/** The log-in form; without a page to return to, the account of the user who is logged in already. */
const showLogIn =
  (services: LogInServices): PageHandler =>
  async (context) => {
    const { query } = context
    const next = await findReturnTarget(services, context, query)
    const session = query.has('retURL') ? undefined : await findPageSession(services, context)
    if (session === undefined) {
      const username = next.loginHint.slice(0, 200)
      const org = await findPageOrg(services, context, next.target?.app.org)
      const pageRequest = { route: PATH, org, app: next.target?.app, username } as const
      return services.withFaults(context, pageRequest, () =>
        makeFormReply(services, context, next, { username }),
      )
    }
    const { org, user } = session
    return {
      status: 200,
      html: accountPage({ orgName: org.name, username: user.username, name: user.name }),
    }
  }

/** Logs in, always with a new session: one that somebody else has put into the browser is not used. */
const logIn =
  (services: LogInServices): PageHandler =>
  async (context) => {
    const { form, cookies } = context
    checkCsrf(context, cookies.get(LOGIN_COOKIE))
    const next = await findReturnTarget(services, context, form)
    const org = await findPageOrg(services, context, next.target?.app.org)
    const username = (form.get('username') ?? '').trim()
    const pageRequest = { route: PATH, org, app: next.target?.app, username } as const
    return services.withFaults(context, pageRequest, () => checkLogIn(services, context, next, org, username))
  }

async function checkLogIn(
  services: LogInServices,
  context: PageContext,
  next: ReturnTarget,
  org: Org,
  username: string,
): Promise<PageReply> {
  const { form, cookies } = context
  const { reserved, clock, config } = services
  const password = form.get('password') ?? ''
  const found = await checkPagePassword(services, context, org, username, password)
  const refuse = (reason: LogInRefusal) =>
    makeFormReply(services, context, next, { username: username.slice(0, 200), problem: PROBLEMS[reason] })
  if (found.refusal !== undefined) return refuse(found.refusal)
  const before = cookies.get(SESSION_COOKIE)
  if (before !== undefined) await endBrowserSession(reserved, before)
  const token = await beginBrowserSession(reserved, clock, org, found)
  if (token === undefined) return refuse('refused')
  const secure = isSecure(config)
  return redirect(found.mustChange ? withReturn('/change-password', next.path) : next.path, [
    setCookie(SESSION_COOKIE, token, { secure }),
    setCookie(LOGIN_COOKIE, '', { secure, maxAge: 0 }),
  ])
}

export const makeLogInPage = (services: LogInServices): Page => ({
  url: PATH,
  get: showLogIn(services),
  post: logIn(services),
})
