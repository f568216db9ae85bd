import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sql } from '../../src/base/sql.ts'
import { fetchRecords } from '../support/ask.ts'
import {
  type Browser,
  type BrowserClient,
  openBrowser,
  openBrowserClient,
  PASSWORD,
  pkce,
  type Shown,
  USERNAME,
} from '../support/browser-client.ts'
import { assertOAuthError, postForm } from '../support/oauth.ts'
import { makeAnswer, openOrg, type TestOrg } from '../support/org.ts'

/* How the console signs its users in. (docs/reference/api/tokens.md#the-console) */

const SCOPES = 'api web openid refresh_token'

let now = new Date()
let o: BrowserClient
let origin: string
let dev: BrowserClient

before(async () => {
  o = await openBrowserClient({ clock: () => now })
  origin = `http://${o.host}`
  dev = await openBrowserClient({ settings: { consoleOrigin: 'http://localhost:5173' } })
})

const later = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1000)
}

type Parameters = Readonly<Record<string, string | undefined>>

interface Asked {
  readonly address: string
  readonly verifier: string
  readonly redirectUri: string
}

function ask(parameters: Parameters = {}, at = origin): Asked {
  const { verifier, challenge } = pkce()
  const redirectUri = parameters.redirect_uri ?? `${at}/console/callback`
  const all = {
    response_type: 'code',
    client_id: 'ObjectryConsole',
    redirect_uri: redirectUri,
    scope: SCOPES,
    state: 'a state',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...parameters,
  }
  const given = Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return { address: `/services/oauth2/authorize?${new URLSearchParams(given)}`, verifier, redirectUri }
}

const reported = ({ location }: Shown) => Object.fromEntries(new URL(location!).searchParams)

async function loggedIn(from = o): Promise<Browser> {
  const browser = from.open()
  assert.equal((await browser.logIn()).status, 303)
  return browser
}

const exchange = (from: TestOrg, { verifier, redirectUri }: Asked, code: string, host: string) =>
  postForm(
    from,
    'token',
    {
      grant_type: 'authorization_code',
      client_id: 'ObjectryConsole',
      redirect_uri: redirectUri,
      code_verifier: verifier,
      code,
    },
    { host },
  )

const refresh = (from: TestOrg, token: string, host: string) =>
  postForm(
    from,
    'token',
    { grant_type: 'refresh_token', client_id: 'ObjectryConsole', refresh_token: token },
    { host },
  )

/** Tokens of a browser that is logged in, without any page. */
async function signIn(browser: Browser, parameters: Parameters = {}, from = o) {
  const asked = ask({ prompt: 'none', ...parameters }, `http://${from.host}`)
  const answer = await browser.get(asked.address)
  const { code, ...rest } = reported(answer)
  assert.ok(code !== undefined, JSON.stringify(rest))
  const { status, body, text } = await exchange(from, asked, code, from.host)
  assert.equal(status, 200, text)
  return body
}

async function callWith(token: string, from: TestOrg = o, host = o.host) {
  const headers = { host, authorization: `Bearer ${token}` }
  const url = '/services/data/v66.0/query?q=SELECT+Name+FROM+Organization'
  return makeAnswer(await from.server.inject({ method: 'GET', url, headers }))
}

const statusWith = async (token: string) => (await callWith(token)).status

const setApp = async (values: object, clientId = 'ObjectryConsole') => {
  const [app] = await fetchRecords(o, `SELECT Id FROM ConnectedApplication WHERE ConsumerKey = '${clientId}'`)
  const { status, text } = await o.call('PATCH', `/sobjects/ConnectedApplication/${app!.Id}`, {
    body: values,
  })
  assert.equal(status, 204, text)
}

