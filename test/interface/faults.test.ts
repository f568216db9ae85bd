import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import { sql } from '../../src/base/sql.ts'
import { fetchNames, fetchRecords, fetchResult, queryPath } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { fetchResults, ROLLED_BACK, statusesOf, step } from '../support/composite.ts'
import { addFault, fetchCounts, forget, injectFault } from '../support/faults.ts'
import { type Answer, makeAnswer, openOrg, type TestOrg } from '../support/org.ts'
import { SPECIMEN } from '../support/specimen-schema.ts'
import { writeDeployment } from '../support/trigger-files.ts'
import { deliver, EVENT_OBJECT, fetchDeliveries, SECRET } from '../support/webhooks.ts'

// Every failure that a client must survive can be injected.

const HOST = `${randomUUID()}.example.com`
const DEPLOYMENT = {
  'resources/orders.ts': `export default { path: '/orders/:id', GET: ({ params }) => params.id,
    POST: (_request, org) => org.create('Account', [{ Name: 'from a handler' }]) }`,
  'resources/hook.ts': `import { webhook } from 'objectry'
    export default webhook({ path: '/hook', secret: ${JSON.stringify(SECRET)}, eventId: 'id', object: 'Event_Log__c', retries: [] })`,
}

/** The parts that a real answer and an injected fault have in common. */
const reported = ({ status, headers, text }: Answer) => ({
  status,
  text,
  type: headers['content-type'],
  challenge: headers['www-authenticate'],
})

let o: TestOrg
/** Another server on the same database, with an org of its own. */
let second: TestOrg
let now = Date.UTC(2026, 0, 1)
const read = () => o.call('GET', '/sobjects/Account')
const statuses = async (count: number, call: () => Promise<Answer> = read) => {
  const found: number[] = []
  for (let n = 0; n < count; n++) found.push((await call()).status)
  return found
}
const site = async (method: 'GET' | 'POST', url: string) =>
  makeAnswer(await o.site.inject({ method, url, headers: { host: HOST } }))

before(async () => {
  o = await openOrg({
    settings: { allowFaults: 'true' },
    deployment: writeDeployment(DEPLOYMENT),
    host: HOST,
    clock: () => new Date(now),
  })
  await o.deploy([SPECIMEN, EVENT_OBJECT])
  second = await openOrg({ settings: { allowFaults: 'true' }, clock: () => new Date(now) })
})
after(() => o.server.close())
beforeEach(() => forget(o))

describe('without the setting', () => {
  test('no fault can be set, and plans that are set match no call', async () => {
    await injectFault(o, { effect: { status: 503 } })
    // The same org behind a server that does not allow it.
    const other = await openOrg({ clock: () => new Date(now) })
    const headers = { authorization: `Bearer ${o.token}`, 'svc-fault': 'status=503' }
    for (const [method, path] of [
      ['GET', '/setup/faults'],
      ['DELETE', '/setup/faults'],
      ['GET', '/setup/faults/plan'],
      ['PUT', '/setup/faults/plan'],
      ['DELETE', '/setup/faults/plan'],
    ] as const) {
      const body = method === 'PUT' ? { effect: { latency: 1 } } : undefined
      assertRefused(
        await other.call(method, path, { headers, body }),
        403,
        'INSUFFICIENT_ACCESS',
        'Faults are off: start the server with --allow-faults',
      )
    }
    assert.equal((await other.call('GET', '/sobjects/Account', { headers })).status, 200)
    assert.deepEqual(await fetchCounts(o), [0, 0])
  })
})

