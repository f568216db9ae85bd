import { logOut } from '../../auth/authorize/browser-sessions.ts'
import { makeCsrfToken } from '../../auth/pages/csrf.ts'
import { loggedOutPage, logoutPage } from '../../auth/pages/logout-page.ts'
import type { Sessions } from '../../auth/tokens/sessions.ts'
import type { Config } from '../../config/config.ts'
import { checkCsrf } from './check-form.ts'
import { SESSION_COOKIE, setCookie } from './cookies.ts'
import {
  findPageSession,
  isSecure,
  type Page,
  type PageHandler,
  type PageSessionServices,
  redirect,
} from './page-context.ts'

interface LogOutServices extends PageSessionServices {
  readonly config: Pick<Config, 'publicUrl'>
  readonly sessions: Sessions
}

/** A button: if an address alone logged users out, any picture on any page could. */
const showLogOut =
  (services: LogOutServices): PageHandler =>
  async (context) => {
    const session = await findPageSession(services, context)
    if (session === undefined) return { status: 200, html: loggedOutPage() }
    const { username } = session.user
    const csrf = makeCsrfToken(session.cookie)
    return { status: 200, html: logoutPage({ orgName: session.org.name, username, csrf }) }
  }

const answerLogOut =
  ({ reserved, config, sessions }: LogOutServices): PageHandler =>
  async (context) => {
    const token = context.cookies.get(SESSION_COOKIE)
    if (token !== undefined) {
      checkCsrf(context, token)
      await logOut(reserved, token)
      sessions.expectRevocations()
    }
    return redirect('/logout', [setCookie(SESSION_COOKIE, '', { secure: isSecure(config), maxAge: 0 })])
  }

export const makeLogOutPage = (services: LogOutServices): Page => ({
  url: '/logout',
  get: showLogOut(services),
  post: answerLogOut(services),
})
