import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setPassword } from '../../src/auth/users/passwords.ts'
import { systemClock } from '../../src/base/clock.ts'
import { ROUTES } from '../../src/resources/routes.ts'
import { findRestRoute, SOAP_ROUTES } from '../../src/soap/operation-names.ts'
import { fetchRecords } from '../support/ask.ts'
import { createUser } from '../support/create-user.ts'
import { statusWith } from '../support/oauth.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson } from '../support/people.ts'
import { restoreSnapshot, saveSnapshot } from '../support/snapshots.ts'
import {
  assertFault,
  callSoap,
  fetchSession,
  logInBySoap,
  makeEnvelope,
  postSoap,
  textOf,
} from '../support/soap.ts'

const PASSWORD = 'a <password> & of the tests '
const USERNAME = 'person@objectry.test'

const WRONG = 'Invalid username, password, security token; or user locked out.'
const OFF =
  'SOAP API login() is disabled by default in this org. Contact the org administrator to enable SOAP API login().'
const ILLEGAL = 'Invalid Session ID found in SessionHeader: Illegal Session'

let off: TestOrg
let on: TestOrg
let userId: string

before(async () => {
  off = await openOrg()
  on = await openOrg({ settings: { allowSoapLogin: 'true' } })
  for (const o of [off, on]) {
    userId = await createUser(o, 'person')
    await setPassword(o.db, o.org, userId, PASSWORD, systemClock)
  }
})

