import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { hashToken } from '../../src/auth/oauth/token-text.ts'
import { revokeSession } from '../../src/auth/tokens/revoke.ts'
import { resetOrg } from '../../src/orgs/snapshots/reset-org.ts'
import { assertRefused } from '../support/assert-refused.ts'
import {
  AT_ONCE,
  type BayeuxClient,
  exchange,
  HANDSHAKE,
  openBayeux,
  postMessages,
  type Reply,
  resumeBayeux,
} from '../support/bayeux-client.ts'
import { fetchSteps, type Objects } from '../support/deploying.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow } from '../support/people.ts'
import { openPort } from '../support/real-port.ts'
import { makeAbsent, untilHeld } from '../support/stream-clients.sql.ts'

/* CometD: Bayeux messages by long polling. The client is in test/support; an unmodified one is in test/clients. */

const ACCOUNTS = '/data/AccountChangeEvent'
const CONTACTS = '/data/ContactChangeEvent'
const ALL = '/data/ChangeEvents'

const RETRY = { reconnect: 'retry', interval: 0, timeout: 110_000 }

let o: TestOrg
before(async () => {
  o = await openFollowed()
})

const select = (from: TestOrg, objects: Objects) => fetchSteps(from, objects, { mode: 'keep' })

async function openFollowed(settings?: Record<string, string>): Promise<TestOrg> {
  const opened = await openOrg({ settings: { edition: 'enterprise', ...settings } })
  await select(opened, { Account: { changeEvents: true }, Contact: { changeEvents: true } })
  return opened
}

const create = (name: string, from: TestOrg = o) => from.create('Account', { Name: name })

const namesOf = (replies: readonly Reply[]) =>
  replies.filter(({ data }) => data !== undefined).map(({ data }) => data.payload.Name)

/** A client that follows accounts. */
async function follow(from: TestOrg = o, replay?: unknown): Promise<BayeuxClient> {
  const client = await openBayeux(from)
  const reply = await client.subscribe(ACCOUNTS, replay)
  assert.equal(reply.successful, true, JSON.stringify(reply))
  return client
}

/** The reply to a message of a client that nobody knows. */
const ask = async (message: Record<string, unknown>, from: TestOrg = o) =>
  (await exchange(from, [{ id: '7', ...message }]))[0]!

/** The replies to a message that is sent to a port. */
async function fetchMessage(
  { address }: { readonly address: string },
  message: Record<string, unknown>,
  signal: AbortSignal | null = null,
): Promise<Reply[]> {
  const response = await fetch(`${address}/cometd/64.0`, {
    method: 'POST',
    headers: { authorization: `OAuth ${o.token}`, 'content-type': 'application/json' },
    body: JSON.stringify([message]),
    signal,
  })
  return (await response.json()) as Reply[]
}

/** A name in another spelling for each number. */
const mixCase = (name: string, number: number) =>
  [...name].map((letter, at) => ((number >> at) & 1 ? letter.toUpperCase() : letter.toLowerCase())).join('')

