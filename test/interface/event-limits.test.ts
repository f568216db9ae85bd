import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AT_ONCE, openBayeux } from '../support/bayeux-client.ts'
import { ingest, results } from '../support/bulk.ts'
import { fetchSteps } from '../support/deploying.ts'
import { openEventStream } from '../support/event-stream.ts'
import { openOrg, type TestOrg } from '../support/org.ts'

// docs/reference/api/limits-and-versions.md#events

const ACCOUNTS = '/data/AccountChangeEvent'
const HOUR = 3600_000

async function openFollowed(settings: Record<string, string>, clock?: () => Date): Promise<TestOrg> {
  const o = await openOrg({ settings: { sessionSeconds: '86400', ...settings }, ...(clock && { clock }) })
  await fetchSteps(
    o,
    {
      Account: { changeEvents: true },
      Order_Placed__e: { fields: { Number__c: { type: 'string', length: 10 } } },
    },
    { mode: 'keep' },
  )
  return o
}

const create = async (o: TestOrg, count: number) => {
  for (let n = 0; n < count; n++) await o.create('Account', { Name: `a${n}` })
}

const fetchLimits = async (o: TestOrg) => (await o.call('GET', '/limits')).body

const publish = async (o: TestOrg) =>
  (await o.call('POST', '/sobjects/Order_Placed__e', { body: { Number__c: 'O-1' } })).status

describe('the limits of events', () => {
  for (const [edition, delivered, published] of [
    ['developer', 10_000, 50_000],
    ['enterprise', 25_000, 250_000],
    ['unlimited', 50_000, 250_000],
    ['performance', 50_000, 250_000],
  ] as const) {
    test(`are ${delivered} deliveries in 24 hours and ${published} publications in an hour with edition ${edition}`, async () => {
      const limits = await fetchLimits(await openOrg({ settings: { edition } }))
      assert.deepEqual(limits.DailyDeliveredPlatformEvents, { Max: delivered, Remaining: delivered })
      assert.deepEqual(limits.HourlyPublishedPlatformEvents, { Max: published, Remaining: published })
      assert.deepEqual(limits.DailyStandardVolumePlatformEvents, { Max: 0, Remaining: 0 })
      assert.deepEqual(limits.HourlyPublishedStandardVolumePlatformEvents, { Max: 0, Remaining: 0 })
      assert.deepEqual(limits.MonthlyPlatformEventsUsageEntitlement, { Max: 0, Remaining: 0 })
    })
  }

  test('are what the settings say, whatever the edition', async () => {
    const o = await openOrg({ settings: { deliveredEvents: '7', publishedEvents: 'unlimited' } })
    const limits = await fetchLimits(o)
    assert.equal(limits.DailyDeliveredPlatformEvents.Max, 7)
    assert.equal(limits.HourlyPublishedPlatformEvents.Max, 50_000)
  })
})

