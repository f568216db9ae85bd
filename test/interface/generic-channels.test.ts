import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { assertRefused, NO_RESOURCE } from '../support/assert-refused.ts'
import { AT_ONCE, openBayeux } from '../support/bayeux-client.ts'
import { openEventStream } from '../support/event-stream.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, type Person } from '../support/people.ts'

/* What clients push to generic channels, and who is told. */

const NAME = '/u/Notifications'

let o: TestOrg
let id: string
let person: Person
before(async () => {
  o = await openOrg({ settings: { edition: 'enterprise' } })
  id = await o.create('StreamingChannel', { Name: NAME, Description: 'What happens in the house' })
  person = await addPerson(o, 'generic-reader')
})

const push = (body: unknown, channel = id) =>
  o.call('POST', `/sobjects/StreamingChannel/${channel}/push`, { body: body as object })

const pushText = async (payload: string, ...userIds: readonly string[]) => {
  const answer = await push({ pushEvents: [{ payload, userIds }] })
  assert.equal(answer.status, 200, answer.text)
}

describe('a generic channel', () => {
  test('tells what is pushed to it, in its order', async () => {
    const stream = await openEventStream(o, `channel=${NAME}`)
    const answer = await push({ pushEvents: [{ payload: 'one' }, { payload: 'two', userIds: [] }] })
    assert.equal(answer.status, 200, answer.text)
    const told = { fanoutCount: -1, userOnlineStatus: {} }
    assert.deepEqual(answer.body, [told, told])
    const [one, two] = await stream.take(2)
    stream.close()
    const { createdDate, replayId } = one!.data.data.event
    assert.match(createdDate, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.equal(String(replayId), one!.id)
    assert.deepEqual(one!.data, { channel: NAME, data: { event: { createdDate, replayId }, payload: 'one' } })
    assert.equal(two!.data.data.payload, 'two')
  })

  test('tells only the users that an event is for, also those who wait together', async () => {
    const clients = [await openBayeux(o), await openBayeux(person.org)]
    for (const client of clients) assert.equal((await client.subscribe(NAME)).successful, true)
    await pushText('for one', person.id)
    await pushText('for the other', o.userId)
    await pushText('for all')
    const replies = await Promise.all(clients.map((client) => client.connect(AT_ONCE)))
    const told = replies.map((list) => list.flatMap(({ data }) => data?.payload ?? []))
    assert.deepEqual(told, [
      ['for the other', 'for all'],
      ['for one', 'for all'],
    ])
  })

  test('that is not there has no channel, and takes nothing', async () => {
    const gone = await o.create('StreamingChannel', { Name: '/u/Gone' })
    await o.call('DELETE', `/sobjects/StreamingChannel/${gone}`)
    assert.equal((await o.call('GET', '/event-stream?channel=/u/Gone')).status, 404)
    assertRefused(await push({ pushEvents: [] }, gone), 404, 'NOT_FOUND', NO_RESOURCE)
  })

  test('takes nothing of who may not make channels', async () => {
    const body = { pushEvents: [{ payload: 'no' }] }
    const answer = await person.call('POST', `/sobjects/StreamingChannel/${id}/push`, { body })
    assertRefused(answer, 403, 'INSUFFICIENT_ACCESS', 'Records of StreamingChannel are not createable')
  })

  test('has a name that begins with /u/', async () => {
    for (const Name of ['Notifications', '/u/', '/u/a b', '/topic/X', '/u//x']) {
      const answer = await o.call('POST', '/sobjects/StreamingChannel', { body: { Name } })
      assert.equal(answer.body[0].errorCode, 'FIELD_INTEGRITY_EXCEPTION', Name)
    }
    assert.equal(
      (await o.call('POST', '/sobjects/StreamingChannel', { body: { Name: '/u/a/b' } })).status,
      201,
    )
  })
})

describe('a push is refused', () => {
  for (const [what, event, code] of [
    ['without a payload', {}, 'JSON_PARSER_ERROR'],
    ['with a payload that is no text', { payload: { a: 1 } }, 'JSON_PARSER_ERROR'],
    ['with a payload of more than 3,000 characters', { payload: 'a'.repeat(3001) }, 'STRING_TOO_LONG'],
    ['for what is no user', { payload: 'a', userIds: ['001000000000001AAA'] }, 'MALFORMED_ID'],
    [
      'for too many users',
      { payload: 'a', userIds: Array(101).fill('005000000000001AAA') },
      'JSON_PARSER_ERROR',
    ],
    ['with a member that is not known', { payload: 'a', users: [] }, 'JSON_PARSER_ERROR'],
  ] as const) {
    test(what, async () => {
      const answer = await push({ pushEvents: [event] })
      assert.equal(answer.status, 400, answer.text)
      assert.equal(answer.body[0].errorCode, code)
    })
  }

  test('with more than 100 events', async () => {
    const answer = await push({ pushEvents: Array(101).fill({ payload: 'a' }) })
    assert.equal(answer.body[0].errorCode, 'JSON_PARSER_ERROR')
  })

  for (const body of [{}, [], 'text', { pushEvents: 1 }, { pushEvents: [null] }]) {
    test(`as ${JSON.stringify(body)}`, async () => {
      assert.equal((await push(body)).status, 400)
    })
  }
})
