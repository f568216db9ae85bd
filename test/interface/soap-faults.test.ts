import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setPassword } from '../../src/auth/users/passwords.ts'
import { systemClock } from '../../src/base/clock.ts'
import { createUser } from '../support/create-user.ts'
import { statusWith } from '../support/oauth.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { assertFault, callSoap, fetchSession, logInBySoap } from '../support/soap.ts'

/* Fault plans apply to SOAP calls as they do to REST calls. */

const PASSWORD = 'a password of the tests'
const USERNAME = 'person@objectry.test'

let o: TestOrg

before(async () => {
  o = await openOrg({ settings: { allowSoapLogin: 'true', allowFaults: 'true' } })
  await setPassword(o.db, o.org, await createUser(o, 'person'), PASSWORD, systemClock)
})

/** Sets the only plan. */
async function plan(body: object): Promise<void> {
  const answer = await o.call('PUT', '/setup/faults/plan', { body })
  assert.equal(answer.status, 200, answer.text)
}

const once = { until: { count: 1 } }
const call = (token: string, name = 'getUserInfo') => callSoap(o, `<${name}/>`, { token })

describe('a fault plan', () => {
  test('takes the token of a SOAP call away', async () => {
    const token = await fetchSession(o, USERNAME, PASSWORD)
    await plan({ ...once, match: { route: '/services/Soap/u/getUserInfo' }, effect: { token: 'expired' } })
    assertFault(
      await call(token),
      'INVALID_SESSION_ID',
      'Invalid Session ID found in SessionHeader: Illegal Session',
    )
    assert.equal(await statusWith(o, token), 401)
  })

  test('refuses a SOAP call with any code, as a fault', async () => {
    await plan({
      ...once,
      match: { route: '/services/Soap/*' },
      effect: { error: { code: 'UNABLE_TO_LOCK_ROW', message: 'busy' } },
    })
    assertFault(await call(o.token), 'UNABLE_TO_LOCK_ROW', 'busy')
    assert.equal((await call(o.token)).status, 200)
    await plan({ ...once, effect: { limit: 'total' } })
    assertFault(await call(o.token), 'REQUEST_LIMIT_EXCEEDED', 'TotalRequests Limit exceeded.')
    await plan({ ...once, effect: { status: 503 } })
    assertFault(await call(o.token), 'SERVER_UNAVAILABLE', 'Server Too Busy', 503)
    await plan({ ...once, effect: { status: 502 } })
    assert.match((await call(o.token)).text, /<h1>502 Bad Gateway<\/h1>/)
  })

  test('refuses a log-in, of the user whom it names', async () => {
    const effect = { error: { code: 'INVALID_LOGIN', message: 'not today' } }
    await plan({ match: { route: '/services/Soap/u/login', user: 'Person@objectry.test' }, effect })
    assertFault(await logInBySoap(o, USERNAME, PASSWORD), 'INVALID_LOGIN', 'not today')
    assertFault(await logInBySoap(o, 'another@objectry.test', PASSWORD), 'INVALID_LOGIN', /^Invalid username/)
    assert.equal((await logInBySoap(o, USERNAME, PASSWORD, { letter: 'c' })).status, 200)
    const { calls } = (await o.call('GET', '/setup/orgs/current/calls?path=/services/Soap')).body
    const { route, status, errorCode } = calls[1]
    assert.deepEqual([route, status, errorCode], ['/services/Soap/u/login', 500, 'INVALID_LOGIN'])
  })

  test('refuses log-ins to both APIs by their short name, and no other call', async () => {
    await plan({ match: { route: 'soap' }, effect: { error: { code: 'INVALID_LOGIN', message: 'no' } } })
    for (const letter of ['u', 'c'] as const)
      assertFault(await logInBySoap(o, USERNAME, PASSWORD, { letter }), 'INVALID_LOGIN', 'no')
    assert.equal((await call(o.token)).status, 200)
  })

  test('delays a log-in', async () => {
    await plan({ ...once, match: { route: '/services/Soap/u/login' }, effect: { latency: 300 } })
    const began = performance.now()
    assert.equal((await logInBySoap(o, USERNAME, PASSWORD)).status, 200)
    assert.ok(performance.now() - began >= 295)
  })

  test('may name every SOAP call, and no other', async () => {
    for (const route of ['/services/Soap/c/logout', '/services/Soap/u/query', '/services/Soap/c/*']) {
      await plan({ match: { route }, effect: { latency: 1 } })
    }
    const body = { match: { route: '/services/Soap/u/longin' }, effect: { latency: 1 } }
    const { status, text } = await o.call('PUT', '/setup/faults/plan', { body })
    assert.equal(status, 400)
    assert.match(text, /did you mean \/services\/Soap\/u\/login\?/)
  })

  test('is in the report with what the client made of it', async () => {
    const token = await fetchSession(o, USERNAME, PASSWORD)
    await plan({ ...once, match: { app: 'SoapLogin' }, effect: { token: 'expired' } })
    await call(token)
    assertFault(await call(token), 'INVALID_SESSION_ID')
    const answer = await o.call('GET', '/setup/orgs/current/report')
    assert.match(answer.text, /"SoapLogin"/)
    assert.match(answer.text, /sent it again with the old token/)
  })
})
