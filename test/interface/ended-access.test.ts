import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ending } from '../../src/auth/tokens/access-locks.ts'
import { issueCode } from '../../src/auth/tokens/authorization-codes.ts'
import { revokeFamily, revokeOrg } from '../../src/auth/tokens/revoke.ts'
import { setPassword } from '../../src/auth/users/passwords.ts'
import { systemClock } from '../../src/base/clock.ts'
import { besideCalls } from '../../src/storage/database/connection-guard.ts'
import { dropOrg } from '../../src/storage/orgs/orgs.ts'
import {
  type Browser,
  type BrowserClient,
  CALLBACK,
  openBrowserClient,
  PASSWORD,
  pkce,
} from '../support/browser-client.ts'
import { createUser } from '../support/create-user.ts'
import { onPostgres } from '../support/engine.ts'
import { waitingLocks } from '../support/locked-table.sql.ts'
import { makeApp } from '../support/make-app.ts'
import { askToken, fetchTokens, postForm, statusWith } from '../support/oauth.ts'
import { openOrg } from '../support/org.ts'

/* Access ends while others ask for more of it all the time: nothing that they got lives on. Each of these asks and ends often. */

const ROUNDS = 4
const AT_ONCE = 4

let o: BrowserClient
let users = 0

before(async () => {
  const limits = {
    tokenErrors: '0',
    deviceStarts: '0',
    logInErrors: '0',
    passwordErrors: '0',
    codeErrors: '0',
  }
  o = await openBrowserClient({ settings: { allowPasswordFlow: 'true', ...limits } })
})

const makeUser = async () => {
  const username = `user${users++}`
  const userId = await createUser(o, username)
  await setPassword(o.db, o.org, userId, PASSWORD, systemClock)
  return { userId, username: `${username}@objectry.test` }
}

/** Asks several times at once until access has ended, and once more. */
async function race(asks: readonly (() => Promise<unknown>)[], end: () => Promise<unknown>): Promise<void> {
  let isOver = false
  const ask = async (once: () => Promise<unknown>) => {
    while (!isOver) await once()
  }
  const ending = async () => {
    try {
      await sleep(Math.random() * 40)
      await end()
    } finally {
      isOver = true
    }
  }
  await Promise.all([...asks.map(ask), ending()])
}

const several = <T>(make: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: AT_ONCE }, make))

async function assertRefused(tokens: readonly string[]): Promise<void> {
  assert.ok(tokens.length > 0)
  for (const token of tokens) assert.equal(await statusWith(o, token), 401)
}

const setUser = async (userId: string, IsActive: boolean) => {
  const { status, text } = await o.call('PATCH', `/sobjects/User/${userId}`, { body: { IsActive } })
  assert.equal(status, 204, text)
}

const setBlocked = async (clientId: string, IsBlocked: boolean) => {
  const path = `/sobjects/ConnectedApplication/ConsumerKey/${clientId}`
  const { status, text } = await o.call('PATCH', path, { body: { IsBlocked } })
  assert.equal(status, 200, text)
}

