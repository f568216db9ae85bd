import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setPassword } from '../../src/auth/users/passwords.ts'
import { sql } from '../../src/base/sql.ts'
import {
  alertIn,
  type BrowserClient,
  openBrowserClient,
  PASSWORD,
  readFields,
  type Shown,
  USERNAME,
} from '../support/browser-client.ts'
import { createUser } from '../support/create-user.ts'
import { thisSecond } from '../support/this-second.ts'

let o: BrowserClient
let now = thisSecond()
let gone: string

before(async () => {
  o = await openBrowserClient({ clock: () => now })
  gone = await createUser(o, 'gone')
  const locked = await createUser(o, 'locked')
  for (const id of [gone, locked]) await setPassword(o.db, o.org, id, PASSWORD, () => now)
})

const pass = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1000)
}

const WRONG = /^Username or password is wrong\./

/** Who is logged in with a browser, as its account page tells. */
const whoIs = ({ text }: Shown) => /as <strong>[^<]*<\/strong> \(([^)]*)\)/.exec(text)?.[1]

const headersOf = (page: Shown) => ({
  policy: String(page.headers['content-security-policy']),
  frame: page.headers['x-frame-options'],
  referrer: page.headers['referrer-policy'],
  sniff: page.headers['x-content-type-options'],
  cache: page.headers['cache-control'],
})

describe('the log-in page', () => {
  test('is plain HTML: one heading, a language, labels, and no script', async () => {
    const page = await o.open().get('/login')
    assert.equal(page.status, 200)
    assert.equal(page.headers['content-type'], 'text/html; charset=utf-8')
    assert.match(page.text, /<html lang="en">/)
    assert.equal(page.text.match(/<h1>/g)?.length, 1)
    for (const name of ['username', 'password']) assert.match(page.text, new RegExp(`<label for="${name}">`))
    assert.doesNotMatch(page.text, /<script|\son\w+=|javascript:/i)
  })

  test('logs in, shows who is logged in, and remembers when', async () => {
    const browser = o.open()
    const answer = await browser.logIn()
    assert.deepEqual([answer.status, answer.location], [303, '/login'])
    assert.equal(whoIs(await browser.get('/login')), USERNAME)
    const { body } = await o.call('GET', `/sobjects/User/${o.userId}?fields=LastLoginDate`)
    assert.equal(body.LastLoginDate.slice(0, 19), now.toISOString().slice(0, 19))
  })

  test('finds a username whatever its case, with blanks around it', async () => {
    assert.equal((await o.open().logIn(` ${USERNAME.toUpperCase()} `)).status, 303)
  })

  test('shows one message, tied to the fields, and keeps the username', async () => {
    const browser = o.open()
    const answer = await browser.logIn(USERNAME, 'wrong')
    assert.equal(answer.status, 400)
    assert.match(alertIn(answer)!, WRONG)
    assert.match(answer.text, /<div class="alert" role="alert" id="problem">/)
    assert.match(answer.text, /id="password"[^>]*aria-describedby="problem"/)
    assert.equal(readFields(answer).username, USERNAME)
    assert.equal(readFields(answer).password, '')
    assert.equal(browser.cookies.has('objectry_sid'), false)
    // The page that came back is a form that works.
    assert.equal((await browser.submit(answer, { password: PASSWORD })).status, 303)
  })

  test('tells inactive users that they are inactive, but only with the right password', async () => {
    const browser = o.open()
    await browser.logIn('gone@objectry.test')
    await o.call('PATCH', `/sobjects/User/${gone}`, { body: { IsActive: false } })
    assert.match(alertIn(await o.open().logIn('gone@objectry.test', 'wrong'))!, WRONG)
    assert.match(alertIn(await o.open().logIn('gone@objectry.test'))!, /^This user is not active\./)
    // The browser that was logged in is not any more.
    assert.equal(whoIs(await browser.get('/login')), undefined)
  })

  test('takes a form only, and no large one', async () => {
    const browser = o.open()
    const { csrf } = readFields(await browser.get('/login'))
    const json = await browser.post('/login', JSON.stringify({ csrf }), {
      'content-type': 'application/json',
    })
    assert.equal(json.status, 415)
    const packed = await browser.post('/login', { csrf: csrf! }, { 'content-encoding': 'gzip' })
    assert.equal(packed.status, 415)
    const large = await browser.post('/login', { csrf: csrf!, username: 'x'.repeat(70_000) })
    assert.equal(large.status, 413)
    assert.match(large.text, /<h1>That did not work<\/h1>/)
    const deleted = await o.server.inject({ method: 'DELETE', url: '/login', headers: { host: o.host } })
    assert.deepEqual([deleted.statusCode, deleted.headers.allow], [405, 'GET, HEAD, POST'])
    const long = await browser.get(`/login?retURL=/${'x'.repeat(40_000)}`)
    assert.equal(long.status, 414)
  })

  test('survives values that no password or username has', async () => {
    for (const [username, password] of [
      ['a\0b', 'x'],
      [USERNAME, 'a\0b'],
      [USERNAME, 'x'.repeat(5000)],
      ['x'.repeat(5000), 'x'],
      ['\ud800', '\ud800'],
      ['', ''],
      ["' or 1=1 --", "' or 1=1 --"],
    ] as const) {
      assert.match(alertIn(await o.open().logIn(username, password))!, WRONG)
    }
    pass(61)
    assert.equal((await o.open().logIn()).status, 303)
  })

  test('is that of the org whose host it is, and a log-in there opens no other org', async () => {
    const other = await openBrowserClient()
    const browser = o.open()
    await browser.logIn()
    const there = other.open()
    there.cookies.set('objectry_sid', browser.cookies.get('objectry_sid')!)
    assert.equal(whoIs(await there.get('/login')), undefined)
  })
})