describe('a handshake', () => {
  test('gives a client id, the only transport, and says that events can be replayed', async () => {
    const [reply] = await exchange(o, [{ ...HANDSHAKE, id: '1', ext: { replay: true } }])
    const { clientId, ...rest } = reply!
    assert.match(clientId, /^[0-9a-f]{40}$/)
    assert.deepEqual(rest, {
      channel: '/meta/handshake',
      id: '1',
      version: '1.0',
      minimumVersion: '1.0',
      supportedConnectionTypes: ['long-polling'],
      ext: { replay: true, 'payload.format': true },
      advice: RETRY,
      successful: true,
    })
  })

  test('with a token that is not valid is denied, with why', async () => {
    const [reply] = await exchange(o, [{ ...HANDSHAKE, id: '1' }], { authorization: 'OAuth wrong' })
    assert.deepEqual(reply, {
      channel: '/meta/handshake',
      id: '1',
      advice: { reconnect: 'none' },
      ext: { sfdc: { failureReason: '401::Authentication invalid' }, replay: true, 'payload.format': true },
      error: '403::Handshake denied',
      successful: false,
    })
  })

  test('without a token is denied, with why', async () => {
    const [reply] = await exchange(o, [HANDSHAKE], { authorization: null })
    assert.equal(reply!.error, '403::Handshake denied')
    assert.equal(reply!.ext.sfdc.failureReason, '401::Request requires authentication')
  })

  test('without long polling is refused', async () => {
    const reply = await ask({ ...HANDSHAKE, supportedConnectionTypes: ['websocket', 'callback-polling'] })
    assert.equal(reply.error, '400::Invalid connection type {websocket,callback-polling}')
  })

  test('takes a token as Bearer and as OAuth', async () => {
    for (const scheme of ['Bearer', 'OAuth']) {
      const [reply] = await exchange(o, [HANDSHAKE], { authorization: `${scheme} ${o.token}` })
      assert.equal(reply!.successful, true)
    }
  })

  test('is denied when the org has as many clients as its edition allows, until one is gone', async () => {
    const small = await openFollowed({ edition: 'developer' })
    const clients = await Promise.all(Array.from({ length: 20 }, () => openBayeux(small)))
    const refused = await ask(HANDSHAKE, small)
    assert.equal(refused.error, '403::Handshake denied')
    assert.equal(refused.ext.sfdc.failureReason, '403::Organization concurrent user limit exceeded')
    await clients[0]!.send('/meta/disconnect')
    assert.equal((await ask(HANDSHAKE, small)).successful, true)
    assert.equal((await ask(HANDSHAKE, small)).successful, false)
    await makeAbsent(small.db, clients[1]!.clientId)
    assert.equal((await ask(HANDSHAKE, small)).successful, true)
  })
})

