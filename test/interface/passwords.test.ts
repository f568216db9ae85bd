import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { approve } from '../../src/auth/authorize/approvals.ts'
import { hashToken } from '../../src/auth/oauth/token-text.ts'
import { issueCode } from '../../src/auth/tokens/authorization-codes.ts'
import { checkPassword } from '../../src/auth/users/log-in.ts'
import { hashPassword, passwordMatches } from '../../src/auth/users/password-hash.ts'
import { findPasswordProblem, makePassword } from '../../src/auth/users/password-rules.ts'
import { setPassword } from '../../src/auth/users/passwords.ts'
import { sql } from '../../src/base/sql.ts'
import { copyOrg } from '../../src/orgs/snapshots/copy-org.ts'
import { resetOrg } from '../../src/orgs/snapshots/reset-org.ts'
import { restoreSnapshot, saveSnapshot } from '../../src/orgs/snapshots/snapshots.ts'
import { dropOrg } from '../../src/storage/orgs/orgs.ts'
import { assertRefused } from '../support/assert-refused.ts'
import {
  alertIn,
  type BrowserClient,
  CALLBACK,
  openBrowserClient,
  PASSWORD,
  type Shown,
  USERNAME,
} from '../support/browser-client.ts'
import { createUser } from '../support/create-user.ts'
import { measureProcessorTime } from '../support/processor-time.ts'
import { SECRETS } from '../support/secrets.ts'
import { thisSecond } from '../support/this-second.ts'

let o: BrowserClient
const now = thisSecond()
const clock = () => now

before(async () => {
  o = await openBrowserClient({ clock })
})

const check = (username: string, password: string, org = o.org) =>
  checkPassword({ ...o.services, settings: o.services.config, address: '192.0.2.1' }, org, username, password)

/** A user with a password. */
async function user(name: string): Promise<{ id: string; username: string }> {
  const id = await createUser(o, name)
  await setPassword(o.db, o.org, id, PASSWORD, clock)
  return { id, username: `${name}@objectry.test` }
}