describe('a log-in ends', () => {
  test('when nobody has loaded a page for two hours, and not before', async () => {
    const browser = o.open()
    await browser.logIn()
    for (let hour = 0; hour < 4; hour++) {
      pass(3600)
      assert.equal(whoIs(await browser.get('/login')), USERNAME)
    }
    pass(2 * 3600 + 1)
    assert.equal(whoIs(await browser.get('/login')), undefined)
  })

  test('with the button of the log-out page, not with its address alone', async () => {
    const browser = o.open()
    await browser.logIn()
    const sid = browser.cookies.get('objectry_sid')!
    const page = await browser.get('/logout')
    assert.match(page.text, /<h1>Log out\?<\/h1>/)
    assert.equal(whoIs(await browser.get('/login')), USERNAME)
    const answer = await browser.submit(page)
    assert.deepEqual([answer.status, answer.location], [303, '/logout'])
    assert.equal(browser.cookies.has('objectry_sid'), false)
    assert.match((await browser.get('/logout')).text, /<h1>You are logged out<\/h1>/)
    // Who has kept the cookie has nothing.
    browser.cookies.set('objectry_sid', sid)
    assert.equal(whoIs(await browser.get('/login')), undefined)
  })
})

describe('attack: open redirect', () => {
  test('after the log-in a user stays on this server, whatever retURL says', async () => {
    for (const evil of [
      'https://evil.example',
      'https:evil.example',
      'http:/evil.example',
      '//evil.example',
      '///evil.example',
      '/\\evil.example',
      '\\\\evil.example',
      '/\t/evil.example',
      '/\n/evil.example',
      '/\r\nLocation: https://evil.example',
      '\t//evil.example',
      ' //evil.example',
      '/.//evil.example',
      '/a/..//evil.example',
      '/%2e//evil.example',
      '%2f%2fevil.example',
      '//evil.example/%2e%2e',
      '//user@evil.example',
      'javascript:alert(1)',
      'data:text/html,x',
      '@evil.example',
      '.evil.example',
      '/\0/evil.example',
      '',
    ]) {
      const { status, location } = await o.open().logIn(USERNAME, PASSWORD, evil)
      assert.deepEqual([status, location], [303, '/login'], JSON.stringify(evil))
    }
  })

  test('what looks like another server but is a path of this one stays a path', async () => {
    for (const [path, expected] of [
      ['/logout', '/logout'],
      ['/%2f%2fevil.example', '/%2f%2fevil.example'],
      ['/https://evil.example', '/https://evil.example'],
      ['/a?b=//evil.example', '/a?b=//evil.example'],
      ['/a#//evil.example', '/a'],
    ] as const) {
      const { location } = await o.open().logIn(USERNAME, PASSWORD, path)
      assert.equal(location, expected)
      assert.equal(new URL(location!, 'https://here.example').host, 'here.example')
    }
  })
})