describe('a log-in by SOAP', () => {
  test('is refused unless the setting says so, whatever the password is', async () => {
    for (const password of [PASSWORD, 'wrong']) {
      assertFault(await logInBySoap(off, USERNAME, password), 'INVALID_OPERATION', OFF)
    }
  })

  test('is refused in versions above 64.0, whatever the setting is', async () => {
    for (const o of [on, off]) {
      assertFault(
        await logInBySoap(o, USERNAME, PASSWORD, { version: '65.0' }),
        'INVALID_OPERATION',
        'The SOAP Login operation is not available in the API version specified (65.0). Refer to the documentation for supported versions.',
      )
    }
  })

  for (const letter of ['u', 'c'] as const) {
    test(`gives a session for REST, and the addresses to go on with: ${letter}`, async () => {
      const answer = await logInBySoap(on, USERNAME, PASSWORD, {
        letter,
        version: '59.0',
        headers: { host: 'records.example.com' },
      })
      assert.equal(answer.status, 200, answer.text)
      const orgId = on.org.id.slice(0, 15)
      assert.equal(
        textOf(answer, 'serverUrl'),
        `http://records.example.com/services/Soap/${letter}/59.0/${orgId}`,
      )
      assert.equal(
        textOf(answer, 'metadataServerUrl'),
        `http://records.example.com/services/Soap/m/59.0/${orgId}`,
      )
      assert.deepEqual(
        ['passwordExpired', 'sandbox', 'userId', 'userName', 'organizationId'].map((name) =>
          textOf(answer, name),
        ),
        ['false', 'false', userId, USERNAME, on.org.id],
      )
      const token = textOf(answer, 'sessionId')!
      assert.match(token, /^00D\w{12}![\w.]{96}$/)
      assert.equal(await statusWith(on, token), 200)
    })
  }

  test('goes to the org that its header names, where the address names none', async () => {
    const call = `<login><username>${USERNAME}</username><password><![CDATA[${PASSWORD}]]></password></login>`
    const scope = `<LoginScopeHeader><organizationId>${on.org.id}</organizationId></LoginScopeHeader>`
    const envelope = makeEnvelope(call).replace('<e:Header>', `<e:Header>${scope}`)
    const answer = await postSoap(on, envelope, { behind: '' })
    assert.equal(textOf(answer, 'organizationId'), on.org.id, answer.text)
    const foreign = await openOrg({ host: 'elsewhere.example.com' })
    assertFault(
      await logInBySoap(foreign, USERNAME, PASSWORD, { headers: { host: 'here.example.com' } }),
      'INVALID_LOGIN',
    )
    assertFault(
      await logInBySoap(on, USERNAME, PASSWORD, { behind: '/00D000000000000' }),
      'INVALID_LOGIN',
      WRONG,
    )
  })

  test('is taken as Python clients write it, and answers what they read', async () => {
    const password = 'it\'s <mine> "today"'
    await setPassword(on.db, on.org, await createUser(on, 'python'), password, systemClock)
    const escaped = 'it&#x27;s &lt;mine&gt; &quot;today&quot;'
    const envelope = `<?xml version="1.0" encoding="utf-8" ?>
        <env:Envelope
                xmlns:xsd="http://www.w3.org/2001/XMLSchema"
                xmlns:env="http://schemas.xmlsoap.org/soap/envelope/"
                xmlns:urn="urn:partner.soap.sforce.com">
            <env:Header>
                <urn:CallOptions><urn:client>RestForce</urn:client></urn:CallOptions>
            </env:Header>
            <env:Body>
                <n1:login xmlns:n1="urn:partner.soap.sforce.com">
                    <n1:username>python@objectry.test</n1:username>
                    <n1:password>${escaped}</n1:password>
                </n1:login>
            </env:Body>
        </env:Envelope>`
    const headers = { 'content-type': 'text/xml', charset: 'UTF-8', soapaction: 'login' }
    const answer = await postSoap(on, envelope, { version: '59.0', headers })
    assert.equal(answer.status, 200, answer.text)
    // They refuse an answer that has one of these twice.
    for (const name of ['sessionId', 'serverUrl']) assert.equal(answer.text.split(`<${name}>`).length, 2)
    const refused = await postSoap(on, envelope.replace(escaped, 'x'), { headers })
    for (const name of ['sf:exceptionCode', 'sf:exceptionMessage']) {
      assert.equal(refused.text.split(`<${name}>`).length, 2)
    }
  })

  test('says the same whatever is wrong', async () => {
    const gone = await createUser(on, 'gone', { IsActive: false })
    await setPassword(on.db, on.org, gone, PASSWORD, systemClock)
    for (const [username, password] of [
      [USERNAME, 'wrong'],
      [USERNAME, PASSWORD.trim()],
      [USERNAME, ''],
      ['nobody@objectry.test', PASSWORD],
      ['gone@objectry.test', PASSWORD],
      ['', ''],
    ] as const) {
      assertFault(await logInBySoap(on, username, password), 'INVALID_LOGIN', WRONG)
    }
    assertFault(await callSoap(on, '<login/>'), 'INVALID_LOGIN', WRONG)
  })

  test('is locked with the log-in pages, by the same count of wrong passwords', async () => {
    const o = await openOrg({ settings: { allowSoapLogin: 'true', passwordErrors: '2' } })
    await setPassword(o.db, o.org, await createUser(o, 'locked'), PASSWORD, systemClock)
    const ask = (password: string) => logInBySoap(o, 'locked@objectry.test', password)
    assert.equal((await ask(PASSWORD)).status, 200)
    for (const password of ['wrong', 'wrong', PASSWORD]) {
      assertFault(await ask(password), 'INVALID_LOGIN', WRONG)
    }
  })

  test('has to wait at an address with too many wrong ones', async () => {
    const o = await openOrg({ settings: { allowSoapLogin: 'true', logInErrors: '2' } })
    for (const name of ['a', 'b']) assertFault(await logInBySoap(o, name, 'wrong'), 'INVALID_LOGIN')
    const answer = await logInBySoap(o, 'c', 'wrong')
    assertFault(answer, 'REQUEST_LIMIT_EXCEEDED', 'Login rate exceeded')
    assert.ok(Number(answer.headers['retry-after']) > 0)
  })

  test('is in the log-in history with its API, version and client', async () => {
    const block = (name: string) => `<CallOptions><client>${name}</client></CallOptions>`
    for (const [letter, version, blocks] of [
      ['u', '50.0', block('Data Loader')],
      ['c', '64.0', ''],
      ['u', '64.0', block('x'.repeat(100))],
    ] as const) {
      const answer = await logInBySoap(on, USERNAME, PASSWORD, { letter, version, blocks })
      assert.equal(answer.status, 200, answer.text)
    }
    await on.services.logins.writeDown()
    const rows = await fetchRecords(
      on,
      "SELECT Application, ApiType, ApiVersion FROM LoginHistory WHERE LoginType = 'Other Apex API' ORDER BY Id DESC LIMIT 3",
    )
    assert.deepEqual(
      rows.map(({ Application, ApiType, ApiVersion }) => [Application, ApiType, ApiVersion]),
      [
        ['x'.repeat(80), 'SOAP Partner', '64.0'],
        ['N/A', 'SOAP Enterprise', '64.0'],
        ['Data Loader', 'SOAP Partner', '50.0'],
      ],
    )
  })

  test('is in the log-in history and in the call log, a refused one in neither', async () => {
    const count = async () => {
      await on.services.logins.writeDown()
      const rows = await fetchRecords(
        on,
        `SELECT LoginType FROM LoginHistory WHERE UserId = '${userId}' AND LoginType = 'Other Apex API'`,
      )
      return rows.length
    }
    const calls = async () =>
      (await on.call('GET', '/setup/orgs/current/calls?path=/services/Soap')).body.calls as {
        route: string
        status: number
        user: string
        app: string
      }[]
    const [before, logged] = [await count(), (await calls()).length]
    await logInBySoap(on, USERNAME, 'wrong')
    await fetchSession(on, USERNAME, PASSWORD)
    assert.equal(await count(), before + 1)
    const now = await calls()
    assert.equal(now.length, logged + 1)
    const { route, status, user, app } = now[0]!
    assert.deepEqual([route, status, user, app], ['/services/Soap/u/login', 200, USERNAME, 'SoapLogin'])
  })

  test('with a password that has to be changed gives a session that sets another one, and nothing else', async () => {
    const id = await createUser(on, 'fresh')
    await setPassword(on.db, on.org, id, PASSWORD, systemClock, { mustChange: true })
    const answer = await logInBySoap(on, 'fresh@objectry.test', PASSWORD)
    assert.equal(textOf(answer, 'passwordExpired'), 'true', answer.text)
    const token = textOf(answer, 'sessionId')!
    assert.equal(await statusWith(on, token), 403)
    const set = (whose: string) =>
      callSoap(
        on,
        `<setPassword><userId>${whose}</userId><password>another password</password></setPassword>`,
        { token },
      )
    const code = 'INVALID_OPERATION_WITH_EXPIRED_PASSWORD'
    assertFault(await callSoap(on, '<getUserInfo/>', { token }), code)
    assertFault(await callSoap(on, '<query/>', { token }), code)
    assertFault(await set(userId), code)
    assert.equal((await callSoap(on, '<getServerTimestamp/>', { token })).status, 200)
    assert.equal((await set(id)).status, 200)
    assertFault(await callSoap(on, '<getServerTimestamp/>', { token }), 'INVALID_SESSION_ID', ILLEGAL)
    const changed = await logInBySoap(on, 'fresh@objectry.test', 'another password')
    assert.equal(textOf(changed, 'passwordExpired'), 'false', changed.text)
  })

  test('is refused to users who may not use the API', async () => {
    const { body } = await on.call('GET', "/query?q=SELECT+Id+FROM+Profile+WHERE+Name='Read Only'")
    const profile = body.records[0]?.Id ?? (await on.create('Profile', { Name: 'No API' }))
    const id = await createUser(on, 'browser', { ProfileId: profile })
    await setPassword(on.db, on.org, id, PASSWORD, systemClock)
    await on.call('PATCH', `/sobjects/Profile/${profile}`, { body: { PermissionsApiEnabled: false } })
    const answer = await logInBySoap(on, 'browser@objectry.test', PASSWORD)
    assertFault(answer, 'API_DISABLED_FOR_ORG', 'API is not enabled for this Organization or Partner')
  })
})