describe('refresh tokens that are replaced all the time', () => {
  /** A family, whose newest token is used until it is refused. */
  async function begin(clientId: string, userId: string) {
    const scopes = ['api', 'refresh_token']
    const client = { client_id: clientId, client_secret: 's' }
    const approval = { clientId, org: o.org, userId, scopes, redirectUri: CALLBACK }
    const code = await issueCode(o.db, systemClock, approval)
    const exchange = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK }
    const first = await fetchTokens(o, { ...exchange, ...client })
    const access: string[] = [first.access_token]
    const refresh: string[] = [first.refresh_token]
    const use = (refresh_token: string) =>
      askToken(o, { grant_type: 'refresh_token', refresh_token, ...client })
    return {
      access,
      refresh,
      use,
      async ask() {
        const { status, body } = await use(refresh.at(-1)!)
        if (status !== 200) return sleep(1)
        access.push(body.access_token)
        if (body.refresh_token !== undefined) refresh.push(body.refresh_token)
      },
    }
  }

  const app = () =>
    makeApp(o, { callbackUrls: [CALLBACK], rotateRefreshTokens: true, scopes: ['api', 'refresh_token'] })

  const ends: readonly [string, (clientId: string, userId: string, first: string) => Promise<unknown>][] = [
    ['the family is revoked', (_clientId, _userId, token) => postForm(o, 'revoke', { token })],
    ['the app is blocked', (clientId) => setBlocked(clientId, true)],
    [
      'the password is set',
      (_clientId, userId) => setPassword(o.db, o.org, userId, 'another battery', systemClock),
    ],
  ]
  for (const [when, end] of ends) {
    test(`are all refused after ${when}`, async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const [clientId, { userId }] = [await app(), await makeUser()]
        const families = await several(() => begin(clientId, userId))
        const asks = families.map(({ ask }) => ask)
        await race(asks, () => Promise.all(families.map(({ refresh }) => end(clientId, userId, refresh[0]!))))
        if (when === 'the app is blocked') await setBlocked(clientId, false)
        o.services.sessions.expectRevocations()
        for (const { access, refresh, use } of families) {
          await assertRefused(access)
          for (const token of refresh) assert.equal((await use(token)).status, 400)
        }
      }
    })
  }
})

test('tokens for an org that a token asks for all the time are all refused after it is revoked', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const grant = { org: o.org, clientId: await makeApp(o), userId: o.userId, scopes: ['api'] }
    const token = await o.services.sessions.issue({ ...grant, grantType: 'test' })
    const headers = { authorization: `Bearer ${token}` }
    const opened: string[] = [token]
    const ask = async () => {
      const { status, body, text } = await o.call('POST', '/setup/orgs/current/token', { headers })
      assert.ok([201, 401].includes(status), text)
      if (status === 201) opened.push(body.token)
    }
    await ask()
    await race(Array(AT_ONCE).fill(ask), () => postForm(o, 'revoke', { token }))
    assert.ok(opened.length > 1)
    await assertRefused(opened)
  }
})

describe('client credentials', () => {
  const ends: readonly [string, (clientId: string, userId: string) => Promise<unknown>][] = [
    ['the app is blocked', (clientId) => setBlocked(clientId, true)],
    ['the user is deactivated', (_clientId, userId) => setUser(userId, false)],
    [
      'the app is deleted',
      (clientId) => o.call('DELETE', `/sobjects/ConnectedApplication/ConsumerKey/${clientId}`),
    ],
  ]
  for (const [when, end] of ends) {
    test(`give no token that lives on after ${when}`, async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const { userId } = await makeUser()
        const clientId = await makeApp(o, { enableClientCredentials: true, runAsUserId: userId })
        const tokens: string[] = []
        const ask = async () => {
          const grant_type = 'client_credentials'
          const { status, body } = await askToken(o, { grant_type, client_id: clientId, client_secret: 's' })
          if (status === 200) tokens.push(body.access_token)
          else await sleep(1)
        }
        await race(
          Array.from({ length: AT_ONCE }, () => ask),
          () => end(clientId, userId),
        )
        if (when === 'the app is blocked') await setBlocked(clientId, false)
        if (when === 'the user is deactivated') await setUser(userId, true)
        await assertRefused(tokens)
      }
    })
  }
})

