import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { assertRefused } from '../support/assert-refused.ts'
import { AT_ONCE, type BayeuxClient, openBayeux, type Reply } from '../support/bayeux-client.ts'
import { fetchSteps } from '../support/deploying.ts'
import { type EventStream, openEventStream, type Streamed } from '../support/event-stream.ts'
import { fetchCounts, forget, injectFault } from '../support/faults.ts'
import { makeApp } from '../support/make-app.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { until } from '../support/until.ts'

// docs/how-to/inject-faults.md#events. Each test begins behind what was there before.

const ACCOUNTS = '/data/AccountChangeEvent'
const PLACED = '/event/Order_Placed__e'

let o: TestOrg
/** Up to where there are events. */
let last = -2

async function openFollowed(): Promise<TestOrg> {
  const opened = await openOrg({ settings: { allowFaults: 'true', edition: 'enterprise' } })
  await fetchSteps(
    opened,
    {
      Account: { changeEvents: true },
      Contact: { changeEvents: true },
      Order_Placed__e: { fields: { Number__c: { type: 'string', length: 10 } } },
    },
    { mode: 'keep' },
  )
  return opened
}

before(async () => {
  o = await openFollowed()
})
beforeEach(async () => {
  await forget(o)
  last = (await o.services.feed.bounds(o.org)).last
})

const create = (...names: readonly string[]) => {
  const records = names.map((Name) => ({ attributes: { type: 'Account' }, Name }))
  return o.call('POST', '/composite/sobjects', { body: { records } })
}

/** A stream of what comes from now on, and has come since the test began. */
const follow = (channel = ACCOUNTS, replay: number | string = last) =>
  openEventStream(o, `channel=${channel}&replay=${replay}`)

async function openClient(channel = ACCOUNTS): Promise<BayeuxClient> {
  const client = await openBayeux(o)
  assert.equal((await client.subscribe(channel, last)).successful, true)
  return client
}

const nameOf = ({ data }: Streamed) => data.data.payload.Name
const namesOf = (replies: readonly Reply[]) =>
  replies.filter(({ data }) => data !== undefined).map(({ data }) => data.payload.Name)
const positionOf = ({ id }: Streamed | { id: undefined }) => Number(id) - last

async function take(count: number, stream?: EventStream): Promise<readonly Streamed[]> {
  const from = stream ?? (await follow())
  const taken = await from.take(count)
  from.close()
  return taken
}

describe('a plan', () => {
  test('of a channel, an app or a route matches those who follow it, and no calls', async () => {
    await injectFault(o, { match: { channel: '/data/Contact*' }, effect: { event: 'gap' } })
    await create('one')
    assert.equal(nameOf((await take(1))[0]!), 'one')
    await injectFault(o, { match: { channel: ACCOUNTS, app: 'nobody' }, effect: { event: 'gap' } })
    assert.equal(nameOf((await take(1))[0]!), 'one')
    await injectFault(o, { match: { route: '/cometd/*' }, effect: { event: 'gap' } })
    assert.equal(nameOf((await take(1))[0]!), 'one')
    await injectFault(o, { match: { channel: '/data/accountchangeevent' }, effect: { event: 'gap' } })
    const [event] = await take(1, await follow('/data/ChangeEvents'))
    assert.equal(event!.data.data.payload.ChangeEventHeader.changeType, 'GAP_CREATE')
    assert.deepEqual(await fetchCounts(o), [1, 1])
  })

  test('of another effect does not strike those who follow events', async () => {
    await injectFault(o, { effect: { status: 503 } })
    const stream = await follow()
    assert.equal(stream.status, 200)
    stream.close()
    assert.equal((await (await openClient()).connect(AT_ONCE)).at(-1)!.successful, true)
    await injectFault(o, { match: { channel: ACCOUNTS }, effect: { silence: true } })
    assert.equal((await o.call('GET', '/sobjects')).status, 200)
    assert.deepEqual(await fetchCounts(o), [0, 0])
  })

  test('is refused for a route, a channel or an effect that is none', async () => {
    const put = (plan: object) => o.call('PUT', '/setup/faults/plan', { body: plan })
    assertRefused(
      await put({ match: { route: '/cometd/conect' }, effect: { client: 'unknown' } }),
      400,
      'INVALID_INPUT',
      /connect/,
    )
    assertRefused(
      await put({ match: { channel: 'x' }, effect: { silence: true } }),
      400,
      'INVALID_INPUT',
      /channel/,
    )
    assertRefused(await put({ effect: { event: 'lost' } }), 400, 'INVALID_INPUT', /event/)
  })

  test('is refused for a route that its effect never meets', async () => {
    const put = (match: object, effect: object) =>
      o.call('PUT', '/setup/faults/plan', { body: { match, effect } })
    for (const [route, effect] of [
      ['/query', { event: 'gap' }],
      ['/services/customrest/x', { silence: true }],
      ['/cometd/handshake', { client: 'unknown' }],
      ['/cometd/subscribe', { limit: 'deliveries' }],
      ['/cometd/h*', { stream: 'reset' }],
      ['/cometd/connect', { replay: 'invalid' }],
    ] as const)
      assertRefused(await put({ route }, effect), 400, 'INVALID_INPUT', /^match\.route is .* never strikes/)
    const ofChannel = await put({ route: '/query', channel: ACCOUNTS }, { token: 'expired' })
    assertRefused(ofChannel, 400, 'INVALID_INPUT', /^match\.route is \/query, where token never strikes/)
    for (const [route, effect] of [
      ['/Cometd/*', { event: 'gap' }],
      ['/*', { silence: true }],
      ['/cometd/c*', { limit: 'deliveries' }],
      ['/event-stream', { replay: 'invalid' }],
      ['/query', { limit: 'total' }],
    ] as const)
      assert.equal((await put({ route }, effect)).status < 300, true, route)
  })
})

