import { endBrowserSession } from '../../auth/browser-sessions.ts'
import { makeCsrfToken } from '../../auth/pages/csrf.ts'
import { loggedOutPage, logoutPage } from '../../auth/pages/logout-page.ts'
import { checkCsrf } from './check-form.ts'
import { SESSION_COOKIE, setCookie } from './cookies.ts'
import { goTo, isSecure, type PageHandler, sessionOf } from './page-visit.ts'

/** A button: an address alone logs nobody out, or any picture on any page could. */
export const showLogout: PageHandler = async (visit) => {
  const session = await sessionOf(visit)
  if (session === undefined) return { status: 200, html: loggedOutPage() }
  const csrf = makeCsrfToken(visit.cookies.get(SESSION_COOKIE)!)
  const { username } = session.user
  return { status: 200, html: logoutPage({ orgName: session.org.name, username, csrf }) }
}

export const logOut: PageHandler = async (visit) => {
  const token = visit.cookies.get(SESSION_COOKIE)
  if (token !== undefined) {
    checkCsrf(visit, token)
    await endBrowserSession(visit.house.reserved, token)
  }
  return goTo('/logout', [setCookie(SESSION_COOKIE, '', { secure: isSecure(visit.house), maxAge: 0 })])
}