describe('plans', () => {
  test('are set, replaced, listed by name and removed', async () => {
    await forget(o)
    const plan = { match: { method: 'GET', nth: 2 }, until: { count: 3 }, effect: { limit: 'total' } }
    await addFault(o, 'b', plan)
    await addFault(o, 'a.1_-', { effect: { latency: 1 } })
    const list = await o.call('GET', '/setup/faults')
    assert.deepEqual(list.body, [
      { name: 'a.1_-', effect: { latency: 1 }, matched: 0, struck: 0 },
      { name: 'b', ...plan, matched: 0, struck: 0 },
    ])
    await read()
    assert.deepEqual(await fetchCounts(o, 'b'), [1, 0])
    await addFault(o, 'b', plan)
    assert.deepEqual(await fetchCounts(o, 'b'), [0, 0])
    assert.equal((await o.call('DELETE', '/setup/faults/b')).status, 204)
    for (const method of ['GET', 'DELETE']) {
      assertRefused(await o.call(method, '/setup/faults/b'), 404, 'NOT_FOUND', 'There is no such fault')
    }
    await forget(o)
    assert.deepEqual((await o.call('GET', '/setup/faults')).body, [])
  })

  test('are refused for a wrong member, an invalid name, or a route that does not exist', async () => {
    const put = (name: string, body: unknown) => o.call('PUT', `/setup/faults/${name}`, { body })
    const invalid = async (name: string, body: unknown, message: RegExp) =>
      assertRefused(await put(name, body), 400, 'INVALID_INPUT', message)
    await invalid('a', { effect: { limt: 'total' } }, /^effect\.limt .*; did you mean limit\?/)
    await invalid('a%20b', { effect: { latency: 1 } }, /^The name of a fault is 1 to 80 of the characters /)
    await invalid('a'.repeat(81), { effect: { latency: 1 } }, /^The name of a fault is 1 to 80 /)
    await invalid(
      'a',
      { match: { route: '/sobject/:object' }, effect: { latency: 1 } },
      /^match\.route is no route: \/sobject\/:object; did you mean \/sobjects\/:object\?$/,
    )
  })

  test('of one org are nothing to another one', async () => {
    await injectFault(o, { effect: { status: 503 } })
    assert.equal((await second.call('GET', '/sobjects/Account')).status, 200)
    assert.deepEqual((await second.call('GET', '/setup/faults')).body, [])
  })
})