describe('a replay id out of the window', () => {
  const plan = { until: { count: 1 }, effect: { replay: 'invalid' } }

  test('refuses a stream that goes on after a position, and no other', async () => {
    await injectFault(o, plan)
    const stream = await follow(ACCOUNTS, -2)
    assert.equal(stream.status, 200)
    stream.close()
    const refused = await o.call('GET', `/event-stream?channel=${ACCOUNTS}&replay=${last}`)
    assertRefused(
      refused,
      400,
      'ILLEGAL_QUERY_PARAMETER_VALUE',
      `The replayId {${last}} you provided was invalid.  Please provide a valid ID, -2 to replay all events, or -1 to replay only new events.`,
    )
    const again = await follow()
    assert.equal(again.status, 200)
    again.close()
  })

  test('refuses a subscription in the words of the platform', async () => {
    await injectFault(o, plan)
    const client = await openBayeux(o)
    assert.equal((await client.subscribe(ACCOUNTS, -1)).successful, true)
    const reply = await client.subscribe(ACCOUNTS, last)
    assert.equal(
      reply.error,
      `400::The replayId {${last}} you provided was invalid.  Please provide a valid ID, -2 to replay all events, or -1 to replay only new events.`,
    )
    assert.equal((await client.subscribe(ACCOUNTS, last)).successful, true)
  })
})

describe('a reset of the stream', () => {
  test('ends streams as a restore does, and refuses positions from before', async () => {
    await injectFault(o, { match: { nth: 2 }, effect: { stream: 'reset' } })
    const stream = await follow()
    await create('one', 'two')
    const [first, error] = await stream.take(2)
    assert.equal(nameOf(first!), 'one')
    assert.equal(error!.event, 'error')
    assert.equal(error!.data.errorCode, 'ILLEGAL_QUERY_PARAMETER_VALUE')
    assertRefused(
      await o.call('GET', `/event-stream?channel=${ACCOUNTS}&replay=${first!.id}`),
      400,
      'ILLEGAL_QUERY_PARAMETER_VALUE',
      /was invalid/,
    )
    const fresh = await follow(ACCOUNTS, -2)
    await create('three')
    assert.equal(nameOf((await take(1, fresh))[0]!), 'three')
  })

  test('has CometD clients begin again', async () => {
    const client = await openClient()
    await injectFault(o, {
      match: { route: '/cometd/connect' },
      until: { count: 1 },
      effect: { stream: 'reset' },
    })
    await create('one')
    assert.deepEqual(namesOf(await client.connect(AT_ONCE)), [])
    assert.equal((await client.connect(AT_ONCE))[0]!.error, '403::Unknown client')
  })
})