describe('attack: session fixation', () => {
  test('a log-in always makes a new session; one that was there before is worth nothing after it', async () => {
    const browser = o.open()
    browser.cookies.set('objectry_sid', 'x'.repeat(43))
    await browser.logIn()
    const first = browser.cookies.get('objectry_sid')!
    assert.notEqual(first, 'x'.repeat(43))
    await browser.submit(await browser.get('/login?retURL=/login'), {
      username: USERNAME,
      password: PASSWORD,
    })
    const second = browser.cookies.get('objectry_sid')!
    assert.notEqual(second, first)
    const thief = o.open()
    for (const stolen of [first, 'x'.repeat(43)]) {
      thief.cookies.set('objectry_sid', stolen)
      assert.equal(whoIs(await thief.get('/login')), undefined)
    }
  })

  test('the cookie is for the server alone, and only a hash of it is stored', async () => {
    const browser = o.open()
    const answer = await browser.logIn()
    const cookie = [answer.headers['set-cookie']].flat().find((one) => String(one).startsWith('objectry_sid'))
    assert.match(String(cookie), /^objectry_sid=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Lax$/)
    const rows = JSON.stringify(await o.db.query(sql`select * from objectry.browser_session`))
    assert.ok(rows.includes(o.userId) && !rows.includes(browser.cookies.get('objectry_sid')!))
    const secure = await openBrowserClient({ settings: { publicUrl: 'https://records.example.com' } })
    const { headers } = await secure.open().logIn()
    for (const one of [headers['set-cookie']].flat()) {
      assert.match(
        String(one),
        /^__Host-objectry_(sid|login)=[^;]*; Path=\/; HttpOnly; SameSite=Lax; Secure(;|$)/,
      )
    }
  })

  test('over TLS a cookie that a neighbouring host has set under the plain name is ignored', async () => {
    const secure = await openBrowserClient({ settings: { publicUrl: 'https://records.example.com' } })
    const browser = secure.open()
    await browser.logIn()
    const token = browser.cookies.get('__Host-objectry_sid')!
    assert.ok(whoIs(await browser.get('/login')))
    const victim = secure.open()
    victim.cookies.set('objectry_sid', token)
    assert.equal(whoIs(await victim.get('/login')), undefined)
  })
})

describe('attack: clickjacking', () => {
  test('every page forbids to be framed, and everything that is not in it', async () => {
    const browser = o.open()
    await browser.logIn()
    for (const path of ['/login', '/login?retURL=/x', '/logout', '/change-password', '/setup/connect']) {
      const page = await browser.get(path)
      assert.equal(page.status, 200, path)
      const { policy, ...rest } = headersOf(page)
      assert.deepEqual(rest, {
        frame: 'DENY',
        referrer: 'no-referrer',
        sniff: 'nosniff',
        cache: 'no-store',
      })
      assert.match(
        policy,
        /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/,
      )
    }
    const error = await browser.get('/services/oauth2/authorize')
    assert.equal(error.status, 400)
    assert.equal(headersOf(error).frame, 'DENY')
  })
})

