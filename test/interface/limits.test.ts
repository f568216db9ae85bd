import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { systemClock } from '../../src/base/clock.ts'
import { readConfig, type Texts } from '../../src/config/config.ts'
import { makeServer } from '../../src/http/endpoints.ts'
import { makeServices, type Services } from '../../src/server/assemble.ts'
import { fetchRecords } from '../support/ask.ts'
import { sharedEngine } from '../support/engine.ts'
import { type Answer, makeAnswer, openOrg, type TestOrg } from '../support/org.ts'
import { SECRETS } from '../support/secrets.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** One of several server processes that serve an org. */
interface Process {
  readonly services: Services
  get(path: string): Promise<Answer>
}

async function startProcess({ token }: TestOrg, settings: Texts, clock = systemClock): Promise<Process> {
  const config = readConfig({}, { logLevel: 'silent', ...settings })
  const services = makeServices(await sharedEngine(), config, clock, () => {}, SECRETS)
  const server = makeServer(services)
  const headers = { authorization: `Bearer ${token}` }
  return {
    services,
    async get(path) {
      const url = path.startsWith('/services') ? path : `/services/data/v64.0${path}`
      return makeAnswer(await server.inject({ method: 'GET', url, headers }))
    },
  }
}

const usageOf = ({ headers }: Answer) => headers['svc-limit-info']

const USED_UP = [
  { message: 'TotalRequests Limit exceeded.', errorCode: 'REQUEST_LIMIT_EXCEEDED', fields: [] },
]

const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, i) => make(i))

/** Sends calls to processes by turns, all at once, and tells how many were let in. */
async function send(processes: readonly Process[], count: number): Promise<number> {
  const answers = await Promise.all(
    times(count, (i) => processes[i % processes.length]!.get('/sobjects/Account')),
  )
  const refused = answers.filter(({ status }) => status === 403)
  for (const { body } of refused) assert.deepEqual(body, USED_UP)
  assert.ok(answers.every(({ status }) => status === 200 || status === 403))
  return count - refused.length
}

describe('the usage header', () => {
  test('tells the calls of 24 hours with this one, under both names, on failures too', async () => {
    const o = await openOrg()
    const first = await o.call('GET', '/sobjects/Account')
    assert.equal(usageOf(first), 'api-usage=1/15000')
    assert.equal(first.headers['sforce-limit-info'], 'api-usage=1/15000')
    assert.equal(usageOf(await o.call('GET', '/nothing')), 'api-usage=2/15000')
    assert.equal(usageOf(await o.call('PUT', '/sobjects/Account')), 'api-usage=3/15000')
    assert.equal(usageOf(await o.call('POST', '/sobjects/Account', { text: '{' })), 'api-usage=4/15000')
    assert.equal(usageOf(await o.call('GET', '/services/data')), undefined)
    assert.equal(usageOf(await o.call('GET', '/setup/orgs')), undefined)
    assert.equal(
      usageOf(await o.call('GET', '/limits', { headers: { authorization: 'Bearer x' } })),
      undefined,
    )
    assert.equal(usageOf(await o.call('GET', '/limits')), 'api-usage=5/15000')
  })
})

describe('the allocation', () => {
  let o: TestOrg
  before(async () => {
    o = await openOrg()
  })

  for (const [settings, calls] of [
    [{}, 15_000],
    [{ edition: 'developer', licenses: '10' }, 15_000],
    [{ edition: 'enterprise' }, 100_000],
    [{ edition: 'enterprise', licenses: '15' }, 115_000],
    [{ edition: 'unlimited', licenses: '3', addedCalls: '500' }, 115_500],
    [{ edition: 'performance', licenses: '2' }, 110_000],
    [{ edition: 'performance', allocation: '7' }, 7],
    [{ edition: 'developer', allocation: 'unlimited' }, 15_000],
  ] as const) {
    test(`is ${calls} calls with ${JSON.stringify(settings)}`, async () => {
      const { get, services } = await startProcess(o, settings)
      const { body } = await get('/limits')
      await services.quotaStore.close()
      assert.equal(body.DailyApiRequests.Max, calls)
    })
  }
})

describe('when the allocation is used up', () => {
  test('calls are refused exactly then, whatever processes they come to', async () => {
    const o = await openOrg()
    const processes = await Promise.all(times(3, () => startProcess(o, { allocation: '200' })))
    assert.equal(await send(processes, 40), 40)
    assert.equal(await send(processes, 240), 160)
    assert.equal(await send(processes, 30), 0)
    const refused = await processes[0]!.get('/limits')
    assert.equal(refused.status, 403)
    const injecting = await openOrg({ settings: { allowFaults: 'headers' } })
    const fault = await injecting.call('GET', '/limits', { headers: { 'svc-fault': 'limit=total' } })
    assert.deepEqual([fault.status, fault.text], [403, refused.text])
    assert.equal(usageOf(refused), 'api-usage=200/200')
    assert.equal((await processes[0]!.get('/services/data')).status, 200)
  })

  test('what a process holds and does not use comes to those who need it', async () => {
    const o = await openOrg()
    const [idle, busy] = await Promise.all(times(2, () => startProcess(o, { allocation: '300' })))
    assert.equal(await send([idle!], 1), 1)
    let sent = await send([busy!], 310)
    // The idle one gives its unused calls back within seconds.
    while (sent < 299) sent += await send([busy!], 299 - sent)
    assert.equal(sent, 299)
    assert.equal(await send([busy!], 10), 0)
  })

  test('calls are let in again as the 24 hours go on', async () => {
    let now = Date.UTC(2026, 0, 1)
    const clock = () => new Date(now)
    const fresh = await openOrg({ clock, settings: { allocation: '10', sessionSeconds: '86400' } })
    const process = await startProcess(fresh, { allocation: '10', sessionSeconds: '86400' }, clock)
    assert.equal(await send([process], 4), 4)
    now += 12 * 60 * MINUTE
    assert.equal(await send([process], 10), 6)
    now += 11 * 60 * MINUTE
    assert.equal(await send([process], 1), 0)
    now += 60 * MINUTE
    assert.equal(await send([process], 10), 4)
    now += DAY / 2
    assert.equal(await send([process], 10), 6)
  })

  test('nothing is refused where calls are only counted', async () => {
    const o = await openOrg()
    const processes = await Promise.all(
      times(2, () => startProcess(o, { allocation: 'unlimited', edition: 'developer' })),
    )
    assert.equal(await send(processes, 60), 60)
    for (const { services } of processes) await services.quotaStore.close()
    assert.equal(usageOf(await processes[0]!.get('/limits')), 'api-usage=61/15000')
  })
})

