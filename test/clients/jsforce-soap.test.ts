import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Connection } from 'jsforce'
import { setPassword } from '../../src/auth/users/passwords.ts'
import { systemClock } from '../../src/base/clock.ts'
import { dropOrg } from '../../src/storage/orgs/orgs.ts'
import { createUser } from '../support/create-user.ts'
import { catchError } from '../support/jsforce-client.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { openPort, type RealPort } from '../support/real-port.ts'

/* The jsforce of the registry, unmodified, logs in by SOAP over a real port. */

const USERNAME = 'loader@objectry.test'
const PASSWORD = 'it\'s a "password" & <more>'

let o: TestOrg
let userId: string
let on: RealPort
let off: RealPort

before(async () => {
  // Its log-in names no org: it is the one of the host.
  o = await openOrg({ host: '127.0.0.1' })
  userId = await createUser(o, 'loader')
  await setPassword(o.db, o.org, userId, PASSWORD, systemClock)
  on = await openPort(() => {}, { allowSoapLogin: 'true', allowFaults: 'true' })
  off = await openPort()
})
after(async () => {
  await on.close()
  await off.close()
  // Files that run next in this process reach orgs of their own at the same address.
  await dropOrg(o.db, o.org)
})

const connect = ({ address: loginUrl }: RealPort, version = '64.0') => new Connection({ loginUrl, version })

/** Sets the only plan, for one call. */
async function plan(body: object): Promise<void> {
  const put = await fetch(`${on.address}/setup/faults/plan`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${o.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, until: { count: 1 } }),
  })
  assert.equal(put.status, 200, await put.text())
}

describe('jsforce', () => {
  test('logs in with a password, queries, and logs out', async () => {
    const conn = connect(on)
    const { id, organizationId, url } = await conn.login(USERNAME, PASSWORD)
    assert.deepEqual([id, organizationId], [userId, o.org.id])
    assert.equal(url, `${on.address}/id/${o.org.id}/${userId}`)
    assert.equal(conn.instanceUrl, on.address)
    const { records } = await conn.query(`SELECT Username FROM User WHERE Id = '${userId}'`)
    assert.equal(records[0]!.Username, USERNAME)
    assert.equal((await conn.identity()).username, USERNAME)
    const { accessToken } = conn
    await conn.logout()
    const later = new Connection({ instanceUrl: on.address, accessToken: accessToken!, version: '64.0' })
    assert.equal((await catchError(later.query('SELECT Id FROM User'))).name, 'INVALID_SESSION_ID')
  })

  test('calls the API of partners with the token of a log-in', async () => {
    const conn = connect(on)
    await conn.login(USERNAME, PASSWORD)
    const info = await conn.soap.getUserInfo()
    assert.deepEqual(
      [info.userId, info.organizationId, info.userName, info.roleId, info.sessionSecondsValid],
      [userId, o.org.id, USERNAME, null, 7200],
    )
    const { timestamp } = await conn.soap.getServerTimestamp()
    assert.ok(Math.abs(Date.parse(String(timestamp)) - Date.now()) < 60_000)
    const error = await catchError(conn.soap.merge({} as never))
    assert.match(error.message, /The SOAP call merge is not supported here/)
    assert.equal(error.name, 'sf:FUNCTIONALITY_NOT_ENABLED')
  })

  test('logs in again when its session has ended, by SOAP as well as by REST', async () => {
    const conn = connect(on)
    await conn.login(USERNAME, PASSWORD)
    for (const call of [() => conn.query('SELECT Id FROM Organization'), () => conn.soap.getUserInfo()]) {
      const before = conn.accessToken
      await plan({ match: { app: 'SoapLogin' }, effect: { token: 'expired' } })
      assert.ok(await call())
      assert.notEqual(conn.accessToken, before)
    }
  })

  test('loses the answer of a log-in whose connection is cut, before it is made or afterwards', async () => {
    for (const cut of ['beforeCommit', 'afterCommit']) {
      await plan({ match: { route: '/services/Soap/u/login' }, effect: { cut } })
      const conn = connect(on)
      assert.match(
        String(((await catchError(conn.login(USERNAME, PASSWORD))) as Error).cause),
        /other side closed/,
      )
      assert.equal((await conn.login(USERNAME, PASSWORD)).id, userId)
    }
  })

  test('says why it cannot log in', async () => {
    for (const [conn, password, message] of [
      [
        connect(on),
        'wrong',
        'INVALID_LOGIN: Invalid username, password, security token; or user locked out.',
      ],
      [
        connect(on, '65.0'),
        PASSWORD,
        'INVALID_OPERATION: The SOAP Login operation is not available in the API version specified (65.0). Refer to the documentation for supported versions.',
      ],
      [
        connect(off),
        PASSWORD,
        'INVALID_OPERATION: SOAP API login() is disabled by default in this org. Contact the org administrator to enable SOAP API login().',
      ],
    ] as const) {
      assert.equal((await catchError(conn.login(USERNAME, password))).message, message)
    }
  })
})
