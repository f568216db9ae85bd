import type { FastifyRequest } from 'fastify'
import { type BrowserSession, findBrowserSession } from '../../auth/authorize/browser-sessions.ts'
import type { Html } from '../../auth/pages/html.ts'
import type { Clock } from '../../base/clock.ts'
import type { Config } from '../../config/config.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { OrgClocks } from '../../storage/orgs/org-clocks.ts'
import type { OrgHosts } from '../../storage/orgs/org-hosts.ts'
import { findOrg, loadFirstOrg } from '../../storage/orgs/orgs.ts'
import type { HttpContext } from '../pipeline/http-context.ts'
import { findHostOwner } from '../request/org-host.ts'
import { parseCookies, SESSION_COOKIE } from './cookies.ts'

/** A browser that asks for a page or sends a form. */
export interface PageContext {
  readonly request: FastifyRequest
  /** Where clients reach this server. */
  readonly origin: string
  readonly query: URLSearchParams
  /** The fields of a form; empty when there is none. */
  readonly form: URLSearchParams
  readonly cookies: ReadonlyMap<string, string>
}

/** Reply to a browser: a page, or a redirect. */
export interface PageReply {
  readonly status: number
  readonly html?: Html
  readonly location?: string
  /** Values of `Set-Cookie`. */
  readonly cookies?: readonly string[]
  /** Where a form of this page may lead beside this server, as the policy names it. */
  readonly formSource?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The connection is cut instead: a fault plan says so. */
  readonly isCut?: boolean
}

export type PageHandler = (context: PageContext) => Promise<PageReply>

/** One address for people: the page that a browser gets, and the handling of the form that it sends. */
export interface Page {
  readonly url: string
  readonly get: PageHandler
  readonly post: PageHandler
  /** A form may come from another site too; the handler checks which. */
  readonly takesForeignForms?: boolean
}

type PublicUrl = Pick<Config, 'publicUrl'>

export function makePageContext(
  config: PublicUrl,
  { request, origin, query, bytes }: HttpContext,
): PageContext {
  const form = new URLSearchParams(bytes.toString('utf8'))
  return { request, origin, query, form, cookies: parseCookies(request.headers.cookie, isSecure(config)) }
}

/** Another page; after a form always loaded with GET. */
export const redirect = (location: string, cookies: readonly string[] = []): PageReply => ({
  status: 303,
  location,
  cookies,
})

export interface PageOrgServices {
  readonly db: Db
  readonly hosts: OrgHosts
}

/** The org whose page it is: that of the host, else that of the app, else the first one. */
export async function findPageOrg(
  { db, hosts }: PageOrgServices,
  { request }: PageContext,
  appOrg?: Org,
): Promise<Org> {
  const owner = await findHostOwner({ hosts }, request)
  const found = owner === undefined ? appOrg : await findOrg(db, owner)
  return found ?? (await loadFirstOrg(db))!
}

export interface PageSessionServices {
  readonly reserved: Db
  readonly clock: Clock
  readonly clocks: OrgClocks
  readonly hosts: OrgHosts
}

/** A browser session with the cookie that names it, which forms are bound to. */
export interface PageSession extends BrowserSession {
  readonly cookie: string
}

/** Who is logged in here; a host that is one org's own accepts no sessions of others. */
export async function findPageSession(
  { reserved, clock, clocks, hosts }: PageSessionServices,
  { cookies, request }: PageContext,
): Promise<PageSession | undefined> {
  const cookie = cookies.get(SESSION_COOKIE)
  if (cookie === undefined) return undefined
  const session = await findBrowserSession(reserved, clock, clocks.of, cookie)
  const owner = await findHostOwner({ hosts }, request)
  if (session === undefined || (owner !== undefined && owner !== session.org.id)) return undefined
  return { ...session, cookie }
}

/** The same for what needs a log-in: an access token that opened a session cannot become more than it is. */
export async function findLogIn(
  services: PageSessionServices,
  context: PageContext,
): Promise<PageSession | undefined> {
  const session = await findPageSession(services, context)
  return session?.openedBy ? undefined : session
}

/** Cookies are sent in the clear only where the server itself is reached so. */
export const isSecure = ({ publicUrl }: PublicUrl) => publicUrl?.startsWith('https:') === true