describe('a connect', () => {
  test('is answered with events that are there, in their order, and then itself', async () => {
    const client = await follow()
    for (const name of ['one', 'two']) await create(name)
    const replies = await client.connect()
    assert.deepEqual(namesOf(replies), ['one', 'two'])
    const [first] = replies
    assert.deepEqual(Object.keys(first!), ['channel', 'data'])
    assert.equal(first!.channel, ACCOUNTS)
    assert.deepEqual(Object.keys(first!.data), ['schema', 'payload', 'event'])
    assert.equal(first!.data.payload.ChangeEventHeader.changeType, 'CREATE')
    const { id, ...rest } = replies.at(-1)!
    assert.equal(typeof id, 'string')
    assert.deepEqual(rest, {
      channel: '/meta/connect',
      clientId: client.clientId,
      advice: RETRY,
      successful: true,
    })
  })

  test('is held until there is an event', async () => {
    const client = await follow()
    const held = client.connect()
    await create('later')
    assert.deepEqual(namesOf(await held), ['later'])
  })

  test('is held no longer than the client wants, and without events answered with itself alone', async () => {
    const client = await follow()
    for (const timeout of [0, 50]) {
      const replies = await client.connect({ advice: { timeout } })
      assert.deepEqual(
        replies.map(({ channel, successful }) => [channel, successful]),
        [['/meta/connect', true]],
      )
    }
  })

  test('that is held has events of a channel to which the client subscribes meanwhile, also in another process', async () => {
    const other = await openPort()
    for (const server of [o.server, undefined]) {
      const client = await openBayeux(o)
      const held = client.connect()
      await create('before')
      const message = {
        channel: '/meta/subscribe',
        clientId: client.clientId,
        subscription: ACCOUNTS,
        ext: { replay: { [ACCOUNTS]: -2 } },
      }
      if (server !== undefined) await exchange(o, [message])
      else await fetchMessage(other, message)
      assert.ok(namesOf(await held).includes('before'))
    }
    await other.close()
  })

  test('that comes while one is held ends that one, and has the events', async () => {
    const client = await follow()
    const first = client.connect()
    await untilHeld(o.db, client.clientId)
    const second = client.connect()
    assert.deepEqual(
      (await first).map(({ channel, successful, advice }) => [channel, successful, advice.interval]),
      [['/meta/connect', true, 1000]],
    )
    await create('for the second')
    assert.deepEqual(namesOf(await second), ['for the second'])
  })

  test('beside other messages is not held', async () => {
    const client = await follow()
    const replies = await exchange(o, [
      { channel: '/meta/connect', clientId: client.clientId, connectionType: 'long-polling' },
      { channel: '/meta/subscribe', clientId: client.clientId, subscription: CONTACTS },
    ])
    assert.deepEqual(
      replies.map(({ channel, successful }) => [channel, successful]),
      [
        ['/meta/connect', true],
        ['/meta/subscribe', true],
      ],
    )
  })

  test('of another type is refused', async () => {
    const client = await follow()
    const [reply] = await client.connect({ connectionType: 'websocket' })
    assert.equal(reply!.error, '400::Invalid connection type {websocket}')
    assert.equal(reply!.successful, false)
  })

  test('of a client that nobody knows tells it to begin again', async () => {
    for (const clientId of ['a'.repeat(40), '\u0000', 'x', undefined]) {
      const reply = await ask({ channel: '/meta/connect', clientId, connectionType: 'long-polling' })
      assert.deepEqual(reply, {
        ...(clientId !== undefined && { clientId }),
        channel: '/meta/connect',
        id: '7',
        advice: { reconnect: 'handshake', interval: 0 },
        error: '403::Unknown client',
        successful: false,
      })
    }
  })

  test('of a client of another user or org is one of a client that nobody knows', async () => {
    const client = await follow()
    const { org: somebody } = await addPerson(o, 'somebody')
    for (const from of [somebody, await openFollowed()]) {
      const theirs = resumeBayeux(from, client.clientId)
      for (const channel of ['/meta/connect', '/meta/disconnect', '/meta/unsubscribe']) {
        const reply = await theirs.send(channel, { connectionType: 'long-polling', subscription: ALL })
        assert.equal(reply.error, '403::Unknown client')
      }
    }
    assert.equal((await client.connect(AT_ONCE))[0]!.successful, true)
  })

  test('of a client that stayed away for too long is one of a client that nobody knows', async () => {
    const client = await follow()
    await makeAbsent(o.db, client.clientId)
    assert.equal((await client.connect())[0]!.error, '403::Unknown client')
  })

  test('that is held ends when its token is revoked', async () => {
    const token = await o.services.sessions.issue({
      ...{ org: o.org, clientId: o.clientId, userId: o.userId, scopes: ['api'], grantType: 'test' },
    })
    const client = await follow({ ...o, token })
    const held = client.connect({ id: 'held' })
    await revokeSession(o.db, hashToken(token))
    assert.deepEqual(await held, [
      {
        clientId: client.clientId,
        channel: '/meta/connect',
        id: 'held',
        advice: { reconnect: 'none', interval: 0 },
        error: '401::Authentication invalid',
        successful: false,
      },
    ])
  })

  test('that is held is answered when the server stops', async () => {
    const port = await openPort()
    const { clientId } = await follow()
    const message = { channel: '/meta/connect', clientId, connectionType: 'long-polling' }
    const held = fetchMessage(port, message)
    await untilHeld(o.db, clientId)
    await port.close()
    const [reply] = await held
    assert.equal(reply!.successful, true)
    assert.equal(reply!.advice.reconnect, 'retry')
  })

  test('whose client has gone keeps no events from the next one', async () => {
    const port = await openPort()
    const client = await follow()
    const leaving = new AbortController()
    const message = { channel: '/meta/connect', clientId: client.clientId, connectionType: 'long-polling' }
    const gone = fetchMessage(port, message, leaving.signal)
    await untilHeld(o.db, client.clientId)
    leaving.abort()
    await assert.rejects(gone)
    await create('for the next')
    assert.deepEqual(namesOf(await client.connect()), ['for the next'])
    await port.close()
  })

  test('that is sent once more, with its id, has the same events once more', async () => {
    const client = await follow()
    await create('once more')
    for (const expected of [['once more'], ['once more'], []]) {
      assert.deepEqual(namesOf(await client.connect({ id: 'same', ...AT_ONCE })), expected)
    }
  })

  test('of another id has only what is new', async () => {
    const client = await follow()
    await create('first')
    assert.deepEqual(namesOf(await client.connect()), ['first'])
    assert.deepEqual(namesOf(await client.connect(AT_ONCE)), [])
    await create('second')
    assert.deepEqual(namesOf(await client.connect()), ['second'])
  })

  test('has at most a hundred events, and the next one goes on where it ended', async () => {
    const client = await follow()
    const records = Array.from({ length: 150 }, (_, number) => ({
      attributes: { type: 'Account' },
      Name: String(number),
    }))
    const answer = await o.call('POST', '/composite/sobjects', { body: { records } })
    assert.equal(answer.status, 200, answer.text)
    const answers = [await client.connect(), await client.connect()]
    const ids = answers.map((replies) =>
      replies.slice(0, -1).flatMap(({ data }) => data.payload.ChangeEventHeader.recordIds),
    )
    assert.deepEqual(
      ids.flat(),
      answer.body.map(({ id }: { id: string }) => id),
    )
    assert.ok(answers.every((replies) => replies.length <= 101))
  })

  test('goes on in another process, and no event is lost or comes twice', async () => {
    const port = await openPort()
    const client = await follow()
    const names: unknown[] = []
    for (let number = 0; number < 6; number++) {
      await create(String(number))
      const message = {
        ...{ channel: '/meta/connect', clientId: client.clientId, connectionType: 'long-polling' },
        id: `connect ${number}`,
      }
      names.push(
        ...namesOf(number % 2 === 0 ? await fetchMessage(port, message) : await client.connect(message)),
      )
    }
    assert.deepEqual(names, ['0', '1', '2', '3', '4', '5'])
    await port.close()
  })

  test('begins again when the org is reset: what it would have had is gone', async () => {
    const reset = await openFollowed()
    const client = await follow(reset)
    await create('received', reset)
    assert.equal((await client.connect()).length, 2)
    await create('gone', reset)
    await resetOrg(reset.services.db, reset.org)
    assert.equal((await client.connect())[0]!.error, '403::Unknown client')
    const again = await follow(reset)
    await create('there', reset)
    assert.deepEqual(namesOf(await again.connect()), ['there'])
  })

  test('is no call of the allocation', async () => {
    const used = async () => (await o.call('GET', '/limits')).body.DailyApiRequests.Remaining
    const before = await used()
    const client = await follow()
    await client.connect(AT_ONCE)
    assert.equal(await used(), before - 1)
  })
})