describe('a password as it is stored', () => {
  test('is argon2id in its usual text, with a salt of its own and its cost', async () => {
    const [one, other] = [await hashPassword(PASSWORD), await hashPassword(PASSWORD)]
    assert.match(one, /^\$argon2id\$v=19\$m=\d{5,},t=\d,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    assert.notEqual(one, other)
    assert.equal(await passwordMatches(PASSWORD, one), true)
    assert.equal(await passwordMatches(`${PASSWORD} `, one), false)
  })

  test('is taken with another cost than that of today', async () => {
    // The reference implementation: printf %s password | argon2 somesalt -id -t 2 -k 65536 -p 1 -l 32
    const stored = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
    assert.equal(await passwordMatches('password', stored), true)
    assert.equal(await passwordMatches('Password', stored), false)
  })

  test('is no field: no query, describe or record shows it', async () => {
    const { body } = await o.call('GET', '/sobjects/User/describe')
    assert.ok(!JSON.stringify(body).toLowerCase().includes('hash'))
    const { text } = await o.call('GET', `/sobjects/User/${o.userId}`)
    assert.ok(!text.includes('argon2'))
    assert.equal((await o.call('GET', '/query?q=SELECT+Id+FROM+_user_secret')).status, 400)
  })
})

describe('the rules', () => {
  test('are reported with what to do', () => {
    for (const [password, problem] of [
      ['', /at least 8 characters/],
      ['1234567', /at least 8 characters/],
      ['\u{1f600}'.repeat(7), /at least 8 characters/],
      ['x1y'.repeat(67), /at most 200 characters/],
      ['Admin@Objectry.test', /must not be the username/],
      ['password123', /tried first everywhere/],
      ['PASSWORD123', /tried first everywhere/],
      ['aaaaaaaaaa', /tried first everywhere/],
      ['abababab', /tried first everywhere/],
    ] as const) {
      assert.match(findPasswordProblem(password, USERNAME)!, problem, password)
    }
    assert.match(findPasswordProblem('longname', 'longname@example.com')!, /must not be the username/)
    for (const good of ['12345679', ' spaces are fine ', '日本語のパスワード', PASSWORD, makePassword()]) {
      assert.equal(findPasswordProblem(good, USERNAME), undefined, good)
    }
  })

  test('hold for those that are set by an administrator', async () => {
    const path = `/setup/orgs/current/users/${o.userId}/password`
    const answer = await o.call('POST', path, { body: { password: 'password1' } })
    assertRefused(answer, 400, 'INVALID_INPUT', /tried first everywhere/)
  })
})

describe('a log-in', () => {
  test('counts exactly, however many come at once: of 40 wrong ones ten are tried', async () => {
    const { id, username } = await user('many')
    const wrong = Array.from({ length: 40 }, (_, index) => check(username, `wrong ${index}`))
    const refusals = (await Promise.all(wrong)).map(({ refusal }) => refusal)
    assert.equal(refusals.filter((refusal) => refusal === 'refused').length, 10)
    assert.equal(refusals.filter((refusal) => refusal === 'locked').length, 30)
    assert.equal((await check(username, PASSWORD)).refusal, 'locked')
    assert.equal((await o.call('POST', `/setup/orgs/current/users/${id}/unlock`)).status, 204)
    assert.equal((await check(username, PASSWORD)).user?.id, id)
  })

  test('many right ones at once all succeed', async () => {
    const { username } = await user('popular')
    const tries = Array.from({ length: 9 }, () => check(username, PASSWORD))
    assert.ok((await Promise.all(tries)).every(({ user }) => user !== undefined))
  })

  test('does as much work for a user that is not there, is locked, or has no password', async () => {
    const { username } = await user('measured')
    await createUser(o, 'bare')
    const { username: locked } = await user('shut')
    for (let count = 0; count < 10; count++) await check(locked, 'wrong')
    const names = [username, 'nobody@objectry.test', 'bare@objectry.test', locked]
    const least = new Map<string, number>()
    for (let round = 0; round < 4; round++) {
      for (const name of names) {
        const seconds = await measureProcessorTime(async () => {
          assert.equal((await check(name, 'wrong')).user, undefined)
        })
        least.set(name, Math.min(least.get(name) ?? Infinity, seconds))
      }
    }
    const usual = least.get(username)!
    // Without the work of a comparison it would be a tenth.
    for (const [name, taken] of least) {
      assert.ok(taken > usual / 3 && taken < usual * 3, `${name}: ${taken} s, usually ${usual} s`)
    }
  })
})

describe('another password', () => {
  /** Everything that a user can be logged in with. */
  async function holdings(userId: string) {
    const count = async (table: string) => {
      const [row] = await o.db.query<{ count: number }>(
        sql`select count(*)::integer as count from ${sql.id('objectry', table)} where user_id = ${userId}`,
      )
      return row!.count
    }
    return Promise.all(['session', 'refresh_token', 'browser_session', 'authorization_code'].map(count))
  }

  test('ends everything that the user was logged in with, and nobody else', async () => {
    const { id, username } = await user('leaver')
    const browser = o.open()
    await browser.logIn(username)
    const hash = hashToken('a token')
    const columns = { client: o.clientId, org: o.org.id }
    await o.db.query(sql`
      insert into objectry.session (token_hash, client_id, org_id, user_id, scopes, grant_type, issued_at, last_used_at, idle_seconds)
      values (${hash}, ${columns.client}, ${columns.org}, ${id}, '{api}', 'password', now(), now(), 100)`)
    await o.db.query(sql`
      insert into objectry.refresh_token (token_hash, family, client_id, org_id, user_id, scopes, issued_at, last_used_at)
      values (${hash}, 'f', ${columns.client}, ${columns.org}, ${id}, '{api}', now(), now())`)
    const { org } = o
    const redirectUri = CALLBACK
    await issueCode(o.db, clock, { clientId: o.clientId, org, userId: id, scopes: ['api'], redirectUri })
    await approve(o.db, clock, { clientId: o.clientId, org, userId: id, scopes: ['api'] })
    assert.deepEqual(await holdings(id), [1, 1, 1, 1])
    const before = await holdings(o.userId)
    await setPassword(o.db, org, id, 'another good one', clock)
    assert.deepEqual(await holdings(id), [0, 0, 0, 0])
    assert.deepEqual(await holdings(o.userId), before)
    // Every process reads here which tokens it must drop.
    const revoked = await o.db.query(sql`select from objectry.revocation where token_hash = ${hash}`)
    assert.equal(revoked.length, 1)
    assert.equal((await check(username, PASSWORD)).refusal, 'refused')
    const { body } = await o.call('GET', `/sobjects/User/${id}?fields=LastPasswordChangeDate`)
    assert.equal(body.LastPasswordChangeDate.slice(0, 19), now.toISOString().slice(0, 19))
  })

  test('is not set by a token of a browser session that another token has opened: it would outlive that one', async () => {
    const { sessions } = o.services
    const given = { org: o.org, userId: o.userId, clientId: o.clientId, scopes: ['api'], grantType: 'test' }
    const root = await sessions.issue(given)
    const child = await sessions.issue({ ...given, parentTokenHash: hashToken(root) })
    const path = `/sobjects/User/${o.userId}/password`
    const headers = { authorization: `Bearer ${child}` }
    for (const [method, body] of [
      ['POST', { NewPassword: NEW }],
      ['DELETE', undefined],
    ] as const) {
      assertRefused(
        await o.call(method, path, { headers, body }),
        403,
        'INSUFFICIENT_ACCESS',
        'A session that was opened by an access token cannot change the password of its user. Log in for that.',
      )
    }
    assert.equal((await o.call('GET', path, { headers })).status, 200)
    const { id } = await user('managed')
    const other = await o.call('DELETE', `/sobjects/User/${id}/password`, { headers })
    assert.equal(other.status, 200)
  })

  const NEW = 'a brand new one'

  const change = async (name: string, filled: Record<string, string>): Promise<Shown> => {
    const browser = o.open()
    await browser.logIn(`${name}@objectry.test`)
    return browser.submit(await browser.get('/change-password'), {
      current: PASSWORD,
      password: NEW,
      again: NEW,
      ...filled,
    })
  }

  test('is chosen on a page, with the current one; other browsers are logged out, this one is not', async () => {
    await user('changer')
    const [browser, other] = [o.open(), o.open()]
    for (const one of [browser, other]) await one.logIn('changer@objectry.test')
    const page = await browser.get('/change-password')
    for (const name of ['current', 'password', 'again']) {
      assert.match(page.text, new RegExp(`<label for="${name}">`))
    }
    const done = await browser.submit(page, { current: PASSWORD, password: NEW, again: NEW })
    assert.match(done.text, /<h1>Password changed<\/h1>/)
    assert.match((await browser.get('/login')).text, /<h1>You are logged in<\/h1>/)
    assert.match((await other.get('/login')).text, /<h1>Log in<\/h1>/)
    assert.equal((await check('changer@objectry.test', PASSWORD)).refusal, 'refused')
    assert.ok((await check('changer@objectry.test', NEW)).user)
  })

  test('is refused with the reason at its field, and nothing changes', async () => {
    await user('refused')
    for (const [filled, message, field] of [
      [{ current: 'wrong' }, /^The current password is wrong\.$/, 'current'],
      [{ current: '' }, /^The current password is wrong\.$/, 'current'],
      [{ password: 'short', again: 'short' }, /at least 8 characters/, 'password'],
      [{ again: 'another one' }, /^The new passwords are not the same\.$/, 'again'],
      [{ password: PASSWORD, again: PASSWORD }, /^The new password is the current one\.$/, 'password'],
      [{ password: 'with a \0 in it', again: 'with a \0 in it' }, /cannot be in a password/, 'password'],
    ] as const) {
      const page = await change('refused', filled)
      assert.deepEqual([page.status, message.test(alertIn(page)!)], [400, true], alertIn(page))
      const input = new RegExp(`id="${field}"[^>]*aria-describedby="problem[^>]*aria-invalid="true"`)
      assert.match(page.text, input)
    }
    assert.ok((await check('refused@objectry.test', PASSWORD)).user)
  })

  test('is asked of nobody who is not logged in', async () => {
    const { status, location } = await o.open().get('/change-password')
    assert.deepEqual([status, location], [303, '/login?retURL=%2Fchange-password%3FretURL%3D%252Flogin'])
  })
})

describe('passwords', () => {
  test('go along with a copy of the org, stay through a reset and a restore', async () => {
    const copy = await copyOrg(o.db, o.services, o.org, `Copy ${o.org.id}`, undefined, SECRETS)
    assert.ok((await check(USERNAME, PASSWORD, copy)).user)
    await dropOrg(o.db, copy)
    await saveSnapshot(o.db, o.org, 'before')
    const { id, username } = await user('later')
    await setPassword(o.db, o.org, o.userId, 'since the snapshot', clock)
    await resetOrg(o.db, o.org)
    assert.equal((await check(username, PASSWORD)).user?.id, id)
    await restoreSnapshot(o.db, o.services, o.org, 'before')
    assert.equal((await check(username, PASSWORD)).refusal, 'refused')
    assert.ok((await check(USERNAME, 'since the snapshot')).user)
    await setPassword(o.db, o.org, o.userId, PASSWORD, clock)
  })
})