describe('a browser', () => {
  const { challenge, verifier } = pkce()
  const redirectUri = () => `http://${o.host}/console/callback`
  const client = () => ({ client_id: 'ObjectryConsole', redirect_uri: redirectUri() })

  const loggedIn = async (username: string, password = PASSWORD): Promise<Browser> => {
    const browser = o.open()
    assert.equal((await browser.logIn(username, password)).status, 303)
    return browser
  }

  async function askForCode(browser: Browser): Promise<string | undefined> {
    const scope = 'api web openid refresh_token'
    const pkceOf = { code_challenge: challenge, code_challenge_method: 'S256' }
    const query = new URLSearchParams({ response_type: 'code', scope, ...client(), ...pkceOf })
    const { location } = await browser.get(`/services/oauth2/authorize?${query}`)
    return new URL(location!, redirectUri()).searchParams.get('code') ?? undefined
  }

  const exchange = (code: string) =>
    postForm(
      o,
      'token',
      { grant_type: 'authorization_code', code, code_verifier: verifier, ...client() },
      { host: o.host },
    )

  const ends: readonly [string, (browser: Browser, userId: string) => Promise<unknown>][] = [
    ['a log-out', async (browser) => browser.submit(await browser.get('/logout'))],
    [
      'the password was set',
      (_browser, userId) => setPassword(o.db, o.org, userId, 'another battery', systemClock),
    ],
  ]
  for (const [when, end] of ends) {
    test(`got no code for the console that gives tokens after ${when}`, async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const { userId, username } = await makeUser()
        const browser = await loggedIn(username)
        const [codes, tokens]: [string[], string[]] = [[], []]
        // The browser that logs out loses its cookie: the others have a copy of it.
        const copy = o.open()
        for (const [name, value] of browser.cookies) copy.cookies.set(name, value)
        const collect = async () => {
          const code = await askForCode(copy)
          if (code === undefined) await sleep(1)
          else codes.push(code)
        }
        const use = async () => {
          const code = await askForCode(copy)
          const given = code === undefined ? undefined : await exchange(code)
          if (given?.status === 200) tokens.push(given.body.access_token, given.body.refresh_token)
          else await sleep(1)
        }
        await race([collect, use, collect, use], () => end(browser, userId))
        o.services.sessions.expectRevocations()
        for (const code of codes) assert.equal((await exchange(code)).status, 400)
        for (const token of tokens) assert.equal(await statusWith(o, token), 401)
        for (const refresh_token of tokens) {
          const asked = { grant_type: 'refresh_token', client_id: 'ObjectryConsole', refresh_token }
          assert.equal((await postForm(o, 'token', asked, { host: o.host })).status, 400)
        }
        assert.equal(await askForCode(copy), undefined)
      }
    })
  }

  test('logs in with no password that was replaced while it was compared', async () => {
    const { userId, username } = await makeUser()
    const browsers: Browser[] = []
    const ask = async () => {
      const browser = o.open()
      if ((await browser.logIn(username)).status === 303) browsers.push(browser)
    }
    await race(
      Array.from({ length: AT_ONCE }, () => ask),
      () => setPassword(o.db, o.org, userId, 'another battery', systemClock),
    )
    for (const browser of browsers) assert.equal(await askForCode(browser), undefined)
    assert.ok(await askForCode(await loggedIn(username, 'another battery')))
  })

  test('approves no device that gets tokens after the password was set', async () => {
    const client_id = await makeApp(o, { enableDeviceFlow: true, scopes: ['api', 'refresh_token'] })
    const { userId, username } = await makeUser()
    const browser = await loggedIn(username)
    const started: string[] = []
    const ask = async () => {
      const { device_code, user_code } = await fetchTokens(o, { response_type: 'device_code', client_id })
      started.push(device_code)
      const entry = await browser.get(`/setup/connect?user_code=${user_code}`)
      if (entry.status !== 200) return
      const page = await browser.submit(entry)
      if (page.status === 200 && page.text.includes('name="decision"')) {
        await browser.submit(page, { decision: 'approve' })
      }
    }
    await race(
      Array.from({ length: AT_ONCE }, () => ask),
      () => setPassword(o.db, o.org, userId, 'another battery', systemClock),
    )
    assert.ok(started.length > 0)
    for (const code of started) {
      assert.equal((await askToken(o, { grant_type: 'device', client_id, code })).status, 400)
    }
  })

  test('that opens an address at the moment at which its token is revoked keeps nobody from revoking it', async () => {
    const clientId = await makeApp(o, { scopes: ['api', 'web'] })
    for (let round = 0; round < ROUNDS * 5; round++) {
      const token = await o.services.sessions.issue({
        ...{ org: o.org, clientId, userId: o.userId, scopes: ['api', 'web'], grantType: 'test' },
      })
      const headers = { authorization: `Bearer ${token}`, host: o.host }
      const opened = await postForm(o, 'singleaccess', {}, headers)
      const { pathname, search } = new URL(opened.body.frontdoor_uri)
      const browser = o.open()
      const [revoked] = await Promise.all([postForm(o, 'revoke', { token }), browser.get(pathname + search)])
      assert.equal(revoked.status, 200, revoked.text)
      assert.equal(await statusWith(o, token), 401)
      assert.equal(await askForCode(browser), undefined)
    }
  })
})