describe('a plan matches', () => {
  const effect = { error: { code: 'NOT_FOUND' } }

  test('the nth call, every nth, a share of them, as often as it may, and until its time', async () => {
    await injectFault(o, { match: { nth: 3 }, effect })
    assert.deepEqual(await statuses(5), [200, 200, 404, 200, 200])
    assert.deepEqual(await fetchCounts(o), [5, 1])
    await injectFault(o, { match: { every: 2 }, effect })
    assert.deepEqual(await statuses(5), [200, 404, 200, 404, 200])
    await injectFault(o, { match: { every: 2 }, until: { count: 1 }, effect })
    assert.deepEqual(await statuses(5), [200, 404, 200, 200, 200])
    assert.deepEqual(await fetchCounts(o), [5, 1])
    const shares = []
    for (let n = 0; n < 2; n++) {
      await injectFault(o, { match: { percent: 50, seed: 7 }, effect })
      shares.push(await statuses(20))
    }
    assert.deepEqual(shares[0], shares[1])
    assert.deepEqual([...new Set(shares[0])].sort(), [200, 404])
    await injectFault(o, { until: { time: new Date(now + 1000).toISOString() }, effect })
    assert.deepEqual(await statuses(1), [404])
    now += 1000
    assert.deepEqual(await statuses(1), [200])
    assert.deepEqual(await fetchCounts(o), [1, 1])
  })

  test('exactly as often as it may when calls come at once, to several servers', async () => {
    await injectFault(o, { until: { count: 5 }, effect })
    const headers = { authorization: `Bearer ${o.token}`, host: HOST }
    const readThere = () => second.call('GET', '/sobjects/Account', { headers })
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? read : readThere)()),
    )
    assert.equal(answers.filter(({ status }) => status === 404).length, 5)
    assert.deepEqual(await fetchCounts(o), [40, 5])
  })

  test('the calls of its route, method, app, user and version, and no other', async () => {
    const id = await o.create('Account', { Name: 'a' })
    const calls: Readonly<Record<string, () => Promise<Answer>>> = {
      object: read,
      record: () => o.call('GET', `/sobjects/account/${id}`),
      update: () => o.call('PATCH', `/sobjects/Account/${id}`, { body: { Name: 'b' } }),
      old: () => o.call('GET', '/services/data/v50.0/sobjects/Account'),
      custom: () => o.call('GET', '/services/apexrest/orders/1'),
    }
    const struckBy = async (match: object) => {
      await injectFault(o, { match, effect })
      const struck: string[] = []
      for (const [name, call] of Object.entries(calls)) if ((await call()).status === 404) struck.push(name)
      assert.deepEqual(await fetchCounts(o), [struck.length, struck.length])
      return struck
    }
    const all = Object.keys(calls)
    assert.deepEqual(await struckBy({}), all)
    assert.deepEqual(await struckBy({ route: '/sobjects/:object/:id' }), ['record', 'update'])
    assert.deepEqual(await struckBy({ route: '/sobjects/:object/:id', method: 'PATCH' }), ['update'])
    assert.deepEqual(await struckBy({ route: '/sobjects/*' }), ['object', 'record', 'update', 'old'])
    assert.deepEqual(await struckBy({ route: '/services/customrest/orders/:id' }), ['custom'])
    assert.deepEqual(await struckBy({ route: '*'.padStart(2, '/') }), all)
    assert.deepEqual(await struckBy({ version: 50 }), ['old'])
    assert.deepEqual(await struckBy({ user: 'ADMIN@objectry.test' }), all)
    assert.deepEqual(await struckBy({ user: 'other@objectry.test' }), [])
    assert.deepEqual(await struckBy({ app: o.clientId }), all)
    await forget(o)
    const [app] = await fetchRecords(
      o,
      `SELECT Name FROM ConnectedApplication WHERE ConsumerKey = '${o.clientId}'`,
    )
    assert.deepEqual(await struckBy({ app: (app!.Name as string).toUpperCase() }), all)
    assert.deepEqual(await struckBy({ app: 'another app' }), [])
  })

  test('no call behind one that an earlier plan has ended, which it does not even count', async () => {
    await injectFault(o, { match: { nth: 1 }, effect }, 'a')
    await addFault(o, 'b', { effect: { limit: 'total' } })
    assert.deepEqual(await statuses(2), [404, 403])
    assert.deepEqual(
      [await fetchCounts(o, 'a'), await fetchCounts(o, 'b')],
      [
        [2, 1],
        [1, 1],
      ],
    )
  })

  test('neither the admin API nor a call without access', async () => {
    await injectFault(o, { effect })
    assert.equal((await o.call('GET', '/setup/orgs/current')).status, 200)
    const bare = await o.call('GET', '/sobjects/Account', { headers: { authorization: '' } })
    assert.equal(bare.status, 401)
    assert.deepEqual(await fetchCounts(o), [0, 0])
  })

  test('nobody when another one has taken its place since it was read', async () => {
    await injectFault(o, { effect })
    assert.deepEqual(await statuses(1), [404])
    await o.db.query(sql`update objectry.fault set set_at = now() where org_id = ${o.org.id}`)
    assert.deepEqual(await statuses(1), [200])
    assert.deepEqual(await fetchCounts(o), [1, 1])
  })
})