describe('the console', () => {
  test('is an app of every org, and gets a code after the log-in without a question', async () => {
    const browser = o.open()
    const asked = ask()
    const first = await browser.get(asked.address)
    assert.match(first.location!, /^\/login\?retURL=/)
    const login = await browser.get(first.location!)
    assert.match(login.text, /to continue to <strong>Objectry Console<\/strong>/)
    const next = await browser.submit(login, { username: USERNAME, password: PASSWORD })
    const answer = await browser.get(next.location!)
    assert.ok(answer.location!.startsWith(`${origin}/console/callback?code=`), answer.location)
    const { code, state } = reported(answer)
    assert.equal(state, 'a state')
    const { body } = await exchange(o, asked, code!, o.host)
    assert.equal(body.scope, SCOPES)
    assert.equal(await statusWith(body.access_token), 200)
  })

  test('is refused without a code challenge, with another verifier, and another scope', async () => {
    const browser = await loggedIn()
    const bare = await browser.get(
      ask({ code_challenge: undefined, code_challenge_method: undefined }).address,
    )
    assert.equal(reported(bare).error, 'invalid_request')
    const asked = ask()
    const { code } = reported(await browser.get(asked.address))
    const wrong = await exchange(o, { ...asked, verifier: pkce().verifier }, code!, o.host)
    assert.equal(wrong.status, 400)
    assert.equal(reported(await browser.get(ask({ scope: 'full' }).address)).error, 'invalid_scope')
  })

  test('is sent to its own address only, letter by letter', async () => {
    const browser = await loggedIn()
    for (const redirect_uri of [
      'https://elsewhere.example/console/callback',
      `${origin}/console/callback/`,
      `${origin}/console/callback?x=1`,
      `${origin}/console/`,
      `${origin}/Console/callback`,
      `http://${o.host}:81/console/callback`,
      'http://localhost:5173/console/callback',
    ]) {
      const shown = await browser.get(ask({ redirect_uri }).address)
      assert.deepEqual([shown.status, shown.location], [400, undefined], redirect_uri)
      assert.match(shown.text, /redirect_uri_mismatch/)
    }
  })

  test('may sign in at the origin of its development server where the setting names one', async () => {
    const browser = await loggedIn(dev)
    const redirect_uri = 'http://localhost:5173/console/callback'
    const body = await signIn(browser, { redirect_uri }, dev)
    assert.equal((await callWith(body.access_token, dev, dev.host)).status, 200)
  })

  test('signs in silently by the browser session, and learns that there is none', async () => {
    const silent = await o.open().get(ask({ prompt: 'none' }).address)
    assert.deepEqual(reported(silent), {
      error: 'immediate_unsuccessful',
      error_description: 'the user has to be asked',
      state: 'a state',
    })
    const { access_token } = await signIn(await loggedIn())
    assert.equal(await statusWith(access_token), 200)
  })

  test('renews its token, each refresh token once', async () => {
    const { refresh_token } = await signIn(await loggedIn())
    const next = await refresh(o, refresh_token, o.host)
    assert.equal(next.status, 200, next.text)
    assert.ok(next.body.refresh_token && next.body.refresh_token !== refresh_token)
    assert.equal(await statusWith(next.body.access_token), 200)
    const { access_token: another } = await signIn(await loggedIn())
    assertOAuthError(await refresh(o, another, o.host), 'invalid_grant', 'expired access/refresh token')
  })

  test('is signed out in all windows of a browser by the log-out, and by revoking a refresh token', async () => {
    const [browser, other] = [await loggedIn(), await loggedIn()]
    const [first, second, elsewhere] = [await signIn(browser), await signIn(browser), await signIn(other)]
    assert.equal((await browser.submit(await browser.get('/logout'))).status, 303)
    for (const { access_token, refresh_token } of [first, second]) {
      assert.equal(await statusWith(access_token), 401)
      assert.equal((await refresh(o, refresh_token, o.host)).status, 400)
    }
    const again = await signIn(other)
    assert.equal(await statusWith(elsewhere.access_token), 200)
    await postForm(o, 'revoke', { token: elsewhere.refresh_token })
    assert.equal(await statusWith(again.access_token), 401)
  })

  const askAccess = (token: string) =>
    postForm(o, 'singleaccess', { access_token: token, redirect_uri: '/console/' }, { host: o.host })

  /** A browser that a token opens. */
  async function enter(token: string) {
    const { body, text } = await askAccess(token)
    assert.ok(body.frontdoor_uri, text)
    const browser = o.open()
    const { pathname, search } = new URL(body.frontdoor_uri)
    assert.equal((await browser.get(pathname + search)).location, '/console/')
    return browser
  }

  async function issue(scopes: readonly string[] = ['api', 'web'], idleSeconds?: number) {
    const clientId = await o.app({ scopes: ['api', 'web'] })
    const given = { org: o.org, clientId, userId: o.userId, scopes, grantType: 'test', idleSeconds }
    return { token: await o.services.sessions.issue(given), clientId }
  }

  /** The token of a console in a browser that a token opened, which may open another one in turn. */
  const openConsole = async (token: string): Promise<string> =>
    (await signIn(await enter(token), { scope: 'api web' })).access_token

  async function openLine(root: string, length: number): Promise<string[]> {
    const tokens = [root]
    while (tokens.length < length) tokens.push(await openConsole(tokens.at(-1)!))
    return tokens
  }

  const statusesWith = (tokens: readonly string[]) => Promise.all(tokens.map(statusWith))

  test('ends with every token above it: revoked, its app blocked or expired', async () => {
    const { token, clientId } = await issue()
    const [, second, third, fourth] = await openLine(token, 4)
    const beside = await openConsole(token)
    assert.deepEqual(await statusesWith([token, second!, third!, fourth!, beside]), [200, 200, 200, 200, 200])
    await postForm(o, 'revoke', { token: second! })
    assert.deepEqual(await statusesWith([token, second!, third!, fourth!, beside]), [200, 401, 401, 401, 200])
    await setApp({ IsBlocked: true }, clientId)
    assert.deepEqual(await statusesWith([token, beside]), [401, 401])

    const short = await openLine((await issue(['api', 'web'], 2)).token, 3)
    assert.deepEqual(await statusesWith(short), [200, 200, 200])
    later(1.5)
    // The use of a child does not prolong its parents.
    assert.deepEqual(await statusesWith(short.slice(1)), [200, 200])
    later(1)
    assert.deepEqual(await statusesWith(short), [401, 401, 401])
  })

  test('is given no token for a code when the token that opened the browser, or the browser, ended before', async () => {
    const ends = [
      (token: string) => postForm(o, 'revoke', { token }),
      async (_token: string, browser: Browser) => browser.submit(await browser.get('/logout')),
    ]
    for (const end of ends) {
      const { token } = await issue()
      const browser = await enter(token)
      const asked = ask({ scope: 'api web' })
      const { code } = reported(await browser.get(asked.address))
      assert.ok(code !== undefined)
      await end(token, browser)
      assert.equal((await exchange(o, asked, code, o.host)).status, 400)
    }
  })

  test('is opened by no token that ten others stand above', async () => {
    const line = await openLine((await issue()).token, 11)
    assert.deepEqual((await askAccess(line.at(-1)!)).text, 'Bad_OAuth_Token')
    assert.equal((await askAccess(line.at(-2)!)).status, 200)
    await postForm(o, 'revoke', { token: line[0]! })
    assert.equal(await statusWith(line.at(-1)!), 401)
  })

  test('in a browser that a token opened has the scopes of the token, no refresh token, and ends with it', async () => {
    const open = async (scopes: readonly string[]) => {
      const { token } = await issue(scopes)
      return { browser: await enter(token), token }
    }
    const { browser, token } = await open(['api', 'web'])
    const body = await signIn(browser, { scope: 'api web refresh_token' })
    assert.deepEqual([body.scope, body.refresh_token], ['api web', undefined])
    assert.equal(await statusWith(body.access_token), 200)
    await postForm(o, 'revoke', { token })
    assert.equal(await statusWith(body.access_token), 401)
    const few = await open(['web'])
    assert.equal(
      reported(await few.browser.get(ask({ scope: 'api web', prompt: 'none' }).address)).error,
      'immediate_unsuccessful',
    )
  })

  test('is an app that an administrator can block, leave to some, and list', async () => {
    const { refresh_token, access_token } = await signIn(await loggedIn())
    const { body } = await o.call('GET', '/setup/orgs/current/apps')
    assert.deepEqual(
      body
        .map(({ clientId, isPublic }: { clientId: string; isPublic: boolean }) => [clientId, isPublic])
        .filter(([clientId]: [string]) => clientId === 'ObjectryConsole'),
      [['ObjectryConsole', true]],
    )
    await setApp({ PermittedUsers: 'AdminApproved' })
    assert.equal(reported(await (await loggedIn()).get(ask().address)).error, 'OAUTH_APP_ACCESS_DENIED')
    await setApp({ PermittedUsers: 'SelfAuthorize', IsBlocked: true })
    assert.equal(await statusWith(access_token), 401)
    assert.equal(reported(await (await loggedIn()).get(ask().address)).error, 'OAUTH_APP_BLOCKED')
    assert.equal((await refresh(o, refresh_token, o.host)).status, 400)
    await setApp({ IsBlocked: false })
  })

  test('has a client id that no other app may have', async () => {
    const sent = { Name: 'Mine', ConsumerKey: 'ObjectryConsole' }
    const { status, body } = await dev.call('POST', '/sobjects/ConnectedApplication', { body: sent })
    assert.deepEqual([status, body[0].errorCode], [400, 'DUPLICATE_VALUE'])
  })
})

