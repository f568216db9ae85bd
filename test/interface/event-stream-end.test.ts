import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { hashToken } from '../../src/auth/oauth/token-text.ts'
import { revokeSession } from '../../src/auth/tokens/revoke.ts'
import { type EventStream, openEventStream } from '../support/event-stream.ts'
import { openOrg } from '../support/org.ts'
import { selectChanges } from '../support/select-changes.ts'
import { standardObject } from '../support/standard-object.ts'

/* What the event stream is besides its events, which change-events.test.ts has. */

const CHANNEL = 'channel=/data/AccountChangeEvent'

/** Returns the last event of a silent stream, and after how many milliseconds it came. */
async function timeEnd(stream: EventStream, cause: () => Promise<unknown>) {
  await setTimeout(1500)
  const before = performance.now()
  await cause()
  const [last] = await stream.take(1)
  return { code: last?.data.errorCode, ms: performance.now() - before }
}

test('a silent stream ends soon after its token, its channel or the rights of its user are gone', async () => {
  const o = await openOrg()
  await selectChanges(o, ['Account', 'Contact'])
  const token = await o.services.sessions.issue({
    ...{ org: o.org, clientId: o.clientId, userId: o.userId, scopes: ['api'], grantType: 'test' },
  })
  const deselect = () =>
    o.services.runtimes.of(o.org).snapshots.deploy(o.db, {
      objects: [{ ...standardObject('Account'), changeEvents: false }],
      mode: 'keep',
    })
  const ended = [
    await timeEnd(await openEventStream({ ...o, token }, CHANNEL), () =>
      revokeSession(o.db, hashToken(token)),
    ),
    await timeEnd(await openEventStream(o, CHANNEL), deselect),
  ]
  assert.deepEqual(
    ended.map(({ code }) => code),
    ['INVALID_SESSION_ID', 'NOT_FOUND'],
  )
  // Without the check of each second it would be 12 at least.
  for (const { ms } of ended) assert.ok(ms < 8000, `${ms} ms`)
})

test('a stream that does not follow ends with what is kept, and says how far that is', async () => {
  const o = await openOrg()
  await selectChanges(o, ['Account', 'Contact'])
  const empty = await openEventStream(o, `${CHANNEL}&replay=-2&follow=false`)
  const atFirst = await empty.take(9)
  assert.deepEqual(
    atFirst.map(({ event }) => event),
    ['end'],
  )
  for (let n = 0; n < 205; n++) await o.create('Account', { Name: `A ${n}` })
  await o.create('Contact', { LastName: 'Last' })
  const stream = await openEventStream(o, `${CHANNEL}&replay=-2&follow=false`)
  const told = await stream.take(999)
  assert.deepEqual(
    told.slice(0, -1).map(({ data }) => data.data.payload.Name),
    Array.from({ length: 205 }, (_, n) => `A ${n}`),
  )
  const end = told.at(-1)!
  // The contact is behind the last account, in another channel.
  const position = Number(told.at(-2)!.id) + 1
  assert.deepEqual([end.event, end.id, end.data], ['end', String(position), { position }])
  const rest = await openEventStream(o, `${CHANNEL}&follow=false`, end.id)
  assert.deepEqual(
    (await rest.take(9)).map(({ event }) => event),
    ['end'],
  )
  const wrong = await o.call('GET', `/event-stream?${CHANNEL}&follow=no`)
  assert.deepEqual([wrong.status, wrong.body[0].errorCode], [400, 'ILLEGAL_QUERY_PARAMETER_VALUE'])
})