describe('the effect', () => {
  /** The real failure, and the injected one. */
  const asReal = (injected: Answer, real: Answer) => assert.deepEqual(reported(injected), reported(real))

  test('token revokes the token, in every process, and the call gets the real 401', async () => {
    const issue = () =>
      o.services.sessions.issue({
        ...{ org: o.org, clientId: o.clientId, userId: o.userId },
        ...{ scopes: ['api'], grantType: 'test' },
      })
    const withToken = async (token: string) =>
      o.call('GET', '/sobjects/Account', { headers: { authorization: `Bearer ${token}` } })
    const [struck, expired] = [await issue(), await issue()]
    now += 7201_000
    const real = await withToken(expired)
    assertRefused(real, 401, 'INVALID_SESSION_ID', 'Session expired or invalid')
    now -= 7201_000
    assert.equal((await withToken(struck)).status, 200)
    await injectFault(o, { until: { count: 1 }, effect: { token: 'expired' } })
    asReal(await withToken(struck), real)
    asReal(await withToken(struck), real)
    assert.deepEqual(await statuses(1), [200])
    assert.deepEqual(await o.services.sessions.find(struck), undefined)
  })

  test('error is any error that there is, with the words of the plan', async () => {
    const real = await o.call('POST', '/sobjects/Account', { body: {} })
    const [{ errorCode: code, message, fields }] = real.body
    assert.deepEqual([real.status, code, fields], [400, 'REQUIRED_FIELD_MISSING', ['Name']])
    await injectFault(o, { effect: { error: { code, message, fields } } })
    asReal(await o.call('POST', '/sobjects/Account', { body: { Name: 'right' } }), real)
    await forget(o)
    assert.deepEqual(await fetchNames(o, "Account WHERE Name = 'right'"), [])
  })

  test('error is also the answer to a guest who may not call a custom resource', async () => {
    const real = await site('GET', '/services/customrest/orders/1')
    assertRefused(real, 403, 'FORBIDDEN', 'You do not have access to the Apex class named: orders')
    const answer = await o.call('POST', '/setup/orgs/current/resources/orders/open')
    assert.equal(answer.status, 204)
    const open = await site('GET', '/services/customrest/orders/1')
    assert.equal(open.status, 200, open.text)
    const { message } = real.body[0]
    await injectFault(o, {
      match: { route: '/services/customrest/*' },
      effect: { error: { code: 'FORBIDDEN', message } },
    })
    asReal(await site('GET', '/services/customrest/orders/1'), real)
    assert.deepEqual(await fetchCounts(o), [1, 1])
  })

  test('status is what an edge says in HTML, or the server in JSON', async () => {
    for (const status of [420, 502, 504]) {
      await injectFault(o, { effect: { status } })
      const answer = await read()
      assert.equal(answer.status, status)
      assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8')
      assert.match(answer.text, new RegExp(`<title>${status} \\w+`))
    }
    await injectFault(o, { effect: { status: 503 } })
    assertRefused(await read(), 503, 'SERVER_UNAVAILABLE', 'Server Too Busy')
    await injectFault(o, { effect: { status: 500 } })
    assertRefused(
      await read(),
      500,
      'UNKNOWN_EXCEPTION',
      /^An unexpected error occurred\. Please include this ErrorId if you contact support: \d+-\d+ \([0-9a-f]{8}\)$/,
    )
  })

  test('limit is the 403 of calls that are used up, of too many at once, or in a second', async () => {
    await injectFault(o, { effect: { limit: 'total' } })
    assertRefused(await read(), 403, 'REQUEST_LIMIT_EXCEEDED', 'TotalRequests Limit exceeded.')
    await injectFault(o, { effect: { limit: 'concurrent' } })
    assertRefused(
      await read(),
      403,
      'REQUEST_LIMIT_EXCEEDED',
      'ConcurrentRequests (Concurrent API Requests) Limit exceeded.',
    )
    await injectFault(o, { effect: { limit: 'perSecond' } })
    const answer = await read()
    assertRefused(answer, 403, 'REQUEST_LIMIT_EXCEEDED', 'RequestsPerSecond Limit exceeded.')
    assert.equal(answer.headers['retry-after'], '1')
  })

  test('retired is the 410 of a version that is no longer served', async () => {
    const real = await o.call('GET', '/services/data/v30.0/sobjects/Account')
    await injectFault(o, { match: { version: 64 }, effect: { retired: true } })
    const answer = await read()
    assert.equal(answer.status, 410)
    asReal({ ...answer, text: answer.text.replace('v64.0', 'v30.0') }, real)
    assert.equal((await o.call('GET', '/services/data/v63.0/sobjects/Account')).status, 200)
  })

  test('uriTooLong is the 414 of an address that is too long', async () => {
    const real = await o.call('GET', `/sobjects/Account?${'x'.repeat(33_000)}`)
    await injectFault(o, { effect: { uriTooLong: true } })
    asReal(await read(), real)
    assert.equal(real.status, 414)
  })

  test('ambiguousKey is the 300 of a key that several records have, and nothing is changed', async () => {
    const twins = [
      await o.create('Specimen__c', { Loose__c: 'twin' }),
      await o.create('Specimen__c', { Loose__c: 'twin' }),
    ]
    const path = '/sobjects/Specimen__c/Loose__c'
    const upsert = (key: string) => o.call('PATCH', `${path}/${key}`, { body: { Text__c: 'changed' } })
    const real = [await upsert('twin'), await o.call('GET', `${path}/twin`)]
    assert.deepEqual(
      real.map(({ status }) => status),
      [300, 300],
    )
    const single = await o.create('Specimen__c', { Loose__c: 'single' })
    await injectFault(o, { effect: { ambiguousKey: true } })
    asReal(await upsert('twin'), real[0]!)
    asReal(await o.call('GET', `${path}/twin`), real[1]!)
    for (const answer of [await upsert('single'), await o.call('GET', `${path}/single`)]) {
      assert.equal(answer.status, 300)
      assert.equal(answer.body.length, 2)
      assert.equal(answer.body[0], `/services/data/v64.0/sobjects/Specimen__c/${single}`)
    }
    assert.equal((await upsert('none')).body.length, 2)
    assert.deepEqual(await fetchCounts(o), [5, 5])
    // It does not even fit a call without a key.
    assert.equal((await o.call('GET', `/sobjects/Specimen__c/${twins[0]}`)).status, 200)
    assert.deepEqual(await fetchCounts(o), [5, 5])
    await forget(o)
    const { records } = await fetchResult(o, "SELECT Text__c FROM Specimen__c WHERE Loose__c LIKE '%in%'")
    assert.deepEqual(
      records.map((record: { Text__c: unknown }) => record.Text__c),
      [null, null, null],
    )
  })

  test('errors of a full org and of an id where none belongs come with the messages of the original', async () => {
    for (const [code, message] of [
      ['STORAGE_LIMIT_EXCEEDED', 'storage limit exceeded'],
      ['INVALID_ID_FIELD', 'invalid ID field'],
    ] as const) {
      await injectFault(o, { effect: { error: { code } } })
      const answer = await o.call('POST', '/sobjects/Account', { body: { Name: 'full' } })
      assertRefused(answer, 400, code, message)
    }
  })

  test('lockedRow is the refusal of a write that waits for others, and of no read', async () => {
    const id = await o.create('Account', { Name: 'free' })
    await injectFault(o, { effect: { lockedRow: true } })
    const locked = (answer: Answer) =>
      assertRefused(answer, 400, 'UNABLE_TO_LOCK_ROW', 'unable to obtain exclusive access to this record')
    locked(await o.call('PATCH', `/sobjects/Account/${id}`, { body: { Name: 'held' } }))
    locked(await o.call('DELETE', `/composite/sobjects?ids=${id}`))
    const body = { ids: [id], fields: ['Name'] }
    const { body: found } = await o.call('POST', '/composite/sobjects/Account', { body })
    assert.equal(found[0].Name, 'free')
    assert.deepEqual(await fetchCounts(o), [2, 2])
  })

  test('haltAtStep fails one step of a batch, and haltOnError skips those behind it with 412', async () => {
    const create = (Name?: string) => ({
      method: 'POST',
      url: 'v64.0/sobjects/Account',
      richInput: { Name },
    })
    const send = async (names: (string | undefined)[], haltOnError: boolean) => {
      const body = { batchRequests: names.map(create), haltOnError }
      return (await o.call('POST', '/composite/batch', { body })).body
    }
    const real = await send([undefined, 'x'], true)
    await injectFault(o, { effect: { haltAtStep: 2 } })
    const halted = await send(['one', 'two', 'three'], true)
    assert.equal(halted.hasErrors, true)
    assert.deepEqual(
      halted.results.map(({ statusCode }: { statusCode: number }) => statusCode),
      [201, 500, 412],
    )
    assert.equal(halted.results[1].result[0].errorCode, 'UNKNOWN_EXCEPTION')
    assert.deepEqual(halted.results[2], real.results[1])
    const goesOn = await send(['four', 'five', 'six'], false)
    assert.deepEqual(
      goesOn.results.map(({ statusCode }: { statusCode: number }) => statusCode),
      [201, 500, 201],
    )
    assert.deepEqual(await fetchCounts(o), [2, 2])
    await forget(o)
    const names = "'one', 'two', 'three', 'four', 'five', 'six'"
    assert.deepEqual(await fetchNames(o, `Account WHERE Name IN (${names}) ORDER BY CreatedDate, Id`), [
      ...['one', 'four', 'six'],
    ])
  })

  test('limitHeader lets the call do what it does and leaves out the usage', async () => {
    await injectFault(o, { effect: { limitHeader: 'missing' }, until: { count: 1 } })
    const { status, headers } = await read()
    assert.deepEqual(
      [status, headers['svc-limit-info'], headers['sforce-limit-info']],
      [200, undefined, undefined],
    )
    assert.match(String((await read()).headers['svc-limit-info']), /^api-usage=\d+\/15000$/)
  })

  test('latency lets the call do what it does, later', async () => {
    await injectFault(o, { effect: { latency: 1 } })
    assert.deepEqual(await statuses(1), [200])
    assert.deepEqual(await fetchCounts(o), [1, 1])
  })

  test('pageRows makes pages small, and no record is lost', async () => {
    for (let n = 0; n < 5; n++) await o.create('Specimen__c', { Name: `page ${n}` })
    const all = await fetchNames(o, "Specimen__c WHERE Name LIKE 'page %' ORDER BY Name")
    for (const text of [
      'SELECT Name FROM Specimen__c',
      "SELECT Name FROM Specimen__c WHERE Name LIKE 'page %' ORDER BY Name",
    ]) {
      await injectFault(o, { effect: { pageRows: 2 } })
      let { body } = await o.call('GET', queryPath(text))
      const sizes = [body.records.length]
      const names = body.records.map((record: { Name: string }) => record.Name)
      while (!body.done) {
        body = (await o.call('GET', body.nextRecordsUrl)).body
        sizes.push(body.records.length)
        names.push(...body.records.map((record: { Name: string }) => record.Name))
      }
      assert.ok(sizes.length > 2 && sizes.every((size) => size <= 2), String(sizes))
      assert.equal(names.length, body.totalSize)
      assert.deepEqual(names.filter((name: string) => name.startsWith('page ')).sort(), all)
      // The pages behind the first keep its size, so the plan matches there.
      assert.deepEqual(await fetchCounts(o), [1, 1])
    }
  })

  test('latestDateCovered has nothing to tell yet, and covers the beginning of the range', async () => {
    await o.create('Specimen__c', { Name: 'changed' })
    const at = (minutes: number) => new Date(now + minutes * 60_000).toISOString()
    const start = at(-2)
    const beginning = `${start.slice(0, 16)}:00.000+0000`
    for (const [what, list] of [
      ['updated', 'ids'],
      ['deleted', 'deletedRecords'],
    ] as const) {
      await injectFault(o, { effect: { latestDateCovered: 'stale' }, until: { count: 1 } })
      const ask = async () =>
        (await o.call('GET', `/sobjects/Specimen__c/${what}?start=${start}&end=${at(2)}`)).body
      const [stale, real] = [await ask(), await ask()]
      assert.deepEqual([stale[list], stale.latestDateCovered], [[], beginning])
      assert.notEqual(real.latestDateCovered, beginning)
      assert.deepEqual(await fetchCounts(o), [2, 1])
    }
  })

  test('cut closes the connection of a custom resource before it has written anything, or after its commit', async () => {
    const address = await o.server.listen({ host: '127.0.0.1', port: 0 })
    const headers = { authorization: `Bearer ${o.token}` }
    const post = () => fetch(`${address}/services/customrest/orders/1`, { method: 'POST', headers })
    const count = async () => (await fetchNames(o, "Account WHERE Name = 'from a handler'")).length
    const before = await count()
    for (const [cut, written] of [
      ['beforeCommit', 0],
      ['afterCommit', 1],
    ] as const) {
      await injectFault(o, { match: { method: 'POST' }, effect: { cut } })
      await assert.rejects(post(), TypeError)
      assert.equal((await count()) - before, written, cut)
      assert.deepEqual(await fetchCounts(o), [1, 1])
    }
  })

  test('delivery makes a webhook come twice, or with a signature that does not fit', async () => {
    await forget(o)
    const real = await deliver(o, 'hook', { id: 'a' }, { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` })
    assert.equal(real.status, 401)
    await injectFault(o, { effect: { delivery: 'wrongSignature' } })
    asReal(await deliver(o, 'hook', { id: 'a' }), real)
    assert.equal((await read()).status, 200)
    assert.deepEqual(await fetchCounts(o), [1, 1])
    await forget(o)
    assert.deepEqual(await fetchDeliveries(o), [])
    await injectFault(o, { until: { count: 1 }, effect: { delivery: 'twice' } })
    const { status, body } = await deliver(o, 'hook', { id: 'b' })
    assert.equal(status, 200)
    await deliver(o, 'hook', { id: 'c' })
    await forget(o)
    const ids = (await fetchDeliveries(o)).map(({ Id }) => Id)
    assert.equal(ids.length, 3)
    assert.equal(ids[1], body.id)
  })
})

describe('a step', () => {
  const create = (Name?: string) => step('POST', '/sobjects/Account', { Name })
  const locked = { lockedRow: true }
  const codesOf = (results: Awaited<ReturnType<typeof fetchResults>>) =>
    results.map(({ body }) => body?.[0]?.errorCode)

  test('of a composite fails by its number and route, and the others are carried out', async () => {
    await injectFault(o, {
      match: { step: 2, route: '/sobjects/:object' },
      effect: { error: { code: 'DUPLICATE_VALUE' } },
    })
    const results = await fetchResults(o, [create('s1'), create('s2'), create('s3')])
    assert.deepEqual(statusesOf(results), [201, 400, 201])
    assert.equal(codesOf(results)[1], 'DUPLICATE_VALUE')
    await fetchResults(o, [create('s4'), step('GET', '/sobjects/Account/describe')])
    assert.deepEqual(await fetchCounts(o), [1, 1])
    await forget(o)
    assert.deepEqual(await fetchNames(o, "Account WHERE Name LIKE 's_' ORDER BY Name"), ['s1', 's3', 's4'])
  })

  test('that fails where all must succeed fails as a real one does, and stays counted', async () => {
    const real = await fetchResults(o, [create('t1'), create(), create('t3')], { allOrNone: true })
    const { errorCode: code, message, fields } = real[1]!.body[0]
    await injectFault(o, { match: { step: 2 }, effect: { error: { code, message, fields } } })
    assert.deepEqual(
      await fetchResults(o, [create('t1'), create('t2'), create('t3')], { allOrNone: true }),
      real,
    )
    assert.deepEqual({ ...real[0], referenceId: undefined }, { ...ROLLED_BACK, referenceId: undefined })
    assert.deepEqual(await fetchCounts(o), [1, 1])
    await injectFault(o, { match: { step: 1 }, until: { count: 1 }, effect: locked })
    const [held] = await fetchResults(o, [create('t4')], { allOrNone: true })
    assert.equal(held!.body[0].errorCode, 'UNABLE_TO_LOCK_ROW')
    assert.deepEqual(statusesOf(await fetchResults(o, [create('t5')], { allOrNone: true })), [201])
    await forget(o)
    assert.deepEqual(await fetchNames(o, "Account WHERE Name LIKE 't_' ORDER BY Name"), ['t5'])
  })

  test('of a batch and of a graph is matched too, counted as it was written', async () => {
    await injectFault(o, { match: { step: 1 }, effect: locked })
    const batchRequests = ['b1', 'b2'].map((Name) => ({
      ...{ method: 'POST', url: 'v64.0/sobjects/Account', richInput: { Name } },
    }))
    const batch = await o.call('POST', '/composite/batch', { body: { batchRequests } })
    assert.deepEqual(
      batch.body.results.map(({ statusCode }: { statusCode: number }) => statusCode),
      [400, 201],
    )
    const child = step('POST', '/sobjects/Contact', { LastName: 'c', AccountId: '@{parent.id}' }, 'child')
    const parent = step('POST', '/sobjects/Account', { Name: 'p' }, 'parent')
    const body = { graphs: [{ graphId: 'g', compositeRequest: [child, parent] }] }
    const graph = await o.call('POST', '/composite/graph', { body })
    const [{ isSuccessful, graphResponse }] = graph.body.graphs
    assert.equal(isSuccessful, false)
    assert.equal(graphResponse.compositeResponse[0].body[0].errorCode, 'UNABLE_TO_LOCK_ROW')
    assert.equal(graphResponse.compositeResponse[1].body[0].errorCode, 'PROCESSING_HALTED')
    assert.deepEqual(await fetchCounts(o), [2, 2])
  })

  test('gets the other effects that a step can have', async () => {
    const path = '/sobjects/Specimen__c/Loose__c/twin'
    await injectFault(o, { match: { step: 1 }, effect: { ambiguousKey: true } })
    await addFault(o, 'b', { match: { step: 2 }, effect: { retired: true } })
    await addFault(o, 'c', { match: { step: 3 }, effect: { pageRows: 1 } })
    await addFault(o, 'd', { match: { step: 4 }, effect: { status: 503 } })
    const results = await fetchResults(o, [
      step('GET', path),
      step('GET', '/sobjects/Account'),
      step('GET', '/query?q=SELECT Id FROM Account'),
      step('GET', '/sobjects/Account'),
    ])
    assert.deepEqual(statusesOf(results), [300, 410, 200, 503])
    assert.equal(results[2]!.body.records.length, 1)
    assert.equal(results[2]!.body.done, false)
  })

  test('is not matched by a plan about calls, nor a call by one about steps', async () => {
    await injectFault(o, { match: { route: '/sobjects/*' }, effect: { status: 503 } })
    assert.deepEqual(statusesOf(await fetchResults(o, [create('u1')])), [201])
    await injectFault(o, { match: { step: 1 }, effect: { status: 503 } })
    assert.deepEqual(await statuses(1), [200])
    assert.deepEqual(await fetchCounts(o), [0, 0])
  })
})

describe('a header', () => {
  test('names an effect for its own call where the setting says so, and only there', async () => {
    await forget(o)
    const call = (org: TestOrg, name: string, effect: string) =>
      org.call('GET', '/sobjects/Account', { headers: { [name]: effect } })
    assert.equal((await call(o, 'svc-fault', 'limit=total')).status, 200)
    assert.equal((await call(o, 'svc-fault', 'nonsense')).status, 200)
    const other = await openOrg({ settings: { allowFaults: 'headers' } })
    assert.equal((await call(other, 'Svc-Fault', 'limit=total')).status, 403)
    assert.equal((await call(other, 'Sforce-Fault', '{"status":503}')).status, 503)
    assert.equal((await call(other, 'Svc-Fault', 'lockedRow')).status, 200)
    assertRefused(await call(other, 'svc-fault', 'limt=total'), 400, 'INVALID_INPUT', /did you mean limit\?/)
    assertRefused(await call(other, 'svc-fault', '{'), 400, 'INVALID_INPUT', 'effect is no JSON')
  })
})
