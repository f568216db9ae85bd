import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setPassword } from '../../src/auth/users/passwords.ts'
import { sql } from '../../src/base/sql.ts'
import {
  alertIn,
  type Browser,
  type BrowserClient,
  CALLBACK,
  findAction,
  openBrowserClient,
  PASSWORD,
  pkce,
  readFields,
  type Shown,
  USERNAME,
} from '../support/browser-client.ts'
import { createUser } from '../support/create-user.ts'

/* Requests of a client by the user's browser: `/services/oauth2/authorize`. */

let o: BrowserClient
let clientId: string

before(async () => {
  o = await openBrowserClient()
  clientId = await o.app({ scopes: ['api', 'refresh_token', 'openid'] })
})

type Parameters = Readonly<Record<string, string | undefined>>

function makeAddress(parameters: Parameters = {}): string {
  const all = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: CALLBACK,
    state: 'a state',
    ...parameters,
  }
  const given = Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return `/services/oauth2/authorize?${new URLSearchParams(given)}`
}

/** A browser that is logged in. */
async function loggedIn(username = USERNAME): Promise<Browser> {
  const browser = o.open()
  assert.equal((await browser.logIn(username)).status, 303)
  return browser
}

/** The parameters that the callback gets. */
function reported(answer: Shown, callback = CALLBACK): Record<string, string> {
  assert.ok([302, 303].includes(answer.status), `${answer.status} ${answer.text}`)
  assert.ok(answer.location!.startsWith(callback), answer.location)
  return Object.fromEntries(new URL(answer.location!).searchParams)
}

const refusal = (error: string, error_description: string) => ({ error, error_description, state: 'a state' })

const isApprovalPage = ({ status, text }: Shown) => status === 200 && text.includes('<h1>Allow access?</h1>')

/** A code as it is kept. */
async function storedCode(code: string) {
  const { hashToken } = await import('../../src/auth/oauth/token-text.ts')
  const [row] = await o.db.query(
    sql`select client_id, org_id, user_id, scopes, redirect_uri, challenge, nonce
        from objectry.authorization_code where code_hash = ${hashToken(code)}`,
  )
  return row
}

/** The message and code of a page that ends here. */
function assertShown(page: Shown, code: string): void {
  assert.deepEqual([page.status, page.location], [400, undefined])
  assert.match(page.text, /<h1>This app cannot ask for access<\/h1>/)
  assert.match(page.text, new RegExp(`<span class="code-shown">${code}</span>`))
}

