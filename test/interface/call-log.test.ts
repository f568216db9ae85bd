import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sql } from '../../src/base/sql.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow } from '../support/people.ts'

/* The latest calls of an org. (docs/reference/api/admin-api.md#call-log) */

const CALLS = '/setup/orgs/current/calls'

let o: TestOrg

before(async () => {
  o = await openOrg()
})

interface Logged {
  readonly id: string
  readonly path: string
  readonly [name: string]: unknown
}

async function log(query = '', from: Pick<TestOrg, 'call'> = o): Promise<{ calls: Logged[]; next: string }> {
  const { status, body, text } = await from.call('GET', `${CALLS}${query}`)
  assert.equal(status, 200, text)
  return body
}

async function open(id: string) {
  const { status, body, text } = await o.call('GET', `${CALLS}/${id}`)
  assert.equal(status, 200, text)
  return body
}

const setBodies = async (bodies: boolean) => {
  assert.equal((await o.call('PUT', `${CALLS}/settings`, { body: { bodies } })).status, 204)
}

const cursor = async () => (await log('?limit=1')).next

describe('the call log', () => {
  test('has each call with who made it, how it ended, and its statements', async () => {
    const after = await cursor()
    const id = await o.create('Account', { Name: 'Logged' })
    const read = await o.call('GET', `/sobjects/Account/${id}?fields=Name`)
    await o.call('GET', '/sobjects/Nothing/describe')
    const { calls, next } = await log(`?after=${after}`)
    assert.deepEqual(
      calls.map(({ method, route, status, errorCode }) => [method, route, status, errorCode]),
      [
        ['POST', '/sobjects/:object', 201, ''],
        ['GET', '/sobjects/:object/:id', 200, ''],
        ['GET', '/sobjects/:object/describe', 404, 'NOT_FOUND'],
      ],
    )
    const [created, found] = calls
    assert.equal(created!.path, '/services/data/v64.0/sobjects/Account')
    assert.equal(found!.path, `/services/data/v64.0/sobjects/Account/${id}`)
    assert.equal(found!.requestId, read.headers['x-request-id'])
    assert.deepEqual([found!.user, found!.app], ['admin@objectry.test', o.clientId])
    assert.equal(created!.bytesIn, '{"Name":"Logged"}'.length)
    assert.equal(found!.bytesOut, Buffer.byteLength(read.text))
    assert.ok((found!.statements as number) > 0 && (found!.databaseMs as number) >= 0)
    assert.ok(Math.abs(Date.parse(found!.time as string) - Date.now()) < 60_000)
    const { statementList, request } = await open(found!.id)
    assert.match(statementList[0].sql, /select/i)
    assert.equal(request, undefined)
    assert.equal(next, calls.at(-1)!.id)
    assert.deepEqual(await log(`?after=${next}`), { calls: [], next })
  })

  test('is filtered, paged both ways, and the newest come first without a cursor', async () => {
    const after = await cursor()
    for (const n of [1, 2, 3]) await o.call('GET', `/limits?n=${n}`)
    await o.call('GET', '/query?q=SELECT')
    const ids = (calls: readonly Logged[]) => calls.map(({ id }) => id)
    const all = ids((await log(`?after=${after}`)).calls)
    assert.equal(all.length, 4)
    const [first, ...others] = ids((await log('?limit=4')).calls)
    assert.deepEqual([first, ...others].reverse(), all)
    assert.deepEqual(ids((await log(`?before=${first}&limit=2`)).calls), others.slice(0, 2))
    const stepped = await log(`?after=${after}&limit=2`)
    assert.deepEqual(ids(stepped.calls), all.slice(0, 2))
    assert.deepEqual(ids((await log(`?after=${stepped.next}`)).calls), all.slice(2))
    for (const [filter, count] of [
      ['status=400', 1],
      ['status=4xx', 1],
      ['status=2xx', 3],
      ['path=LIMITS', 3],
      ['user=ADMIN@objectry.test', 4],
      ['user=nobody', 0],
      [`app=${o.clientId}`, 4],
      [`withoutApp=${o.clientId}`, 0],
      ['withoutApp=another', 4],
      ['since=2100-01-01', 0],
      ['since=2000-01-01T00:00:00Z', 4],
    ] as const)
      assert.equal((await log(`?after=${after}&${filter}`)).calls.length, count, filter)
    for (const wrong of [
      'after=x',
      'before=-1',
      'limit=501',
      'limit=0',
      'status=abc',
      'status=999',
      'since=now',
      'path=%00',
      `after=${'9'.repeat(30)}`,
    ])
      assert.equal((await o.call('GET', `${CALLS}?${wrong}`)).status, 400, wrong)
    assert.equal((await o.call('GET', `${CALLS}/0`)).status, 404)
    assert.equal((await o.call('GET', `${CALLS}/nothing`)).status, 404)
  })

  test('is for administrators with a permission of its own, who have it', async () => {
    const person = await addPerson(o, 'reader', {})
    await o.call('PATCH', `/sobjects/Profile/${person.profileId}`, {
      body: { PermissionsManageUsers: true, PermissionsCustomizeApplication: true },
    })
    assertRefused(
      await person.call('GET', CALLS),
      403,
      'INSUFFICIENT_ACCESS',
      'The call log is for users with the permission ViewCallLog',
    )
    await o.call('PATCH', `/sobjects/Profile/${person.profileId}`, { body: { PermissionsViewCallLog: true } })
    assert.equal((await person.call('GET', CALLS)).status, 200)
  })

  test('has no requests for tokens, no log-ins, no queries of addresses, and not who reads it', async () => {
    const after = await cursor()
    const form = { grant_type: 'client_credentials', client_id: o.clientId, client_secret: o.clientSecret }
    await o.server.inject({
      method: 'POST',
      url: '/services/oauth2/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(form).toString(),
    })
    await o.server.inject({ method: 'GET', url: '/login' })
    await o.call('GET', `/query?q=${encodeURIComponent("SELECT Id FROM Account WHERE Name = 'private'")}`)
    const { calls } = await log(`?after=${after}`)
    assert.deepEqual(
      calls.map(({ route }) => route),
      ['/query'],
    )
    assert.ok(!JSON.stringify(await open(calls[0]!.id)).includes('private'))
  })

  test('keeps bodies only where that is switched on, and forgets them when it is switched off', async () => {
    const own = await openOrg()
    const call = async () => {
      const after = (await log('?limit=1', own)).next
      await own.call('POST', '/sobjects/Account', { body: { Name: 'Kept' } })
      const { calls } = await log(`?after=${after}`, own)
      return (await own.call('GET', `${CALLS}/${calls[0]!.id}`)).body
    }
    const set = (bodies: boolean) => own.call('PUT', `${CALLS}/settings`, { body: { bodies } })
    assert.deepEqual((await own.call('GET', `${CALLS}/settings`)).body, { bodies: false })
    assert.equal((await call()).request, undefined)
    assert.equal((await set(true)).status, 204)
    assert.deepEqual((await own.call('GET', `${CALLS}/settings`)).body, { bodies: true })
    const { id, request, response } = await call()
    assert.deepEqual(request.body, { Name: 'Kept' })
    assert.equal(request.headers['content-type'], 'application/json')
    assert.equal(request.headers.authorization, undefined)
    assert.equal(response.body.success, true)
    assert.equal((await set(false)).status, 204)
    assert.equal((await own.call('GET', `${CALLS}/${id}`)).body.request, undefined)
    assert.equal((await call()).request, undefined)
    assert.equal((await own.call('PUT', `${CALLS}/settings`, { body: {} })).status, 400)
  })

  test('never has passwords, tokens, secrets of administrators, nor values of encrypted fields', async () => {
    await setBodies(true)
    await o.deploy([
      {
        name: 'Vault__c',
        fields: [{ name: 'Code__c', type: 'encryptedstring', length: 50, mask: 'all' }],
      } as never,
    ])
    const after = await cursor()
    const hidden = 'hidden-value-4711'
    const id = await o.create('Vault__c', { Code__c: hidden })
    await o.call('GET', `/sobjects/Vault__c/${id}`)
    await o.call(
      'GET',
      `/query?q=${encodeURIComponent('SELECT Code__c FROM Vault__c')}&access_token=${hidden}`,
    )
    await o.call('POST', '/composite', {
      body: {
        compositeRequest: [
          {
            method: 'POST',
            url: '/services/data/v64.0/sobjects/Vault__c',
            referenceId: 'a',
            body: { Code__c: hidden },
          },
          {
            method: 'GET',
            url: `/services/data/v64.0/sobjects/Vault__c/${id}?token=${hidden}`,
            referenceId: 'b',
          },
        ],
      },
    })
    await o.call('POST', `/sobjects/User/${o.userId}/password`, { body: { NewPassword: hidden } })
    await o.call('POST', '/graphql', {
      body: { query: '{ uiapi { query { Vault__c { edges { node { x: Code__c { value } } } } } } }' },
    })
    await o.call('PUT', '/preferences/my.password', { body: { password: hidden } })
    await o.call('POST', '/setup/orgs/current/apps', { body: { name: hidden } })
    const { calls } = await log(`?after=${after}`)
    assert.ok(calls.length >= 8, JSON.stringify(calls))
    let kept = 0
    for (const call of calls) {
      const whole = await open(call.id)
      if (whole.request !== undefined) kept++
      assert.ok(!JSON.stringify(whole).includes(hidden), JSON.stringify(whole))
    }
    assert.ok(kept >= 5)
    await setBodies(false)
  })
})