describe('deliveries', () => {
  test('count for each client that an event is sent to', async () => {
    const o = await openFollowed({})
    await create(o, 2)
    const stream = await openEventStream(o, `channel=${ACCOUNTS}&replay=-2`)
    assert.equal((await stream.take(2)).length, 2)
    stream.close()
    const client = await openBayeux(o)
    await client.subscribe(ACCOUNTS, -2)
    assert.equal((await client.drain()).length, 2)
    const { DailyDeliveredPlatformEvents } = await fetchLimits(o)
    assert.deepEqual(DailyDeliveredPlatformEvents, { Max: 10_000, Remaining: 9996 })
    const { body } = await o.call('GET', '/setup/orgs/current/limits/usage')
    const apps = body.hours.flatMap((hour: { apps: readonly { app: string }[] }) => hour.apps)
    assert.ok(apps.length > 0)
    assert.ok(
      apps.every(({ app }: { app: string }) => !app.startsWith('#')),
      'they are no calls of an app',
    )
  })

  test('end a stream behind the last one that is left, and go on when the window has passed', async () => {
    let now = Date.UTC(2026, 0, 1)
    const o = await openFollowed({ deliveredEvents: '3' }, () => new Date(now))
    await create(o, 5)
    const stream = await openEventStream(o, `channel=${ACCOUNTS}&replay=-2`)
    const taken = await stream.take(5)
    assert.deepEqual(
      taken.map(({ id }) => id),
      ['1', '2', '3', undefined],
    )
    assert.deepEqual(taken[3], {
      id: undefined,
      event: 'error',
      data: {
        errorCode: 'REQUEST_LIMIT_EXCEEDED',
        message: 'You have exceeded the event delivery limit for your org.',
      },
    })
    now += 23 * HOUR
    const early = await openEventStream(o, `channel=${ACCOUNTS}`, '3')
    assert.equal((await early.take(1))[0]!.event, 'error')
    now += 1.1 * HOUR
    o.services.quotaStore.forget(o.org.id)
    const later = await openEventStream(o, `channel=${ACCOUNTS}`, '3')
    assert.deepEqual(
      (await later.take(2)).map(({ id }) => id),
      ['4', '5'],
    )
  })

  test('refuse a connect when none is left, and lose nothing', async () => {
    const o = await openFollowed({ deliveredEvents: '2' })
    const client = await openBayeux(o)
    await client.subscribe(ACCOUNTS)
    await create(o, 3)
    const first = await client.connect(AT_ONCE)
    assert.equal(first.length, 3)
    assert.equal(first.at(-1)!.successful, true)
    const [refused] = await client.connect(AT_ONCE)
    assert.equal(refused!.error, '403::Organization total events daily limit exceeded')
    assert.equal(refused!.successful, false)
    assert.deepEqual(refused!.advice, { reconnect: 'retry', interval: 5000, timeout: 110_000 })
  })
})

describe('publications', () => {
  test('are refused in an hour that has used them up, by every way to publish', async () => {
    let now = Date.UTC(2026, 0, 1)
    const o = await openFollowed({ publishedEvents: '3' }, () => new Date(now))
    assert.equal(await publish(o), 201)
    const records = [1, 2, 3].map((n) => ({ attributes: { type: 'Order_Placed__e' }, Number__c: `O-${n}` }))
    const { body } = await o.call('POST', '/composite/sobjects', { body: { records, allOrNone: false } })
    assert.deepEqual(
      body.map(({ success }: { success: boolean }) => success),
      [true, true, false],
    )
    assert.deepEqual(body[2].errors, [
      {
        statusCode: 'LIMIT_EXCEEDED',
        message: 'You have exceeded the hourly limit of published events for your org.',
        fields: [],
      },
    ])
    const url = '/services/data/v64.0/sobjects/Order_Placed__e'
    const compositeRequest = [{ method: 'POST', url, referenceId: 'a', body: { Number__c: 'O-4' } }]
    const composite = await o.call('POST', '/composite', { body: { allOrNone: true, compositeRequest } })
    assert.equal(composite.body.compositeResponse[0].body[0].errorCode, 'LIMIT_EXCEEDED')
    const { HourlyPublishedPlatformEvents } = await fetchLimits(o)
    assert.deepEqual(HourlyPublishedPlatformEvents, { Max: 3, Remaining: 0 })
    now += 1.1 * HOUR
    o.services.quotaStore.forget(o.org.id)
    assert.equal(await publish(o), 201)
  })

  test('by bulk jobs count too', async () => {
    const o = await openFollowed({ publishedEvents: '2' })
    const job = await ingest(
      o,
      { object: 'Order_Placed__e', operation: 'insert' },
      'Number__c\nO-1\nO-2\nO-3\n',
    )
    assert.match(JSON.stringify(await results(o, job.id)), /LIMIT_EXCEEDED/)
    assert.equal((await fetchLimits(o)).HourlyPublishedPlatformEvents.Remaining, 0)
  })
})