describe('a request', () => {
  test('of a user who is not logged in leads through the log-in to the question, and with Allow to a code', async () => {
    const browser = o.open()
    const { challenge } = pkce()
    const first = await browser.get(
      makeAddress({ scope: 'api refresh_token', code_challenge: challenge, nonce: 'n' }),
    )
    assert.equal(first.status, 303)
    assert.match(first.location!, /^\/login\?retURL=/)
    const login = await browser.get(first.location!)
    assert.match(login.text, /to continue to <strong>Report Builder<\/strong>/)
    const next = await browser.submit(login, { username: USERNAME, password: PASSWORD })
    const question = await browser.get(next.location!)
    assert.ok(isApprovalPage(question), question.text)
    assert.match(question.text, /<strong>Report Builder<\/strong> asks to do this in your name/)
    assert.match(question.text, /Read and change your data/)
    assert.match(question.text, /Keep access while you are away/)
    assert.match(question.text, /go on to <strong>app\.example\.com<\/strong>/)
    const answer = await browser.submit(question, { decision: 'approve' })
    const { code, state, ...rest } = reported(answer)
    assert.deepEqual([state, rest], ['a state', {}])
    assert.match(code!, /^aPrx/)
    assert.deepEqual(await storedCode(code!), {
      client_id: clientId,
      org_id: o.org.id,
      user_id: o.userId,
      scopes: ['api', 'refresh_token'],
      redirect_uri: CALLBACK,
      challenge,
      nonce: 'n',
    })
  })

  test('is denied with access_denied, and nothing is remembered', async () => {
    const browser = await loggedIn()
    const address = makeAddress({ client_id: await o.app() })
    const answer = await browser.submit(await browser.get(address), { decision: 'deny' })
    assert.deepEqual(reported(answer), refusal('access_denied', 'end-user denied authorization'))
    assert.ok(isApprovalPage(await browser.get(address)))
  })

  test('that the same user approved before is not asked again; more scopes, another user and consent are', async () => {
    const app = await o.app({ scopes: ['api', 'refresh_token'] })
    const browser = await loggedIn()
    const address = (scope: string, more: Parameters = {}) => makeAddress({ client_id: app, scope, ...more })
    await browser.submit(await browser.get(address('api')), { decision: 'approve' })
    assert.ok(reported(await browser.get(address('api'))).code)
    assert.ok(isApprovalPage(await browser.get(address('api refresh_token'))))
    assert.ok(isApprovalPage(await browser.get(address('api', { prompt: 'consent' }))))
    const other = await createUser(o, 'other')
    await setPassword(o.db, o.org, other, PASSWORD, () => new Date())
    const second = await loggedIn('other@objectry.test')
    assert.ok(isApprovalPage(await second.get(address('api'))))
  })

  test('without a scope means all scopes of the app', async () => {
    const browser = await loggedIn()
    const answer = await browser.submit(await browser.get(makeAddress()), { decision: 'approve' })
    const stored = await storedCode(reported(answer).code!)
    assert.deepEqual(stored!.scopes, ['api', 'refresh_token', 'openid'])
  })

  test('of the built-in PlatformCLI works as the sf CLI sends it: log-in first, no challenge method', async () => {
    const browser = await loggedIn()
    const callback = 'http://localhost:1717/OauthRedirect'
    const { challenge } = pkce()
    const first = await browser.get(
      makeAddress({
        client_id: 'PlatformCLI',
        redirect_uri: callback,
        scope: 'refresh_token api web',
        prompt: 'login',
        code_challenge: challenge,
      }),
    )
    assert.match(first.location!, /^\/login\?retURL=/)
    const page = await browser.get(first.location!)
    assert.match(
      String(page.headers['content-security-policy']),
      /form-action 'self' http:\/\/localhost:1717;/,
    )
    const next = await browser.submit(page, { username: USERNAME, password: PASSWORD })
    const question = await browser.get(next.location!)
    assert.ok(isApprovalPage(question))
    const answer = await browser.submit(question, { decision: 'approve' })
    const { code } = reported(answer, `${callback}?`)
    assert.equal((await storedCode(code!))!.challenge, challenge)
    assert.ok(answer.location!.includes(`code=${encodeURIComponent(code!)}`))
  })

  test('gives the state back letter by letter, and none that was not there', async () => {
    const browser = await loggedIn()
    const odd = 'é ü+&=#?/%00"<>\n\0 日本 \u{1f600}'
    const app = await o.app()
    const page = await browser.get(makeAddress({ client_id: app, state: odd }))
    assert.equal(reported(await browser.submit(page, { decision: 'approve' })).state, odd)
    assert.equal(reported(await browser.get(makeAddress({ client_id: app, state: odd }))).state, odd)
    const without = await browser.get(makeAddress({ client_id: app, state: undefined }))
    assert.deepEqual(Object.keys(reported(without)), ['code'])
    assert.equal(reported(await browser.get(makeAddress({ client_id: app, state: '' }))).state, '')
    const long = 's'.repeat(10_000)
    assert.equal(reported(await browser.get(makeAddress({ client_id: app, state: long }))).state, long)
  })

  test('as a form is asked again as an address', async () => {
    const browser = await loggedIn()
    const [path, query] = makeAddress().split('?') as [string, string]
    const answer = await browser.post(path, query, { 'sec-fetch-site': 'cross-site' })
    assert.equal(answer.status, 303)
    assert.equal(answer.location, `${path}?${query}`)
  })

  test('goes on to a callback of an app on the device, or with a query of its own', async () => {
    const callbacks = ['com.example.app:/oauth', 'https://app.example.com/?a=1', 'http://[::1]:7000/x']
    const app = await o.app({ callbackUrls: callbacks })
    const browser = await loggedIn()
    const sources = ['com.example.app:', 'https://app.example.com', 'http:']
    for (const [index, callback] of callbacks.entries()) {
      const page = await browser.get(
        makeAddress({ client_id: app, redirect_uri: callback, prompt: 'consent' }),
      )
      const policy = String(page.headers['content-security-policy'])
      assert.ok(policy.includes(`form-action 'self' ${sources[index]};`), policy)
      const answer = await browser.submit(page, { decision: 'approve' })
      const mark = callback.includes('?') ? '&' : '?'
      assert.ok(answer.location!.startsWith(`${callback}${mark}code=`), answer.location)
    }
  })
})

