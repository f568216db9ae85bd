import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { startDevice } from '../../src/auth/tokens/device-codes.ts'
import { setPassword } from '../../src/auth/users/passwords.ts'
import { sql } from '../../src/base/sql.ts'
import {
  alertIn,
  type Browser,
  type BrowserClient,
  openBrowserClient,
  PASSWORD,
  readFields,
  type Shown,
  USERNAME,
} from '../support/browser-client.ts'
import { createUser } from '../support/create-user.ts'
import { thisSecond } from '../support/this-second.ts'

/* Where a user types the code that a device shows: `/setup/connect`. */

let o: BrowserClient
let now = thisSecond()
let clientId: string

before(async () => {
  o = await openBrowserClient({ clock: () => now })
  clientId = await o.app({ name: 'Television', enableDeviceFlow: true, scopes: ['api', 'refresh_token'] })
  for (const name of ['guesser', 'other']) {
    const id = await createUser(o, name)
    await setPassword(o.db, o.org, id, PASSWORD, () => now)
  }
})

const PATH = '/setup/connect'

const start = (app = clientId, at = o) =>
  startDevice(o.db, () => now, { clientId: app, org: at.org, scopes: ['api'] })

async function loadState(userCode: string) {
  const [row] = await o.db.query<{ userId: string | null; isDenied: boolean }>(
    sql`select user_id as "userId", denied_at is not null as "isDenied"
        from objectry.device_code where user_code = ${userCode}`,
  )
  return row
}

async function loggedIn(username = USERNAME): Promise<Browser> {
  const browser = o.open()
  assert.equal((await browser.logIn(username)).status, 303)
  return browser
}

const type = async (browser: Browser, user_code: string) =>
  browser.submit(await browser.get(PATH), { user_code })

const isQuestion = ({ status, text }: Shown) => status === 200 && text.includes('<h1>Allow access?</h1>')

const WRONG = 'This code is wrong or too old. Look at your device again.'

describe('a code of a device', () => {
  test('is asked for after the log-in, filled in from the address', async () => {
    const { userCode } = await start()
    const browser = o.open()
    const first = await browser.get(`${PATH}?user_code=${userCode}`)
    assert.match(first.location!, /^\/login\?retURL=/)
    const next = await browser.submit(await browser.get(first.location!), {
      username: USERNAME,
      password: PASSWORD,
    })
    const page = await browser.get(next.location!)
    assert.equal(readFields(page).user_code, userCode)
    assert.match(page.text, /<label for="user_code">/)
    // Nothing has happened yet.
    assert.equal((await loadState(userCode))!.userId, null)
    const question = await browser.submit(page)
    assert.ok(isQuestion(question), question.text)
    assert.match(question.text, /<strong>Television<\/strong>/)
    assert.match(question.text, /Read and change your data/)
    assert.ok(question.text.includes(userCode))
    assert.equal((await loadState(userCode))!.userId, null)
    const done = await browser.submit(question, { decision: 'approve' })
    assert.match(done.text, /<h1>Device connected<\/h1>/)
    assert.deepEqual(await loadState(userCode), { userId: o.userId, isDenied: false })
  })

  test('is denied', async () => {
    const { userCode } = await start()
    const browser = await loggedIn()
    const done = await browser.submit(await type(browser, userCode), { decision: 'deny' })
    assert.match(done.text, /<h1>Device turned away<\/h1>/)
    assert.deepEqual(await loadState(userCode), { userId: null, isDenied: true })
    assert.equal(alertIn(await type(browser, userCode)), WRONG)
  })

  test('is found in small letters, with a hyphen and blanks', async () => {
    const { userCode } = await start()
    const typed = ` ${userCode.slice(0, 4).toLowerCase()}-${userCode.slice(4)} `
    assert.ok(isQuestion(await type(await loggedIn(), typed)))
  })

  test('is refused when it is wrong, too old, of another org, or odd; the page says so', async () => {
    const other = await openBrowserClient({ clock: () => now })
    const app = await other.app({ enableDeviceFlow: true })
    const foreign = await start(app, other)
    const old = await start()
    now = new Date(now.getTime() + 601_000)
    const off = await start(await o.app({ enableDeviceFlow: false }))
    const browser = await loggedIn()
    for (const code of [foreign.userCode, old.userCode, off.userCode, 'AAAAAAAA', 'a\0b', 'x'.repeat(5000)]) {
      const page = await type(browser, code)
      assert.deepEqual([page.status, alertIn(page)], [400, WRONG], code)
      assert.match(
        page.text,
        /id="user_code"[^>]*aria-describedby="problem code-hint"[^>]*aria-invalid="true"/,
      )
    }
    assert.deepEqual(await loadState(foreign.userCode), { userId: null, isDenied: false })
  })

  test('of an app that is blocked or not opened to the user has no question', async () => {
    for (const settings of [{ isBlocked: true }, { permittedUsers: 'AdminApproved' as const }]) {
      const { userCode } = await start(await o.app({ enableDeviceFlow: true, ...settings }))
      const page = await type(await loggedIn(), userCode)
      assert.equal(page.status, 403)
      assert.match(page.text, /<h1>This app has no access<\/h1>/)
      assert.equal((await loadState(userCode))!.isDenied, true)
    }
  })

  test('that was answered meanwhile is not answered again', async () => {
    const { userCode } = await start()
    const [first, second] = [await loggedIn(), await loggedIn('other@objectry.test')]
    const questions = [await type(first, userCode), await type(second, userCode)] as const
    await first.submit(questions[0], { decision: 'approve' })
    assert.equal((await second.submit(questions[1], { decision: 'approve' })).status, 400)
    assert.equal((await loadState(userCode))!.userId, o.userId)
  })
})

