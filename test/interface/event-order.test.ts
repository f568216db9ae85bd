import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fetchRecords } from '../support/ask.ts'
import { openEventStream, type Streamed } from '../support/event-stream.ts'
import { openOrg } from '../support/org.ts'
import { selectChanges } from '../support/select-changes.ts'

const WRITERS = 8
const WRITES = 25
const RECORDS = 6

test('followers that come and go see the same complete stream, from which the records can be made', async () => {
  const o = await openOrg({ settings: { edition: 'enterprise' } })
  await selectChanges(o, ['Account'])
  const shared = await Promise.all(
    Array.from({ length: RECORDS }, (_, n) => o.create('Account', { Name: `shared ${n}` })),
  )

  /** Follows until an account named `end` is seen, a few events with each stream. */
  const followAll = async (pieces: number): Promise<readonly Streamed[]> => {
    const seen: Streamed[] = []
    for (;;) {
      const after = seen.at(-1)?.id
      const stream = await openEventStream(o, 'channel=/data/AccountChangeEvent&replay=-2', after)
      for (let n = 0; n < pieces; n++) {
        const [event] = await stream.take(1)
        assert.ok(event !== undefined, 'the stream has ended')
        seen.push(event)
        if (event.data.data.payload.Name === 'end') {
          stream.close()
          return seen
        }
      }
      stream.close()
    }
  }

  const write = async (writer: number, n: number) => {
    const id = shared[(writer * 7 + n * 5) % RECORDS]!
    const Description = `${writer}.${n}`
    const kind = (writer + n) % 5
    if (kind === 0) {
      const compositeRequest = ['a', 'b', 'c'].map((referenceId) => ({
        method: 'POST',
        url: '/services/data/v64.0/sobjects/Account',
        referenceId,
        body: { Name: `new ${Description}`, Site: referenceId },
      }))
      return o.call('POST', '/composite', { body: { allOrNone: true, compositeRequest } })
    }
    if (kind === 1) {
      const made = await o.create('Account', { Name: `short ${Description}` })
      return o.call('DELETE', `/sobjects/Account/${made}`)
    }
    if (kind === 2) {
      // The second step takes the first one back.
      const step = { method: 'PATCH', url: `/services/data/v64.0/sobjects/Account/${id}`, referenceId: 'a' }
      const wrong = {
        method: 'POST',
        url: '/services/data/v64.0/sobjects/Account',
        referenceId: 'b',
        body: {},
      }
      const compositeRequest = [{ ...step, body: { Description: `gone ${Description}` } }, wrong]
      return o.call('POST', '/composite', { body: { allOrNone: true, compositeRequest } })
    }
    if (kind === 3) {
      const records = shared.map((Id) => ({ attributes: { type: 'Account' }, Id, Description }))
      return o.call('PATCH', '/composite/sobjects', { body: { records } })
    }
    return o.call('PATCH', `/sobjects/Account/${id}`, { body: { Description } })
  }

  const followers = [followAll(7), followAll(20)]
  await Promise.all(
    Array.from({ length: WRITERS }, async (_, writer) => {
      for (let n = 0; n < WRITES; n++) await write(writer, n)
    }),
  )
  await o.create('Account', { Name: 'end' })
  const [one, other] = await Promise.all(followers)
  assert.deepEqual(
    one!.map(({ id }) => id),
    other!.map(({ id }) => id),
  )
  const positions = one!.map(({ id }) => Number(id))
  assert.deepEqual(
    positions,
    [...new Set(positions)].sort((a, b) => a - b),
  )
  const transactions = Map.groupBy(one!, ({ data }) => data.data.payload.ChangeEventHeader.transactionKey)
  for (const events of transactions.values()) {
    const first = Number(events[0]!.id)
    const headers = events.map(({ data }) => data.data.payload.ChangeEventHeader)
    assert.deepEqual(
      headers.map(({ sequenceNumber, commitNumber }) => [sequenceNumber, commitNumber]),
      events.map((_, index) => [index + 1, first]),
    )
  }
  assert.equal(Math.max(...[...transactions.values()].map(({ length }) => length)), 3)
  const made = new Map<string, Record<string, unknown>>()
  for (const { data } of one!) {
    const { ChangeEventHeader: header, ...values } = data.data.payload
    for (const id of header.recordIds) {
      if (header.changeType === 'DELETE') made.delete(id)
      else made.set(id, { ...made.get(id), ...values })
    }
  }
  const records = await fetchRecords(o, 'SELECT Id, Name, Description FROM Account ORDER BY Id')
  assert.deepEqual(
    [...made]
      .map(([Id, { Name, Description = null }]) => ({ Id, Name, Description }))
      .sort((a, b) => (a.Id < b.Id ? -1 : 1)),
    records.map(({ Id, Name, Description }) => ({ Id, Name, Description })),
  )
  assert.ok(!one!.some(({ data }) => String(data.data.payload.Description).startsWith('gone')))
})