describe('a subscription', () => {
  test('has only what is new, unless it says otherwise', async () => {
    await create('old')
    for (const replay of [undefined, -1]) {
      const client = await follow(o, replay)
      await create('new')
      assert.deepEqual(namesOf(await client.connect()), ['new'])
    }
  })

  test('has all that is kept with -2, and what comes after an event with its replay id', async () => {
    const own = await openFollowed()
    await (await openBayeux(own)).subscribe(ACCOUNTS)
    for (const name of ['a', 'b', 'c']) await create(name, own)
    const all = (await (await follow(own, -2)).connect()).slice(0, -1)
    assert.deepEqual(namesOf(all), ['a', 'b', 'c'])
    const { replayId } = all[0]!.data.event
    assert.deepEqual(namesOf(await (await follow(own, replayId)).connect()), ['b', 'c'])
  })

  test('from an event that is not there is refused', async () => {
    const client = await openBayeux(o)
    for (const replay of [-3, 999_999_999, 1.5, '5', null, [], { toString: 1 }]) {
      const reply = await client.subscribe(ACCOUNTS, replay)
      const shown = typeof replay === 'number' ? replay : JSON.stringify(replay)
      assert.equal(
        reply.error,
        `400::The replayId {${shown}} you provided was invalid.  Please provide a valid ID, -2 to replay all events, or -1 to replay only new events.`,
      )
      assert.equal(reply.successful, false)
    }
  })

  test('is refused where its replay ids are not by channels', async () => {
    const client = await openBayeux(o)
    for (const replay of [-2, 'x', '-2', true, null, []]) {
      const reply = await client.send('/meta/subscribe', { subscription: ACCOUNTS, ext: { replay } })
      const shown = typeof replay === 'number' ? replay : JSON.stringify(replay)
      assert.ok(
        reply.error?.startsWith(`400::The replayId {${shown}} you provided was invalid.`),
        reply.error,
      )
      assert.equal(reply.successful, false)
    }
  })

  test('is answered with what was subscribed, one channel or several', async () => {
    const client = await openBayeux(o)
    for (const subscription of [ACCOUNTS, [ACCOUNTS, CONTACTS]]) {
      const reply = await client.send('/meta/subscribe', { id: 's', subscription })
      assert.deepEqual(reply, {
        clientId: client.clientId,
        channel: '/meta/subscribe',
        id: 's',
        subscription,
        successful: true,
      })
    }
    await create('of both')
    await o.create('Contact', { LastName: 'and this' })
    const replies = await client.connect()
    const more = replies.length < 3 ? await client.connect() : []
    assert.deepEqual(
      [...replies, ...more].filter(({ data }) => data !== undefined).map(({ channel }) => channel),
      [ACCOUNTS, CONTACTS],
    )
  })

  test('of all channels with a map of more than them is from where each says', async () => {
    const own = await openFollowed()
    const client = await openBayeux(own)
    await create('old', own)
    const ext = { replay: { [ACCOUNTS]: -2, [ALL]: -1, '/event/Other__e': 5 } }
    for (const subscription of [ACCOUNTS, ALL]) await client.send('/meta/subscribe', { subscription, ext })
    await create('new', own)
    const replies = await client.connect()
    const more = replies.length < 4 ? await client.connect(AT_ONCE) : []
    const events = [...replies, ...more].filter(({ data }) => data !== undefined)
    assert.deepEqual(
      events.filter(({ channel }) => channel === ACCOUNTS).map(({ data }) => data.payload.Name),
      ['old', 'new'],
    )
    assert.deepEqual(
      events.filter(({ channel }) => channel === ALL).map(({ data }) => data.payload.Name),
      ['new'],
    )
  })

  test('of a channel that is not there, or without a name, is refused', async () => {
    const client = await openBayeux(o)
    const REFUSALS: readonly (readonly [unknown, string])[] = [
      ['/topic/X', '400::The channel you requested to subscribe to does not exist {/topic/X}'],
      [
        '/data/CaseChangeEvent',
        '400::The channel you requested to subscribe to does not exist {/data/CaseChangeEvent}',
      ],
      ['/data/*', '400::The channel you requested to subscribe to does not exist {/data/*}'],
      ['data/AccountChangeEvent', "400::Channel subscriptions must start with a leading '/'"],
      [undefined, '400::Channel name not specified'],
      ['', '400::Channel name not specified'],
      [[], '400::Channel name not specified'],
      [7, '400::Channel name not specified'],
    ]
    for (const [subscription, error] of REFUSALS) {
      const reply = await client.send('/meta/subscribe', { subscription })
      assert.deepEqual([reply.successful, reply.error], [false, error])
    }
  })

  test('takes the right to see all records of the object, and has nothing more when that is gone', async () => {
    const own = await openFollowed()
    await select(own, { Account: { changeEvents: true, sharing: 'private' } })
    const { org: somebody, setId } = await addPerson(own, 'follower')
    const client = await openBayeux(somebody)
    assert.match((await client.subscribe(ACCOUNTS)).error, /^400::The channel .* does not exist/)
    const right = await allow(own, setId, 'Account', 'Read')
    const { error } = await client.subscribe(ACCOUNTS)
    assert.equal(error, `403::Following ${ACCOUNTS} takes the right to see all Account records`)
    const see = (all: boolean) =>
      own.call('PATCH', `/sobjects/ObjectPermissions/${right}`, { body: { PermissionsViewAllRecords: all } })
    await see(true)
    assert.equal((await client.subscribe(ACCOUNTS)).successful, true)
    await create('seen', own)
    assert.equal((await client.connect()).length, 2)
    await see(false)
    await create('not seen', own)
    assert.equal((await client.connect(AT_ONCE)).length, 1)
  })

  test('is one of at most fifty', async () => {
    const client = await openBayeux(o)
    const channels = Array.from({ length: 51 }, (_, at) =>
      ACCOUNTS.replace('Account', (name) => mixCase(name, at)),
    )
    const reply = await client.send('/meta/subscribe', { subscription: channels })
    assert.equal(reply.error, '400::A client follows 50 channels at most')
    assert.equal(
      (await client.send('/meta/subscribe', { subscription: channels.slice(0, 50) })).successful,
      true,
    )
  })

  test('ends with /meta/unsubscribe', async () => {
    const client = await follow()
    const reply = await client.send('/meta/unsubscribe', { id: 'u', subscription: ACCOUNTS })
    assert.deepEqual(reply, {
      clientId: client.clientId,
      channel: '/meta/unsubscribe',
      id: 'u',
      subscription: ACCOUNTS,
      successful: true,
    })
    await create('unheard')
    assert.equal((await client.connect(AT_ONCE)).length, 1)
  })
})