describe('the page for devices', () => {
  test('is beside the admin API, which still asks for a token', async () => {
    const below = await o.server.inject({ method: 'GET', url: '/setup/connect/x', headers: { host: o.host } })
    assert.equal(below.statusCode, 401)
    const orgs = await o.server.inject({ method: 'GET', url: '/setup/orgs', headers: { host: o.host } })
    assert.equal(orgs.statusCode, 401)
    // A log-in with a browser is no token.
    const browser = await loggedIn()
    assert.equal((await browser.get('/setup/orgs')).status, 401)
    assert.equal((await browser.get('/services/data/v64.0/sobjects')).status, 401)
  })
})

describe('attack: brute force on codes', () => {
  test('ten wrong codes of a user in ten minutes are the last for a while, from any browser', async () => {
    const { userCode } = await start()
    const browser = await loggedIn('guesser@objectry.test')
    for (let count = 0; count < 10; count++) {
      assert.equal((await type(browser, `AAAAAAA${count}`)).status, 400)
    }
    const second = await loggedIn('guesser@objectry.test')
    for (const one of [browser, second]) {
      const page = await type(one, userCode)
      assert.equal(page.status, 429)
      assert.ok(Number(page.headers['retry-after']) <= 600)
    }
    assert.deepEqual(await loadState(userCode), { userId: null, isDenied: false })
    assert.ok(isQuestion(await type(await loggedIn(), userCode)))
    now = new Date(now.getTime() + 601_000)
    assert.ok(isQuestion(await type(await loggedIn('guesser@objectry.test'), (await start()).userCode)))
  })

  test('many at once count as many', async () => {
    const browser = await loggedIn('other@objectry.test')
    const page = await browser.get(PATH)
    const tries = Array.from({ length: 25 }, (_, index) =>
      browser.submit(page, { user_code: `BBBBBB${index}` }),
    )
    const statuses = (await Promise.all(tries)).map(({ status }) => status)
    assert.equal(statuses.filter((status) => status === 400).length, 10)
    assert.equal(statuses.filter((status) => status === 429).length, 15)
  })
})

describe('attack: a form of another site', () => {
  test('cannot let a device in: without a token or with a foreign one', async () => {
    const { userCode } = await start()
    const [victim, attacker] = [await loggedIn(), await loggedIn()]
    const foreign = readFields(await attacker.get(PATH)).csrf!
    for (const csrf of ['', foreign]) {
      const form = { user_code: userCode, decision: 'approve', csrf }
      assert.equal((await victim.post(PATH, form)).status, 403)
    }
    assert.equal((await loadState(userCode))!.userId, null)
  })
})