describe('a page instead of a redirect', () => {
  test('is what an unknown client gets', async () => {
    for (const client_id of [undefined, '', 'nobody', 'a\0b', 'x'.repeat(10_000), "' or 1=1 --"]) {
      assertShown(await o.open().get(makeAddress({ client_id })), 'invalid_client_id')
    }
    const twice = `${makeAddress()}&client_id=${clientId}`
    assertShown(await o.open().get(twice), 'invalid_client_id')
  })

  test('is what an app of another org gets', async () => {
    const other = await openBrowserClient()
    assertShown(await o.open().get(makeAddress({ client_id: await other.app() })), 'invalid_client_id')
  })

  test('is what a request without a callback gets', async () => {
    assertShown(await o.open().get(makeAddress({ redirect_uri: undefined })), 'redirect_uri_missing')
  })

  test('attack: a callback that differs in one letter is not followed', async () => {
    const browser = await loggedIn()
    for (const redirect_uri of [
      `${CALLBACK}/`,
      `${CALLBACK}?`,
      `${CALLBACK}#`,
      `${CALLBACK}?next=https://evil.example`,
      `${CALLBACK}/../evil`,
      CALLBACK.toUpperCase(),
      CALLBACK.replace('https', 'http'),
      CALLBACK.replace('app.', ''),
      CALLBACK.replace('.com', '.com.evil.example'),
      CALLBACK.replace('app.example.com', 'app.example.com@evil.example'),
      CALLBACK.replace('app.example.com', 'app.example.com:8443'),
      ` ${CALLBACK}`,
      `${CALLBACK}\n`,
      `${CALLBACK}\0`,
      'https://evil.example/',
      '//evil.example',
      '/callback',
      '',
    ]) {
      assertShown(await browser.get(makeAddress({ redirect_uri })), 'redirect_uri_mismatch')
    }
    const twice = `${makeAddress()}&redirect_uri=${encodeURIComponent('https://evil.example')}`
    assertShown(await browser.get(twice), 'redirect_uri_mismatch')
    // Nor by the form that Allow sends.
    const page = await browser.get(makeAddress({ client_id: await o.app() }))
    const action = findAction(page).replace(encodeURIComponent(CALLBACK), 'https%3A%2F%2Fevil.example')
    const forged = await browser.post(action, { ...readFields(page), decision: 'approve' })
    assertShown(forged, 'redirect_uri_mismatch')
  })

  test('attack: an address that a browser would run is no callback, even when it is configured', async () => {
    const callbackUrls = ['javascript:alert(1)', 'data:text/html,x', 'JavaScript:alert(2)', 'not an address']
    const app = await o.app({ callbackUrls })
    for (const redirect_uri of callbackUrls) {
      assertShown(await o.open().get(makeAddress({ client_id: app, redirect_uri })), 'redirect_uri_mismatch')
    }
  })
})