test('an app with a budget is refused when it is used up, and no other app is', async () => {
  const o = await openOrg()
  const [app] = await fetchRecords(
    o,
    `SELECT Id FROM ConnectedApplication WHERE ConsumerKey = '${o.clientId}'`,
  )
  const other = await o.services.sessions.issue({
    ...{ org: o.org, userId: o.userId, scopes: ['api'], grantType: 'test', clientId: 'another' },
  })
  const update = await o.call('PATCH', `/sobjects/ConnectedApplication/${app!.Id}`, {
    body: { DailyCallBudget: 20 },
  })
  assert.equal(update.status, 204)
  await o.services.quotaStore.close()
  const processes = await Promise.all(times(2, () => startProcess(o, {})))
  assert.equal(await send(processes, 40), 18)
  const headers = { authorization: `Bearer ${other}` }
  const answer = await o.call('GET', '/setup/orgs/current/apps', { headers })
  assert.equal(answer.body[0].calls, 20)
  assert.equal(answer.body[0].dailyCallBudget, 20)
  const [whole] = await Promise.all(processes.map(({ services }) => services.quotaStore.used(o.org.id)))
  assert.ok(whole! <= 20)
  assert.equal((await o.call('GET', '/limits', { headers })).status, 200)
})

test('what was counted is still counted after a restart', async () => {
  const o = await openOrg()
  const first = await startProcess(o, {})
  assert.equal(await send([first], 25), 25)
  await first.services.quotaStore.close()
  const second = await startProcess(o, {})
  assert.equal(usageOf(await second.get('/limits')), 'api-usage=26/15000')
})

describe('the limits resource', () => {
  let o: TestOrg
  before(async () => {
    o = await openOrg()
    await o.create('Account', { Name: 'One' })
    await o.create('Account', { Name: 'Two' })
  })

  test('has every name of the contract, with what there is and what is left', async () => {
    const { status, body, headers } = await o.call('GET', '/limits/')
    assert.equal(status, 200)
    assert.deepEqual(body.DailyApiRequests, { Max: 15_000, Remaining: 14_997 })
    assert.equal(headers['svc-limit-info'], 'api-usage=3/15000')
    assert.ok(body.DataStorageMB.Remaining > 0 && body.DataStorageMB.Remaining < body.DataStorageMB.Max)
    assert.deepEqual(body.DailyBulkApiBatches, { Max: 15_000, Remaining: 15_000 })
    assert.equal(body.DailyBulkApiRequests, undefined)
    assert.equal(Object.keys(body).length, 53)
    assert.deepEqual(Object.keys(body), Object.keys(body).sort())
    assert.deepEqual(body.PermissionSets.CreateCustom, { Max: 0, Remaining: 0 })
  })

  test('calls some of them otherwise in older versions', async () => {
    const { body } = await o.call('GET', '/services/data/v40.0/limits')
    assert.deepEqual(body.DailyBulkApiRequests, { Max: 15_000, Remaining: 15_000 })
    assert.deepEqual(body.MonthlyPlatformEvents, { Max: 0, Remaining: 0 })
  })

  test('counts the records of objects', async () => {
    const { body } = await o.call('GET', '/limits/recordCount?sObjects=contact,Account,Nothing__c,account')
    assert.deepEqual(body, {
      sObjects: [
        { count: 0, name: 'Contact' },
        { count: 2, name: 'Account' },
      ],
    })
    const described = (await o.call('GET', '/sobjects')).body.sobjects
    const unqueryable = described.filter(({ queryable }: { queryable: boolean }) => !queryable)
    assert.notEqual(unqueryable.length, 0)
    for (const { name } of unqueryable) {
      const none = await o.call('GET', `/limits/recordCount?sObjects=${name}`)
      assert.deepEqual(none.body, { sObjects: [] }, name)
    }
    // sf writes the parameter without a value when it is to count all.
    for (const parameter of ['', '?sObjects', '?sObjects=']) {
      const all = await o.call('GET', `/limits/recordCount${parameter}`)
      const names = all.body.sObjects.map(({ name }: { name: string }) => name)
      assert.deepEqual(
        names,
        described
          .filter(({ queryable }: { queryable: boolean }) => queryable)
          .map(({ name }: { name: string }) => name),
      )
    }
  })
})
