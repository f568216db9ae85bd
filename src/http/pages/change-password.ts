import type { BrowserSession } from '../../auth/browser-sessions.ts'
import {
  changePasswordPage,
  type PasswordField,
  passwordChangedPage,
} from '../../auth/pages/change-password-page.ts'
import { makeCsrfToken } from '../../auth/pages/csrf.ts'
import { passwordProblem } from '../../auth/password-rules.ts'
import { setPassword } from '../../auth/passwords.ts'
import { checkCsrf } from './check-form.ts'
import { checkLogIn } from './check-log-in.ts'
import { SESSION_COOKIE } from './cookies.ts'
import { goTo, type PageHandler, type PageReply, type PageVisit, sessionOf } from './page-visit.ts'
import { type ReturnTarget, returnTargetOf, withReturn } from './return-target.ts'

interface Problem {
  readonly field: PasswordField
  readonly message: string
}

function formReply(
  visit: PageVisit,
  session: BrowserSession,
  next: ReturnTarget,
  problem?: Problem,
): PageReply {
  return {
    status: problem === undefined ? 200 : 400,
    html: changePasswordPage({
      orgName: session.org.name,
      username: session.user.username,
      returnTo: next.path,
      csrf: makeCsrfToken(visit.cookies.get(SESSION_COOKIE)!),
      isForced: session.mustChange,
      problem,
    }),
    formSource: next.formSource,
  }
}

/** Back here after the log-in. */
const logInFirst = (next: ReturnTarget) =>
  goTo(withReturn('/login', withReturn('/change-password', next.path)))

export const showChangePassword: PageHandler = async (visit) => {
  const next = await returnTargetOf(visit, visit.query)
  const session = await sessionOf(visit)
  return session === undefined ? logInFirst(next) : formReply(visit, session, next)
}

function problemWith(form: URLSearchParams, { user }: BrowserSession): Problem | undefined {
  const [current, password, again] = ['current', 'password', 'again'].map((name) => form.get(name) ?? '')
  const message = passwordProblem(password!, user.username)
  if (message !== undefined) return { field: 'password', message }
  if (password !== again) return { field: 'again', message: 'The new passwords are not the same.' }
  if (password === current) return { field: 'password', message: 'The new password is the current one.' }
  return undefined
}

/** Who sits in front of a browser that is logged in need not be its user: the current password is needed. */
export const changePassword: PageHandler = async (visit) => {
  const { house, form, cookies } = visit
  const { reserved: db, clock } = house
  const next = await returnTargetOf(visit, form)
  const session = await sessionOf(visit)
  if (session === undefined) return logInFirst(next)
  checkCsrf(visit, cookies.get(SESSION_COOKIE))
  const { org, user, tokenHash } = session
  const found = await checkLogIn(visit, org, user.username, form.get('current') ?? '')
  if (found.refusal !== undefined) {
    const message =
      found.refusal === 'locked'
        ? 'Too many wrong passwords. Wait 15 minutes, then try again.'
        : 'The current password is wrong.'
    return formReply(visit, session, next, { field: 'current', message })
  }
  const problem = problemWith(form, session)
  if (problem !== undefined) return formReply(visit, session, next, problem)
  const kept = { browserSessions: [tokenHash] }
  await setPassword(db, org, user.id, form.get('password')!, clock, { kept })
  house.sessions.expectRevocations()
  if (session.mustChange) return goTo(next.path)
  return { status: 200, html: passwordChangedPage(org.name, next.path) }
}
