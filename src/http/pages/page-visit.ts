import { type BrowserSession, findBrowserSession } from '../../auth/browser-sessions.ts'
import type { Html } from '../../base/html.ts'
import type { Org } from '../../storage/org.ts'
import { findOrg, loadOrgs } from '../../storage/orgs.ts'
import type { House, Visit } from '../visit.ts'
import { cookiesOf, SESSION_COOKIE } from './cookies.ts'

/** A browser that asks for a page or sends a form. */
export interface PageVisit extends Pick<Visit, 'house' | 'request' | 'query' | 'origin'> {
  /** What a form sent; empty when there was none. */
  readonly form: URLSearchParams
  readonly cookies: ReadonlyMap<string, string>
}

/** What a browser gets: a page, or the way to another one. */
export interface PageReply {
  readonly status: number
  readonly html?: Html
  readonly location?: string
  /** Values of `Set-Cookie`. */
  readonly cookies?: readonly string[]
  /** Where a form of this page may lead beside this server, as the policy names it. */
  readonly formSource?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
}

export type PageHandler = (visit: PageVisit) => Promise<PageReply>

export function openPageVisit(visit: Visit): PageVisit {
  const { house, request, query, origin, bytes } = visit
  const form = new URLSearchParams(bytes.toString('utf8'))
  return { house, request, query, origin, form, cookies: cookiesOf(request.headers.cookie, isSecure(house)) }
}

/** Another page; after a form always asked for with GET. */
export const goTo = (location: string, cookies: readonly string[] = []): PageReply => ({
  status: 303,
  location,
  cookies,
})

/** The id of the org that alone is reached under the host of this visit. */
export async function hostOwner({ house, request }: PageVisit): Promise<string | undefined> {
  const hosts = await house.hosts.all()
  return hosts.get(request.hostname.replace(/:\d+$/, '').toLowerCase())
}

/** The org whose page it is: that of the host, else that of the app, else the first one. */
export async function orgOfPage(visit: PageVisit, appOrg?: Org): Promise<Org> {
  const { db } = visit.house
  const owner = await hostOwner(visit)
  const found = owner === undefined ? appOrg : await findOrg(db, owner)
  return found ?? (await loadOrgs(db))[0]!
}

/** Who is logged in here; a host that is one org's own opens no other. */
export async function sessionOf(visit: PageVisit): Promise<BrowserSession | undefined> {
  const { reserved: db, clock } = visit.house
  const token = visit.cookies.get(SESSION_COOKIE)
  if (token === undefined) return undefined
  const session = await findBrowserSession(db, clock, token)
  const owner = await hostOwner(visit)
  return owner === undefined || owner === session?.org.id ? session : undefined
}

/** Cookies travel in the clear only where the server itself is reached so. */
export const isSecure = ({ config }: House) => config.publicUrl?.startsWith('https:') === true