describe('the callback gets', () => {
  const cases: [string, Parameters, string, string][] = [
    [
      'another response type',
      { response_type: 'token' },
      'unsupported_response_type',
      'response type not supported',
    ],
    ['none', { response_type: undefined }, 'invalid_request', 'missing required parameter: response_type'],
    ['an unknown scope', { scope: 'api nonsense' }, 'invalid_scope', 'the requested scope is not allowed'],
    [
      'a scope that the app has not',
      { scope: 'full' },
      'invalid_scope',
      'the requested scope is not allowed',
    ],
    [
      'a challenge that is no SHA-256',
      { code_challenge: 'short' },
      'invalid_request',
      'invalid code challenge',
    ],
    [
      'the method plain',
      { code_challenge: pkce().challenge, code_challenge_method: 'plain' },
      'invalid_request',
      'code challenge method must be S256',
    ],
    [
      'a method without a challenge',
      { code_challenge_method: 'S256' },
      'invalid_request',
      'missing required code challenge',
    ],
    ['prompt none beside another', { prompt: 'none login' }, 'invalid_request', 'prompt none stands alone'],
    ['a nonce that cannot be kept', { nonce: 'a\0b' }, 'invalid_request', 'invalid nonce'],
  ]
  for (const [name, parameters, error, description] of cases) {
    test(`${name}: ${error}`, async () => {
      const browser = await loggedIn()
      assert.deepEqual(reported(await browser.get(makeAddress(parameters))), refusal(error, description))
      // Before anybody logs in, too.
      assert.deepEqual(reported(await o.open().get(makeAddress(parameters))), refusal(error, description))
    })
  }

  test('a repeated parameter: invalid_request', async () => {
    for (const name of ['scope', 'code_challenge', 'response_type', 'prompt']) {
      const { error } = reported(await o.open().get(`${makeAddress({ [name]: 'x' })}&${name}=y`))
      assert.equal(error, 'invalid_request')
    }
  })

  test('a challenge that is missing though the app requires one', async () => {
    const app = await o.app({ requirePkce: true })
    const expected = refusal('invalid_request', 'missing required code challenge')
    assert.deepEqual(reported(await o.open().get(makeAddress({ client_id: app }))), expected)
    assert.deepEqual(
      reported(await o.open().get(makeAddress({ client_id: app, code_challenge: '' }))),
      expected,
    )
    const { challenge } = pkce()
    const method = { code_challenge: `${challenge}=`, code_challenge_method: 'S256' }
    const first = await o.open().get(makeAddress({ client_id: app, ...method }))
    assert.match(first.location!, /^\/login/)
  })

  test('that the app is blocked', async () => {
    const app = await o.app({ isBlocked: true })
    const expected = refusal('OAUTH_APP_BLOCKED', 'this app is blocked by admin')
    assert.deepEqual(reported(await o.open().get(makeAddress({ client_id: app }))), expected)
  })

  test('that no page may be shown and one would be needed', async () => {
    const expected = refusal('immediate_unsuccessful', 'the user has to be asked')
    const app = await o.app()
    for (const silent of [{ prompt: 'none' }, { immediate: 'true' }] as Parameters[]) {
      const address = makeAddress({ client_id: app, ...silent })
      assert.deepEqual(reported(await o.open().get(address)), expected)
      const browser = await loggedIn()
      assert.deepEqual(reported(await browser.get(address)), expected)
      await browser.submit(await browser.get(makeAddress({ client_id: app, prompt: 'consent' })), {
        decision: 'approve',
      })
      assert.ok(reported(await browser.get(address)).code)
      await o.db.query(sql`delete from objectry.approval where client_id = ${app}`)
    }
  })
})

describe('an app that the administrator opens', () => {
  test('asks no question: users who have it go on, others get an error', async () => {
    const app = await o.app({ permittedUsers: 'AdminApproved' })
    const browser = await loggedIn()
    const address = makeAddress({ client_id: app, prompt: 'consent' })
    const denied = refusal('OAUTH_APP_ACCESS_DENIED', 'user is not admin approved to access this app')
    assert.deepEqual(reported(await browser.get(address)), denied)
    const set = await o.create('PermissionSet', { Name: 'Reports', Label: 'Reports' })
    const [record] = (
      await o.call(
        'GET',
        `/query?q=${encodeURIComponent(`SELECT Id FROM ConnectedApplication WHERE ConsumerKey = '${app}'`)}`,
      )
    ).body.records
    await o.create('SetupEntityAccess', { ParentId: set, SetupEntityId: record.Id })
    assert.deepEqual(reported(await browser.get(address)), denied)
    await o.create('PermissionSetAssignment', { PermissionSetId: set, AssigneeId: o.userId })
    assert.ok(reported(await browser.get(address)).code)
  })
})