test('an org that is deleted while it gives tokens leaves none, and fails nobody', async () => {
  const gone = await openOrg()
  const clientId = await makeApp(gone, { enableClientCredentials: true, runAsUserId: gone.userId })
  const tokens: string[] = []
  const ask = async () => {
    const grant_type = 'client_credentials'
    const { status, body } = await askToken(gone, { grant_type, client_id: clientId, client_secret: 's' })
    assert.notEqual(status, 500)
    if (status === 200) tokens.push(body.access_token)
    else await sleep(1)
  }
  await race(
    Array.from({ length: AT_ONCE }, () => ask),
    async () => {
      while (tokens.length === 0) await sleep(1)
      await ending(gone.db, gone.org, 'all', async (tx) => {
        await revokeOrg(tx, gone.org)
        await dropOrg(tx, gone.org)
      })
    },
  )
  gone.services.sessions.expectRevocations()
  assert.ok(tokens.length > 0)
  for (const token of tokens) assert.equal(await gone.services.sessions.find(token), undefined)
})

test('an org that is deleted leaves nothing of it in a process', async () => {
  const gone = await openOrg()
  const { runtimes, hosts } = gone.services
  const kept = runtimes.of(gone.org)
  hosts.forget()
  await hosts.all()
  assert.equal(runtimes.of(gone.org), kept)
  await dropOrg(gone.db, gone.org)
  hosts.forget()
  await hosts.all()
  assert.notEqual(runtimes.of(gone.org), kept)
})

test('those who wait for the end of an access leave the connections of others alone', {
  skip: !onPostgres && 'the embedded engine has one connection',
}, async () => {
  const { userId } = await makeUser()
  const family = { org: o.org, userId, family: 'waited for' }
  let waiting = 0
  const { revoking } = await o.db.transaction((tx) =>
    ending(tx, o.org, { userIds: [userId] }, () =>
      // The others have connections of their own.
      besideCalls(async () => {
        const begun = Array.from({ length: 12 }, () => revokeFamily(o.db, family))
        for (let times = 0; times < 40; times++) {
          const [row] = await o.db.query<{ count: number }>(waitingLocks)
          waiting = Math.max(waiting, row!.count)
          await sleep(5)
        }
        return { revoking: Promise.all(begun) }
      }),
    ),
  )
  await revoking
  assert.equal(waiting, 1)
})

test('a password that was replaced while it was compared gives no token', async () => {
  const clientId = await makeApp(o)
  const { userId, username } = await makeUser()
  const tokens: string[] = []
  const ask = async () => {
    const asked = {
      grant_type: 'password',
      client_id: clientId,
      client_secret: 's',
      username,
      password: PASSWORD,
    }
    const { status, body } = await askToken(o, asked)
    if (status === 200) tokens.push(body.access_token)
  }
  await race(
    Array.from({ length: AT_ONCE }, () => ask),
    () => setPassword(o.db, o.org, userId, 'another battery', systemClock),
  )
  for (const token of tokens) assert.equal(await statusWith(o, token), 401)
})