describe('attack: a form of another site', () => {
  test('without a token, with a foreign one, or with that of another browser is refused', async () => {
    const [victim, attacker] = [o.open(), o.open()]
    await victim.get('/login')
    const { csrf } = readFields(await attacker.get('/login'))
    const credentials = { username: USERNAME, password: PASSWORD }
    const forged: Record<string, string>[] = [{}, { csrf: '' }, { csrf: 'x'.repeat(43) }, { csrf: csrf! }]
    for (const form of forged) {
      assert.equal((await victim.post('/login', { ...credentials, ...form })).status, 403)
    }
    assert.equal((await o.open().post('/login', { ...credentials, csrf: csrf! })).status, 403)
    assert.equal(victim.cookies.has('objectry_sid'), false)
  })

  test('to log out or to change the password is refused too', async () => {
    const [victim, attacker] = [o.open(), o.open()]
    await victim.logIn()
    await attacker.logIn()
    const { csrf } = readFields(await attacker.get('/logout'))
    const change = { current: PASSWORD, password: 'another long one', again: 'another long one' }
    for (const form of [{}, { csrf: csrf! }] as Record<string, string>[]) {
      assert.equal((await victim.post('/logout', form)).status, 403)
      assert.equal((await victim.post('/change-password', { ...change, ...form })).status, 403)
    }
    assert.equal(whoIs(await victim.get('/login')), USERNAME)
  })

  test('is refused by what browsers say about it, even with the right token', async () => {
    const foreign: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
      { origin: `https://evil.${o.host}` },
      { origin: 'nonsense' },
    ]
    const own: Record<string, string>[] = [
      { origin: `http://${o.host}` },
      { origin: 'null', 'sec-fetch-site': 'same-origin' },
    ]
    const send = async (headers: Record<string, string>) => {
      const browser = o.open()
      const fields = readFields(await browser.get('/login'))
      return browser.post('/login', { ...fields, username: USERNAME, password: PASSWORD }, headers)
    }
    for (const headers of foreign) assert.equal((await send(headers)).status, 403, JSON.stringify(headers))
    for (const headers of own) assert.equal((await send(headers)).status, 303, JSON.stringify(headers))
  })
})

describe('attack: brute force', () => {
  const TEN = Array.from({ length: 10 }, (_, index) => `wrong ${index}`)

  test('ten wrong passwords lock a user for 15 minutes, the right one too', async () => {
    pass(61)
    for (const password of TEN) assert.match(alertIn(await o.open().logIn(USERNAME, password))!, WRONG)
    assert.match(alertIn(await o.open().logIn())!, WRONG)
    pass(14 * 60)
    assert.match(alertIn(await o.open().logIn())!, WRONG)
    pass(61)
    assert.equal((await o.open().logIn()).status, 303)
  })

  test('a right password in between resets the count', async () => {
    pass(61)
    for (const password of TEN.slice(1)) await o.open().logIn(USERNAME, password)
    assert.equal((await o.open().logIn()).status, 303)
    pass(61)
    for (const password of TEN.slice(1)) await o.open().logIn(USERNAME, password)
    assert.equal((await o.open().logIn()).status, 303)
  })

  test('an address that was wrong 30 times in a minute waits, and learns how long', async () => {
    pass(61)
    const names = Array.from({ length: 30 }, (_, index) => `nobody${index}@example.com`)
    for (const name of names) assert.equal((await o.open().logIn(name, 'wrong')).status, 400)
    const answer = await o.open().logIn()
    assert.equal(answer.status, 429)
    assert.match(answer.text, /<h1>Too many attempts<\/h1>/)
    const wait = Number(answer.headers['retry-after'])
    assert.ok(wait > 0 && wait <= 60)
    pass(wait)
    assert.equal((await o.open().logIn()).status, 303)
  })
})

describe('attack: who is a user here?', () => {
  test('is not revealed: one answer for users that exist, are locked, or are unknown', async () => {
    pass(61)
    for (let count = 0; count < 10; count++) await o.open().logIn('locked@objectry.test', 'wrong')
    const without = async (username: string) => {
      const { status, text } = await o.open().logIn(username, 'wrong')
      return { status, text: text.replaceAll(username, '').replaceAll(/name="csrf" value="[^"]*"/g, '') }
    }
    const unknown = await without('nobody@objectry.test')
    assert.deepEqual(await without(USERNAME), unknown)
    assert.deepEqual(await without('locked@objectry.test'), unknown)
  })
})

describe('attack: markup', () => {
  test('in a username, a login_hint or retURL comes out as text', async () => {
    const evil = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
    const browser = o.open()
    for (const page of [
      await browser.logIn(evil, 'wrong'),
      await browser.get(`/login?retURL=${encodeURIComponent(`/x?${evil}`)}`),
      await browser.get(`/login?retURL=${encodeURIComponent(evil)}`),
    ]) {
      assert.doesNotMatch(page.text, /<script|<img/)
    }
  })
})
