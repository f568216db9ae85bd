import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { createApp, type NewApp } from '../../src/auth/apps/create-app.ts'
import { SecretBox } from '../../src/auth/keys/secret-box.ts'
import { makeClientId } from '../../src/auth/oauth/token-text.ts'
import { setPassword } from '../../src/auth/users/passwords.ts'
import { type Clock, systemClock } from '../../src/base/clock.ts'
import { sql } from '../../src/base/sql.ts'
import { RecordIds } from '../../src/storage/orgs/record-ids.ts'
import { openOrg, type TestOrg } from './org.ts'

/** The password of every user here. */
export const PASSWORD = 'correct horse battery'

export const USERNAME = 'admin@objectry.test'

export const CALLBACK = 'https://app.example.com/callback'

/** An answer to a browser. */
export interface Shown {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>
  readonly text: string
  /** The address to which the browser is sent; undefined if it stays. */
  readonly location: string | undefined
}

/** A browser without a window: it keeps cookies and sends the forms that it was shown. */
export interface Browser {
  readonly cookies: Map<string, string>
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Shown>
  post(
    path: string,
    form: Readonly<Record<string, string>> | string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Shown>
  /** Sends the form of a page with what a person fills in. */
  submit(page: Shown, filled?: Readonly<Record<string, string>>): Promise<Shown>
  /** Logs in by the form. */
  logIn(username?: string, password?: string, returnTo?: string): Promise<Shown>
}

/** An org with a host of its own, an administrator with a password, and apps. */
export interface BrowserClient extends TestOrg {
  readonly host: string
  open(): Browser
  /** A connected app of the org; gives its client id. */
  app(settings?: Partial<NewApp>): Promise<string>
}

interface ClientOptions {
  readonly clock?: Clock
  readonly settings?: NonNullable<Parameters<typeof openOrg>[0]>['settings']
}

const unescapeHtml = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&#96;', '`')
    .replaceAll('&amp;', '&')

/** Names and values of the inputs of a page, as a browser would send them. */
export function readFields({ text }: Shown): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const [tag] of text.matchAll(/<input [^>]*>/g)) {
    const name = /\bname="([^"]*)"/.exec(tag)?.[1]
    if (name !== undefined) {
      fields[unescapeHtml(name)] = unescapeHtml(/\bvalue="([^"]*)"/.exec(tag)?.[1] ?? '')
    }
  }
  return fields
}

/** Where the form of a page leads. */
export function findAction({ text }: Shown): string {
  const action = /<form method="post" action="([^"]*)"/.exec(text)?.[1]
  assert.ok(action !== undefined, text)
  return unescapeHtml(action)
}

/** Returns the text of the element that tells what is wrong, or undefined if nothing is. */
export function alertIn({ text }: Shown): string | undefined {
  const inside = /role="alert"[^>]*>\s*<p[^>]*>([\s\S]*?)<\/p>/.exec(text)?.[1]
  return inside === undefined ? undefined : unescapeHtml(inside)
}

/** A verifier and its challenge. */
export function pkce() {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

export function openBrowser({ server }: TestOrg, host: string): Browser {
  const cookies = new Map<string, string>()

  async function send(
    method: 'GET' | 'POST',
    path: string,
    payload: string | undefined,
    headers: Readonly<Record<string, string>>,
  ): Promise<Shown> {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
    const type = payload === undefined ? undefined : 'application/x-www-form-urlencoded'
    const all = {
      host,
      ...(cookie !== '' && { cookie }),
      ...(type !== undefined && { 'content-type': type }),
      ...headers,
    }
    const response = await server.inject({
      method,
      url: path,
      headers: all,
      ...(payload !== undefined && { payload }),
    })
    for (const { name, value, maxAge } of response.cookies as {
      name: string
      value: string
      maxAge?: number
    }[]) {
      if (maxAge === 0) cookies.delete(name)
      else cookies.set(name, value)
    }
    const { location } = response.headers
    return {
      status: response.statusCode,
      headers: response.headers,
      text: response.body,
      location: location === undefined ? undefined : String(location),
    }
  }

  const browser: Browser = {
    cookies,
    get: (path, headers = {}) => send('GET', path, undefined, headers),
    post: (path, form, headers = {}) =>
      send('POST', path, typeof form === 'string' ? form : new URLSearchParams(form).toString(), headers),
    submit(page, filled = {}) {
      return browser.post(findAction(page), { ...readFields(page), ...filled })
    },
    async logIn(username = USERNAME, password = PASSWORD, returnTo) {
      const query = returnTo === undefined ? '' : `?retURL=${encodeURIComponent(returnTo)}`
      return browser.submit(await browser.get(`/login${query}`), { username, password })
    },
  }
  return browser
}

export async function openBrowserClient({
  clock = systemClock,
  settings,
}: ClientOptions = {}): Promise<BrowserClient> {
  const o = await openOrg({ clock, settings })
  const host = `org-${randomBytes(6).toString('hex')}.localhost`
  await o.db.query(sql`update objectry.org set host = ${host} where id = ${o.org.id}`)
  await setPassword(o.db, o.org, o.userId, PASSWORD, clock, { kept: { accessTokens: await loadTokens(o) } })
  const secrets = new SecretBox(randomBytes(32))
  const ids = new RecordIds(o.org, o.db)
  return {
    ...o,
    host,
    open: () => openBrowser(o, host),
    async app(app = {}) {
      const clientId = makeClientId()
      const usual = { name: 'Report Builder', clientId, callbackUrls: [CALLBACK], scopes: ['api'] }
      await createApp(o.db, secrets, o.org, { ...usual, ...app }, { userId: o.userId, now: clock(), ids })
      return app.clientId ?? clientId
    },
  }
}

/** The token that the org was opened with goes on. */
async function loadTokens({ db, org }: TestOrg): Promise<string[]> {
  const rows = await db.query<{ hash: string }>(
    sql`select token_hash as hash from objectry.session where org_id = ${org.id}`,
  )
  return rows.map(({ hash }) => hash)
}