describe('a session by SOAP', () => {
  test('ends with logout, for REST too', async () => {
    const token = await fetchSession(on, USERNAME, PASSWORD)
    const answer = await callSoap(on, '<logout/>', { token })
    assert.equal(answer.status, 200)
    assert.match(answer.text, /<soapenv:Body><logoutResponse><\/logoutResponse><\/soapenv:Body>/)
    assertFault(await callSoap(on, '<logout/>', { token }), 'INVALID_SESSION_ID', ILLEGAL)
    assert.equal(await statusWith(on, token), 401)
  })

  test('may be a token of OAuth, in either API and every version', async () => {
    for (const [letter, version] of [
      ['u', '31.0'],
      ['c', '68.0'],
    ] as const) {
      const answer = await callSoap(on, '<getUserInfo/>', { letter, version, token: on.token })
      assert.equal(answer.status, 200, answer.text)
      assert.match(answer.text, new RegExp(`xmlns="urn:${letter === 'u' ? 'partner' : 'enterprise'}\\.soap`))
      assert.deepEqual(
        ['userId', 'organizationId', 'userType', 'sessionSecondsValid'].map((name) => textOf(answer, name)),
        [on.userId, on.org.id, 'Standard', '7200'],
      )
      assert.match(answer.text, /<currencySymbol xsi:nil="true"\/>/)
    }
  })

  test('outlives a restore of its org', async () => {
    const token = await fetchSession(on, USERNAME, PASSWORD)
    await saveSnapshot(on, 'before')
    await on.create('Account', { Name: 'gone soon' })
    await restoreSnapshot(on, 'before')
    assert.equal(await statusWith(on, token), 200)
  })

  test('tells the time by the clock of the org', async () => {
    const now = new Date('2026-03-05T12:00:00Z')
    const o = await openOrg({ clock: () => now })
    const answer = await callSoap(o, '<getServerTimestamp/>', { token: o.token })
    assert.equal(textOf(answer, 'timestamp'), '2026-03-05T12:00:00.000Z')
  })

  test('sets passwords by the rules and the rights of REST', async () => {
    const id = await createUser(on, 'other')
    const set = (token: string, whose: string, password: string) =>
      callSoap(on, `<setPassword><userId>${whose}</userId><password>${password}</password></setPassword>`, {
        token,
      })
    const answer = await set(on.token, id.slice(0, 15), 'long enough')
    assert.match(answer.text, /<setPasswordResponse><result><\/result><\/setPasswordResponse>/)
    await fetchSession(on, 'other@objectry.test', 'long enough')
    assertFault(await set(on.token, id, 'short'), 'INVALID_NEW_PASSWORD', /at least 8 characters/)
    assertFault(await set(on.token, 'x', 'long enough'), 'MALFORMED_ID')
    assertFault(await set(on.token, `${id.slice(0, 14)}z`, 'long enough'), 'NOT_FOUND')
    const person = await addPerson(on, 'curious')
    assertFault(await set(person.org.token, id, 'long enough'), 'INSUFFICIENT_ACCESS')
  })

  test('that is not valid is HTTP 500 with the code that clients look for', async () => {
    const foreign = await openOrg()
    for (const token of [undefined, '', 'x', `${on.token}x`, foreign.token]) {
      const answer = await callSoap(on, '<getUserInfo/>', { token })
      assertFault(answer, 'INVALID_SESSION_ID', ILLEGAL)
      assert.match(answer.text, /<faultcode>sf:INVALID_SESSION_ID<\/faultcode>/)
      assert.equal(answer.headers['www-authenticate'], undefined)
    }
    const bearer = { headers: { authorization: `Bearer ${on.token}` } }
    assertFault(await callSoap(on, '<getUserInfo/>', bearer), 'INVALID_SESSION_ID')
  })

  test('counts its calls toward the allocation, and has them in the call log; a log-in does not count', async () => {
    const used = async () => {
      const answer = await callSoap(on, '<getServerTimestamp/>', { token: on.token })
      return Number(/api-usage=(\d+)\//.exec(String(answer.headers['sforce-limit-info']))![1])
    }
    const first = await used()
    await fetchSession(on, USERNAME, PASSWORD)
    assert.equal(await used(), first + 1)
    const { calls } = (await on.call('GET', '/setup/orgs/current/calls?path=/services/Soap')).body
    assert.deepEqual(
      [calls[0].route, calls[0].method, calls[0].app],
      ['/services/Soap/u/getServerTimestamp', 'POST', on.clientId],
    )
    const full = await openOrg({ settings: { allocation: '1', allowSoapLogin: 'true' } })
    const call = () => callSoap(full, '<getUserInfo/>', { token: full.token })
    assert.equal((await call()).status, 200)
    assertFault(await call(), 'REQUEST_LIMIT_EXCEEDED', 'TotalRequests Limit exceeded.')
  })
})

describe('the SOAP API for code', () => {
  const run = '<executeAnonymous><apexcode>System.debug(1);</apexcode></executeAnonymous>'
  const ask = (call: string, token?: string) => callSoap(on, call, { letter: 's', token, version: '64.0' })

  test('answers that code does not compile, as the tooling API does', async () => {
    const answer = await ask(run, on.token)
    assert.equal(answer.status, 200, answer.text)
    assert.match(answer.text, /<soapenv:Body><executeAnonymousResponse><result>/)
    const { body } = await on.call('GET', '/tooling/executeAnonymous?anonymousBody=x')
    for (const name of ['compiled', 'success', 'line', 'column', 'compileProblem'])
      assert.equal(textOf(answer, name), String(body[name]), name)
    assert.match(answer.text, /<exceptionMessage xsi:nil="true"\/>/)
  })

  test('refuses other calls, and whoever has no token', async () => {
    assertFault(await ask(run), 'INVALID_SESSION_ID')
    assertFault(await ask('<runTests/>', on.token), 'FUNCTIONALITY_NOT_ENABLED', /code is TypeScript/)
    assertFault(await ask('<getUserInfo/>', on.token), 'XML_PARSER_ERROR')
  })
})

describe('a SOAP call that is not there', () => {
  test('names the REST call that does the same', async () => {
    assertFault(
      await callSoap(on, '<query><queryString>SELECT Id FROM Account</queryString></query>', {
        token: on.token,
      }),
      'FUNCTIONALITY_NOT_ENABLED',
      'The SOAP call query is not supported here. Use REST instead: GET /query, below /services/data/v68.0.',
    )
    assertFault(
      await callSoap(on, '<merge/>', { token: on.token, letter: 'c' }),
      'FUNCTIONALITY_NOT_ENABLED',
      'The SOAP call merge is not supported here. REST has no call for it either.',
    )
    assertFault(await callSoap(on, '<query/>'), 'INVALID_SESSION_ID')
  })

  test('names routes that are there', () => {
    const known = new Set(ROUTES.map(({ method, path }) => `${method} ${path}`))
    const named = SOAP_ROUTES.flatMap((route) => findRestRoute(route.split('/').at(-1)!)?.split(' or ') ?? [])
    assert.ok(named.length > 40)
    assert.deepEqual(
      named.filter((route) => !known.has(route)),
      [],
    )
  })

  test('is the fault of the client where the API never had it', async () => {
    for (const call of [
      '<eat/>',
      '<valueOf/>',
      '<login xmlns="urn:enterprise.soap.sforce.com"/>',
      '<login xmlns=""/>',
    ]) {
      assertFault(await callSoap(on, call), 'XML_PARSER_ERROR', /^No operation available for request \{.*\}/)
    }
  })

  test('is refused in APIs and versions that are not there', async () => {
    for (const url of ['/services/Soap/class/X', '/services/Soap/T/64.0/00D', '/services/Soap/x']) {
      const { statusCode, body } = await on.server.inject({ method: 'POST', url, payload: '<x/>' })
      assert.equal(statusCode, 500, url)
      assert.match(body, /FUNCTIONALITY_NOT_ENABLED: This SOAP API is not available here/)
    }
    for (const version of ['30.0', '99.0', '64.1', 'v64.0', '0.0']) {
      assertFault(
        await logInBySoap(on, USERNAME, PASSWORD, { version }),
        'UNSUPPORTED_API_VERSION',
        'Invalid Api version specified on URL',
      )
    }
  })
})
