import { randomBytes } from 'node:crypto'
import { beginBrowserSession, endBrowserSession } from '../../auth/browser-sessions.ts'
import type { LogInRefusal } from '../../auth/log-in.ts'
import { makeCsrfToken } from '../../auth/pages/csrf.ts'
import { accountPage, loginPage } from '../../auth/pages/login-page.ts'
import { checkCsrf } from './check-form.ts'
import { checkLogIn } from './check-log-in.ts'
import { LOGIN_COOKIE, SESSION_COOKIE, setCookie } from './cookies.ts'
import {
  goTo,
  isSecure,
  orgOfPage,
  type PageHandler,
  type PageReply,
  type PageVisit,
  sessionOf,
} from './page-visit.ts'
import { type ReturnTarget, returnTargetOf, withReturn } from './return-target.ts'

/** How long a log-in form may stand open, in seconds. */
const FORM_LIFE = 60 * 60

/** One text for all that may be wrong: another one would tell whom there is. */
const WRONG =
  'Username or password is wrong. After too many wrong passwords nobody gets in from here for 15 minutes.'

/** Only who knows the password is told more. */
const PROBLEMS: Readonly<Record<LogInRefusal, string>> = {
  refused: WRONG,
  locked: WRONG,
  inactive: 'This user is not active. Ask your administrator.',
}

async function formReply(
  visit: PageVisit,
  next: ReturnTarget,
  { username, problem }: { readonly username: string; readonly problem?: string },
): Promise<PageReply> {
  const org = await orgOfPage(visit, next.target?.app.org)
  const known = visit.cookies.get(LOGIN_COOKIE)
  const cookie = known ?? randomBytes(24).toString('base64url')
  const secure = isSecure(visit.house)
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

/** The log-in form; without somewhere to go on to, who is logged in already. */
export const showLogin: PageHandler = async (visit) => {
  const next = await returnTargetOf(visit, visit.query)
  const session = visit.query.has('retURL') ? undefined : await sessionOf(visit)
  if (session === undefined) return formReply(visit, next, { username: next.loginHint.slice(0, 200) })
  const { org, user } = session
  return {
    status: 200,
    html: accountPage({ orgName: org.name, username: user.username, name: user.name }),
  }
}

/** Logs in: always with a new session, so that one that somebody else has put into the browser is worth nothing. */
export const logIn: PageHandler = async (visit) => {
  const { house, form, cookies } = visit
  checkCsrf(visit, cookies.get(LOGIN_COOKIE))
  const { reserved: db, clock } = house
  const next = await returnTargetOf(visit, form)
  const org = await orgOfPage(visit, next.target?.app.org)
  const username = (form.get('username') ?? '').trim()
  const found = await checkLogIn(visit, org, username, form.get('password') ?? '')
  if (found.refusal !== undefined) {
    return formReply(visit, next, { username: username.slice(0, 200), problem: PROBLEMS[found.refusal] })
  }
  const before = cookies.get(SESSION_COOKIE)
  if (before !== undefined) await endBrowserSession(db, before)
  const token = await beginBrowserSession(db, clock, org, found.user.id)
  const secure = isSecure(house)
  return goTo(found.mustChange ? withReturn('/change-password', next.path) : next.path, [
    setCookie(SESSION_COOKIE, token, { secure }),
    setCookie(LOGIN_COOKIE, '', { secure, maxAge: 0 }),
  ])
}
