import type { BrowserSession } from '../../auth/authorize/browser-sessions.ts'
import {
  changePasswordPage,
  type PasswordField,
  passwordChangedPage,
} from '../../auth/pages/change-password-page.ts'
import { makeCsrfToken } from '../../auth/pages/csrf.ts'
import type { Sessions } from '../../auth/tokens/sessions.ts'
import { findPasswordProblem } from '../../auth/users/password-rules.ts'
import { setPassword } from '../../auth/users/passwords.ts'
import { checkCsrf } from './check-form.ts'
import { checkPagePassword, type PasswordServices } from './check-password.ts'
import {
  findLogIn,
  type Page,
  type PageHandler,
  type PageOrgServices,
  type PageReply,
  type PageSession,
  type PageSessionServices,
  redirect,
} from './page-context.ts'
import { findReturnTarget, type ReturnTarget, withReturn } from './return-target.ts'

interface PasswordChangeServices extends PageOrgServices, PageSessionServices, PasswordServices {
  readonly sessions: Sessions
}

interface Problem {
  readonly field: PasswordField
  readonly message: string
}

function makeFormReply(session: PageSession, next: ReturnTarget, problem?: Problem): PageReply {
  return {
    status: problem === undefined ? 200 : 400,
    html: changePasswordPage({
      orgName: session.org.name,
      username: session.user.username,
      returnTo: next.path,
      csrf: makeCsrfToken(session.cookie),
      isForced: session.mustChange,
      problem,
    }),
    formSource: next.formSource,
  }
}

/** The log-in leads back here. */
const logInFirst = (next: ReturnTarget) =>
  redirect(withReturn('/login', withReturn('/change-password', next.path)))

const showPasswordChange =
  (services: PasswordChangeServices): PageHandler =>
  async (context) => {
    const next = await findReturnTarget(services, context, context.query)
    const session = await findLogIn(services, context)
    return session === undefined ? logInFirst(next) : makeFormReply(session, next)
  }

function findProblem(form: URLSearchParams, { user }: BrowserSession): Problem | undefined {
  const [current, password, again] = ['current', 'password', 'again'].map((name) => form.get(name) ?? '')
  const message = findPasswordProblem(password!, user.username)
  if (message !== undefined) return { field: 'password', message }
  if (password !== again) return { field: 'again', message: 'The new passwords are not the same.' }
  if (password === current) return { field: 'password', message: 'The new password is the current one.' }
  return undefined
}

/** The person in front of a logged-in browser may be another one: the current password is needed. */
const changePassword =
  (services: PasswordChangeServices): PageHandler =>
  async (context) => {
    const { form } = context
    const { reserved, clock, sessions } = services
    const next = await findReturnTarget(services, context, form)
    const session = await findLogIn(services, context)
    if (session === undefined) return logInFirst(next)
    checkCsrf(context, session.cookie)
    const { org, user, tokenHash } = session
    const current = form.get('current') ?? ''
    const found = await checkPagePassword(services, context, org, user.username, current)
    if (found.refusal !== undefined) {
      const message =
        found.refusal === 'locked'
          ? 'Too many wrong passwords. Wait 15 minutes, then try again.'
          : 'The current password is wrong.'
      return makeFormReply(session, next, { field: 'current', message })
    }
    const problem = findProblem(form, session)
    if (problem !== undefined) return makeFormReply(session, next, problem)
    const kept = { browserSessions: [tokenHash] }
    await setPassword(reserved, org, user.id, form.get('password') ?? '', clock, { kept })
    sessions.expectRevocations()
    if (session.mustChange) return redirect(next.path)
    return { status: 200, html: passwordChangedPage(org.name, next.path) }
  }

export const makePasswordChangePage = (services: PasswordChangeServices): Page => ({
  url: '/change-password',
  get: showPasswordChange(services),
  post: changePassword(services),
})