describe('the org that the console opens', () => {
  test('is that which the address names by name or id, at a host that is no org’s own', async () => {
    const { org } = await openOrg()
    await o.db.query(sql`update objectry.org set name = ${`Named ${org.id}`} where id = ${org.id}`)
    const at = 'http://records.example'
    for (const named of [`named ${org.id}`, org.id, org.id.slice(0, 15)]) {
      const browser = openBrowser(o, 'records.example')
      const asked = ask({ org: named }, at)
      const first = await browser.get(asked.address)
      assert.equal(first.status, 303, first.text)
      const login = await browser.get(first.location!)
      assert.match(login.text, new RegExp(`Named ${org.id}`), named)
    }
    const unknown = await openBrowser(o, 'records.example').get(ask({ org: 'nowhere' }, at).address)
    assert.deepEqual([unknown.status, /invalid_org/.test(unknown.text)], [400, true])
    const odd = await openBrowser(o, 'records.example').get(ask({ org: 'a\0b' }, at).address)
    assert.equal(odd.status, 400)
  })

  test('is at an org’s own host that org alone', async () => {
    const elsewhere = await o.open().get(ask({ org: dev.org.id }).address)
    assert.deepEqual([elsewhere.status, /invalid_client_id/.test(elsewhere.text)], [400, true])
    assert.equal((await o.open().get(ask({ org: o.org.id }).address)).status, 303)
  })
})