describe('messages', () => {
  test('of /meta/disconnect end the client, and the connect that is held for it', async () => {
    const client = await follow()
    const held = client.connect()
    await untilHeld(o.db, client.clientId)
    assert.equal((await client.send('/meta/disconnect')).successful, true)
    const [reply] = await held
    assert.ok(['none', 'handshake'].includes(reply!.advice.reconnect))
    assert.equal((await client.connect())[0]!.error, '403::Unknown client')
    assert.equal((await client.send('/meta/disconnect')).successful, false)
  })

  test('that publish are refused', async () => {
    const client = await follow()
    const reply = await client.send(ACCOUNTS, { data: {} })
    assert.equal(reply.error, '403::denied_by_security_policy:publish_denied')
    assert.equal(reply.successful, false)
  })

  test('of no channel, or of one that nobody knows, are refused', async () => {
    assert.equal((await ask({})).error, '400::Channel name not specified')
    assert.equal((await ask({ channel: 7 })).error, '400::Channel name not specified')
    assert.equal((await ask({ channel: '/meta/dance' })).error, '404::Unknown meta channel')
  })

  test('may come as one object, and in an address that says what they are for', async () => {
    for (const path of ['/cometd/64.0/', '/cometd/64.0/handshake', '/cometd/replay/36.0', '//cometd/37.0']) {
      const answer = await postMessages(o, HANDSHAKE, { path })
      assert.equal(answer.body[0].successful, true, path)
    }
  })

  test('that are no JSON objects, or too many, or too long, are refused as a whole', async () => {
    const NO_MESSAGES = 'The request is not a Bayeux message or a list of them'
    for (const body of ['', '7', '[1]', '[[]]', 'null']) {
      assertRefused(await postMessages(o, body), 400, 'JSON_PARSER_ERROR', NO_MESSAGES)
    }
    assert.equal((await postMessages(o, '{')).status, 400)
    const many = Array.from({ length: 101 }, () => ({ channel: '/meta/connect' }))
    assertRefused(
      await postMessages(o, many),
      400,
      'JSON_PARSER_ERROR',
      'The request has more than 100 messages',
    )
    assert.equal((await postMessages(o, { channel: 'x'.repeat(70_000) })).status, 413)
    assert.deepEqual((await postMessages(o, [])).body, [])
  })

  test('in an address of another version are refused', async () => {
    const UNSUPPORTED =
      "Unsupported API version. Only API versions '37.0' and above are supported. URI format: '/cometd/68.0'"
    for (const path of ['/cometd/36.0', '/cometd/99.0', '/cometd/replay/35.0']) {
      assertRefused(await postMessages(o, HANDSHAKE, { path }), 400, 'INVALID_INPUT', UNSUPPORTED)
    }
    const MISSING = "API version in the URI is mandatory. URI format: '/cometd/68.0'"
    for (const path of ['/cometd', '/cometd/', '/cometd/latest', '/cometd/64']) {
      assertRefused(await postMessages(o, HANDSHAKE, { path }), 400, 'INVALID_INPUT', MISSING)
    }
    assert.equal((await postMessages(o, HANDSHAKE, { path: '/cometd/20.0' })).status, 410)
  })

  test('of pages of other origins are refused, unless the org allows them', async () => {
    const send = (origin: string) =>
      o.server.inject({
        method: 'POST',
        url: '/cometd/64.0',
        headers: { host: 'records.example.com', origin, authorization: `OAuth ${o.token}` },
        payload: HANDSHAKE,
      })
    assert.equal((await send('https://elsewhere.example.com')).statusCode, 403)
    const own = await send('http://records.example.com')
    assert.equal(own.json()[0].successful, true)
    assert.equal(own.headers['access-control-allow-origin'], 'http://records.example.com')
  })

  test('of a user who may not use the API are those of nobody', async () => {
    const { org: somebody } = await addPerson(o, 'outsider')
    const { body } = await o.call('GET', `/sobjects/User/${somebody.userId}?fields=ProfileId`)
    await o.call('PATCH', `/sobjects/Profile/${body.ProfileId}`, { body: { PermissionsApiEnabled: false } })
    const [reply] = await exchange(somebody, [HANDSHAKE])
    assert.equal(reply!.error, '403::Handshake denied')
  })
})