describe('a token that ends', () => {
  test('is 401 at the connect, and for all calls', async () => {
    const { services, org } = o
    const clientId = await makeApp(o)
    const { userId } = o
    const token = await services.sessions.issue({ org, clientId, userId, scopes: ['api'], grantType: 'test' })
    const client = await openBayeux({ ...o, token })
    await client.subscribe(ACCOUNTS)
    await injectFault(o, {
      match: { route: '/cometd/connect', app: clientId },
      effect: { token: 'expired' },
    })
    const [reply] = await client.connect(AT_ONCE)
    assert.equal(reply!.error, '401::Authentication invalid')
    assert.deepEqual(reply!.advice, { reconnect: 'none', interval: 0 })
    const headers = { authorization: `Bearer ${token}` }
    assert.equal((await o.call('GET', '/sobjects', { headers })).status, 401)
  })
})

describe('an unknown client', () => {
  test('is told to make a handshake, and is really gone', async () => {
    const client = await openClient()
    await injectFault(o, { match: { channel: ACCOUNTS }, until: { count: 1 }, effect: { client: 'unknown' } })
    const [reply] = await client.connect(AT_ONCE)
    assert.equal(reply!.error, '403::Unknown client')
    assert.deepEqual(reply!.advice, { reconnect: 'handshake', interval: 0 })
    assert.equal((await client.connect(AT_ONCE))[0]!.error, '403::Unknown client')
    assert.equal((await (await openClient()).connect(AT_ONCE)).at(-1)!.successful, true)
  })
})

describe('silence', () => {
  test('withholds an event and those behind it until the plan is gone; none is lost', async () => {
    const stream = await follow()
    await create('one')
    assert.equal(nameOf((await stream.take(1))[0]!), 'one')
    await injectFault(o, { effect: { silence: true } })
    const client = await openClient(ACCOUNTS)
    await create('two', 'three')
    assert.deepEqual(namesOf(await client.connect(AT_ONCE)), [])
    assert.deepEqual(namesOf(await client.connect(AT_ONCE)), [])
    await until(async () => (await fetchCounts(o))[1] === 2)
    await forget(o)
    assert.deepEqual((await take(2, stream)).map(nameOf), ['two', 'three'])
    assert.deepEqual(namesOf(await client.connect()), ['one', 'two', 'three'])
  })

  test('of a time delays them, unless the plan goes before', async () => {
    await injectFault(o, { until: { count: 1 }, effect: { silence: 1 } })
    await create('one', 'two')
    assert.deepEqual((await take(2)).map(nameOf), ['one', 'two'])
    assert.deepEqual(await fetchCounts(o), [2, 1])
    await injectFault(o, { effect: { silence: 600_000 } })
    const client = await openClient()
    assert.deepEqual(namesOf(await client.connect(AT_ONCE)), [])
    await forget(o)
    assert.deepEqual(namesOf(await client.connect()), ['one', 'two'])
  })
})

describe('an event that comes twice', () => {
  test('is the same change with another replay id, for all who follow', async () => {
    await injectFault(o, { until: { count: 1 }, effect: { event: 'twice' } })
    await create('one', 'two')
    const [one, two, again] = await take(3)
    assert.deepEqual(
      [one, two, again].map((event) => nameOf(event!)),
      ['one', 'two', 'one'],
    )
    assert.deepEqual(
      [one, two, again].map((event) => positionOf(event!)),
      [1, 2, 3],
    )
    assert.deepEqual(again!.data.data.payload, one!.data.data.payload)
    const client = await openClient()
    assert.deepEqual(namesOf(await client.connect(AT_ONCE)), ['one', 'two', 'one'])
  })

  test('is the same platform event by its EventUuid', async () => {
    await injectFault(o, { match: { channel: PLACED }, effect: { event: 'twice' } })
    await o.call('POST', '/sobjects/Order_Placed__e', { body: { Number__c: 'O-1' } })
    const [first, second] = await take(2, await follow(PLACED))
    assert.equal(second!.data.data.event.EventUuid, first!.data.data.event.EventUuid)
    assert.notEqual(second!.id, first!.id)
    assert.deepEqual(second!.data.data.payload, first!.data.data.payload)
  })

  test('comes once more, whoever and how many follow it', async () => {
    await injectFault(o, { effect: { event: 'twice' } })
    await create('one')
    const streams = await Promise.all([follow(), follow()])
    for (const stream of streams) assert.equal((await stream.take(2)).length, 2)
    await create('end')
    for (const stream of streams) assert.deepEqual((await take(2, stream)).map(nameOf), ['end', 'end'])
  })
})