describe('prompt', () => {
  test('login and select_account ask for the password though somebody is logged in, once', async () => {
    const browser = await loggedIn()
    for (const prompt of ['login', 'select_account', 'login consent']) {
      const first = await browser.get(makeAddress({ prompt, login_hint: 'somebody@example.com' }))
      assert.match(first.location!, /^\/login\?retURL=/)
      const page = await browser.get(first.location!)
      assert.equal(readFields(page).username, 'somebody@example.com')
      const next = await browser.submit(page, { username: USERNAME, password: PASSWORD })
      assert.doesNotMatch(next.location!, /login(?!_hint)/)
      const last = await browser.get(next.location!)
      assert.ok(isApprovalPage(last) || reported(last).code)
    }
  })

  test('the page lets another user log in instead', async () => {
    const browser = await loggedIn()
    const page = await browser.get(makeAddress({ prompt: 'consent' }))
    const link = /<a href="([^"]*)">Not you\?/.exec(page.text)![1]!.replaceAll('&amp;', '&')
    assert.match((await browser.get(link)).location!, /^\/login\?retURL=/)
  })

  test('whose address would lead to one that is too long is refused with 414', async () => {
    // Each character has six in this address, and ten in that of the log-in, which has it encoded once more.
    const address = makeAddress({ state: 'é'.repeat(2500) })
    assert.ok(address.length < 16_384)
    const { status, location } = await o.open().get(address)
    assert.deepEqual([status, location], [414, undefined])
  })
})

describe('a user who has to choose another password', () => {
  test('does that before anything else, and then goes on', async () => {
    const id = await createUser(o, 'fresh')
    await setPassword(o.db, o.org, id, PASSWORD, () => new Date(), { mustChange: true })
    const browser = o.open()
    const answer = await browser.logIn('fresh@objectry.test', PASSWORD, makeAddress())
    assert.match(answer.location!, /^\/change-password\?retURL=/)
    // Asking again does not help.
    assert.match((await browser.get(makeAddress())).location!, /^\/change-password\?retURL=/)
    assert.match((await browser.get('/setup/connect')).location!, /^\/change-password\?retURL=/)
    assert.equal(reported(await browser.get(makeAddress({ prompt: 'none' }))).error, 'immediate_unsuccessful')
    const page = await browser.get(answer.location!)
    const chosen = { current: PASSWORD, password: 'a new and long one', again: 'a new and long one' }
    const next = await browser.submit(page, chosen)
    assert.ok(isApprovalPage(await browser.get(next.location!)))
  })
})

describe('attack: a form of another site', () => {
  test('cannot say Allow: without a token, with a foreign one, or from elsewhere', async () => {
    const [victim, attacker] = [await loggedIn(), await loggedIn()]
    const app = await o.app()
    const page = await victim.get(makeAddress({ client_id: app }))
    const foreign = readFields(await attacker.get(makeAddress({ client_id: app }))).csrf!
    for (const csrf of ['', foreign, 'x'.repeat(43)]) {
      const answer = await victim.submit(page, { csrf, decision: 'approve' })
      assert.deepEqual([answer.status, answer.location], [403, undefined])
    }
    const action = findAction(page)
    const form = { ...readFields(page), decision: 'approve' }
    const elsewhere = await victim.post(action, form, { 'sec-fetch-site': 'cross-site' })
    assert.equal(elsewhere.status, 403)
    assert.equal((await o.open().post(action, form)).status, 403)
    assert.ok(reported(await victim.post(action, form)).code)
  })
})

describe('attack: markup', () => {
  const evil = `"><script>alert(1)</script><img src=x onerror=alert(1)>'`

  test('in the name of an app, its description, a state or a login_hint comes out as text', async () => {
    const app = await o.app({ name: evil.slice(0, 80), description: evil })
    const browser = await loggedIn()
    const parameters = { client_id: app, state: evil, login_hint: evil, [evil]: evil }
    const page = await browser.get(makeAddress(parameters))
    assert.ok(isApprovalPage(page))
    assert.doesNotMatch(page.text, /<script|<img/)
    assert.ok(page.text.includes('&lt;script&gt;'))
    assert.equal(reported(await browser.submit(page, { decision: 'deny' })).state, evil)
    const login = await o.open().get(makeAddress(parameters))
    const form = await o.open().get(login.location!)
    assert.doesNotMatch(form.text, /<script|<img/)
    assert.equal(readFields(form).username, evil)
    assert.equal(alertIn(form), undefined)
  })

  test('in a client id or a callback is not shown at all', async () => {
    for (const parameters of [{ client_id: evil }, { redirect_uri: evil }] as Parameters[]) {
      assert.doesNotMatch((await o.open().get(makeAddress(parameters))).text, /alert\(1\)/)
    }
  })
})