test('the log never has values of encrypted fields, whatever shows or compares them, nor credentials among parameters', async () => {
  const own = await openOrg()
  await own.call('PUT', `${CALLS}/settings`, { body: { bodies: true } })
  await own.deploy([
    {
      name: 'Safe__c',
      fields: [{ name: 'Pin__c', type: 'encryptedstring', length: 50, mask: 'all' }],
    } as never,
  ])
  const reader = await addPerson(own, 'reader')
  await allow(own, reader.setId, 'Safe__c', 'Read', 'ViewAllRecords', 'ViewAllFields')
  const seer = await addPerson(own, 'seer')
  await allow(own, seer.setId, 'Safe__c', 'Read', 'ViewAllRecords', 'ViewAllFields')
  await own.call('PATCH', `/sobjects/PermissionSet/${seer.setId}`, {
    body: { PermissionsViewEncryptedData: true },
  })
  const hidden = 'tale 8472'
  const shown = (await own.call('GET', `${CALLS}?limit=1`)).body.next
  const id = await own.create('Safe__c', { Pin__c: hidden })
  const ask = (who: Pick<TestOrg, 'call'>, soql: string) =>
    who.call('GET', `/query?q=${encodeURIComponent(soql)}`)
  for (const who of [reader, seer]) {
    for (const selected of [
      'Pin__c',
      'FORMAT(Pin__c) x',
      'toLabel(Pin__c) x',
      '(SELECT Pin__c FROM Safes__r)',
    ])
      await ask(who, `SELECT Id, ${selected} FROM Safe__c`)
    await ask(who, `SELECT Id FROM Safe__c WHERE Pin__c = '${hidden}'`)
    await ask(
      who,
      `SELECT COUNT(Id) n, MIN(Pin__c) m FROM Safe__c GROUP BY Pin__c HAVING MIN(Pin__c) = '${hidden}'`,
    )
    await who.call('GET', `/sobjects/Safe__c/Pin__c/${encodeURIComponent(hidden)}`)
    // No parameter of the interface.
    await who.call('GET', `/limits?pin__c=${encodeURIComponent(hidden)}`)
    const steps = [
      `/query?q=${encodeURIComponent(`SELECT Id FROM Safe__c WHERE Pin__c LIKE '${hidden}'`)}`,
      `/query?q=${encodeURIComponent('SELECT FORMAT(Pin__c) x FROM Safe__c')}`,
      `/sobjects/Safe__c/Pin__c/${encodeURIComponent(hidden)}`,
    ].map((url, index) => ({ method: 'GET', url: `/services/data/v64.0${url}`, referenceId: `a${index}` }))
    await who.call('POST', '/composite', { body: { compositeRequest: steps } })
  }
  await own.call('PATCH', `/sobjects/Safe__c/${id}`, { body: { Pin__c: hidden.repeat(10) } })
  for (const name of ['sid', 's%69d', 'pw', 'code', 'SID'])
    await own.call('GET', `/limits?${name}=sign-in-4711`)
  const { body } = await own.call('GET', `${CALLS}?after=${shown}&limit=200`)
  assert.ok(body.calls.length >= 20, String(body.calls.length))
  let kept = 0
  for (const call of body.calls) {
    const { text, body: whole } = await own.call('GET', `${CALLS}/${call.id}`)
    if (whole.request !== undefined) kept++
    assert.doesNotMatch(text, /tale|8472|sign-in-4711/)
  }
  assert.ok(kept >= 20, String(kept))
})

test('the log keeps ten thousand calls of an org, for seven days', async () => {
  const own = await openOrg()
  await own.call('GET', '/limits')
  await log('', own)
  await own.db.query(
    sql`insert into objectry.call (org_id, time, request_id, method, path, route, status, error_code, duration_ms, statements, database_ms, bytes_in, statement_list)
        select ${own.org.id}, now() - (case when n = 1 then interval '8 days' else interval '0' end), '', 'GET', '/many', '', 200, '', 1, 1, 1, 0, '[]' from generate_series(1, 10500) n`,
  )
  for (let n = 0; n < 3; n++) {
    await Promise.all(Array.from({ length: 250 }, () => own.call('GET', '/limits')))
    await log('?limit=1', own)
  }
  const [row] = await own.db.query<{ count: number; old: number }>(
    sql`select count(*)::integer as count, (count(*) filter (where time < now() - interval '7 days'))::integer as old
        from objectry.call where org_id = ${own.org.id}`,
  )
  assert.ok(row!.count <= 10_400 && row!.count >= 10_000, String(row!.count))
  assert.equal(row!.old, 0)
})