describe('a gap', () => {
  test('tells in place of a change that there was one, with ids alone', async () => {
    await create('one')
    const [created] = await take(1)
    const header = created!.data.data.payload.ChangeEventHeader
    await injectFault(o, { effect: { event: 'gap' } })
    const [gap] = await take(1)
    assert.deepEqual(gap!.data.data.payload, {
      ChangeEventHeader: {
        ...header,
        changeType: 'GAP_CREATE',
        changedFields: [],
        nulledFields: [],
        diffFields: [],
      },
    })
    assert.equal(gap!.id, created!.id)
    const client = await openClient()
    const [event] = await client.connect(AT_ONCE)
    assert.equal(event!.data.payload.ChangeEventHeader.changeType, 'GAP_CREATE')
  })

  test('is no platform event', async () => {
    await injectFault(o, { match: { channel: PLACED }, effect: { event: 'gap' } })
    await o.call('POST', '/sobjects/Order_Placed__e', { body: { Number__c: 'O-1' } })
    assert.equal((await take(1, await follow(PLACED)))[0]!.data.data.payload.Number__c, 'O-1')
    assert.deepEqual(await fetchCounts(o), [0, 0])
  })
})

describe('merged changes', () => {
  test('are one event with several ids, if they are alike and come one after the other', async () => {
    const { body } = await create('one', 'two', 'three')
    const ids = body.map(({ id }: { id: string }) => id)
    const update = (id: string, fields: object) =>
      o.call('PATCH', `/sobjects/Account/${id}`, { body: fields })
    for (const id of ids) await update(id, { Phone: '1' })
    await update(ids[0], { Phone: '2' })
    await injectFault(o, { effect: { event: 'merged' } })
    const events = await take(5)
    assert.deepEqual(events.map(positionOf), [1, 2, 3, 6, 7])
    const { payload, event } = events[3]!.data.data
    assert.deepEqual(payload.ChangeEventHeader.recordIds, ids)
    assert.equal(payload.Phone, '1')
    assert.equal(event.replayId, last + 6)
    assert.deepEqual(await fetchCounts(o), [1, 1])
    const client = await openClient()
    const replies = await client.connect(AT_ONCE)
    assert.deepEqual(replies[3]!.data.payload.ChangeEventHeader.recordIds, ids)
    assert.deepEqual(namesOf(await client.connect(AT_ONCE)), [])
  })
})

describe('used up deliveries', () => {
  const plan = { match: { nth: 2 }, effect: { limit: 'deliveries' } }

  test('end a stream as real ones do', async () => {
    await injectFault(o, plan)
    await create('one', 'two')
    const [first, error] = await take(3)
    assert.equal(nameOf(first!), 'one')
    assert.deepEqual(error!.data, {
      errorCode: 'REQUEST_LIMIT_EXCEEDED',
      message: 'You have exceeded the event delivery limit for your org.',
    })
  })

  test('refuse a connect, and the next one has the events', async () => {
    await injectFault(o, { ...plan, match: { nth: 1 } })
    const client = await openClient()
    await create('one')
    const [reply] = await client.connect(AT_ONCE)
    assert.equal(reply!.error, '403::Organization total events daily limit exceeded')
    assert.deepEqual(namesOf(await client.connect(AT_ONCE)), ['one'])
  })
})

describe('the report', () => {
  test('has each fault, what it was met by, and what the client did about it', async () => {
    await o.call('DELETE', '/setup/orgs/current/report')
    const client = await openClient()
    await injectFault(o, { until: { count: 1 }, effect: { client: 'unknown' } }, 'lost')
    await client.connect(AT_ONCE)
    const next = await openClient()
    await injectFault(o, { until: { count: 1 }, effect: { event: 'gap' } }, 'hole')
    await create('one')
    await next.connect(AT_ONCE)
    await injectFault(o, { until: { count: 1 }, effect: { replay: 'invalid' } }, 'window')
    await next.subscribe(ACCOUNTS, last)
    await next.subscribe(ACCOUNTS, last)
    const { body } = await o.call('GET', '/setup/orgs/current/report')
    assert.deepEqual(
      body.faults.map(({ name, met }: { name: string; met: number }) => [name, met]),
      [
        ['lost', 1],
        ['hole', 1],
        ['window', 1],
      ],
    )
    const judged = body.errors
      .filter(({ fault }: { fault: string | null }) => fault !== null)
      .map(({ fault, required, isMet }: { fault: string; required: string; isMet: boolean }) => [
        fault,
        required,
        isMet,
      ])
    assert.deepEqual(judged, [
      ['lost', 'make a handshake and subscribe again', true],
      ['window', 'fix the call', false],
    ])
  })
})
