import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/base/sql.ts'
import { logEvents } from '../../src/records/events/log-events.sql.ts'
import { makeTimestamp } from '../../src/storage/database/timestamp.sql.ts'
import { dropOrg } from '../../src/storage/orgs/orgs.ts'
import { openEventStream } from '../support/event-stream.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { selectChanges } from '../support/select-changes.ts'
import { triggersFrom } from '../support/trigger-files.ts'

/* What the log of events keeps, and for how long. */

async function openFollowedOrg(options: Parameters<typeof openOrg>[0] = {}): Promise<TestOrg> {
  const o = await openOrg(options)
  await selectChanges(o, ['Account'])
  return o
}

const readAll = async (o: TestOrg, count: number, channel = '/data/ChangeEvents') => {
  const stream = await openEventStream(o, `channel=${channel}&replay=-2`)
  const events = await stream.take(count)
  stream.close()
  return events
}

test('equal changes that follow each other in a transaction are told as one, others each', async () => {
  const o = await openFollowedOrg()
  const ids: string[] = []
  for (const Name of ['a', 'b', 'c', 'd']) ids.push(await o.create('Account', { Name, Site: 'old' }))
  const patch = (n: number, body: object) => ({
    method: 'PATCH',
    url: `/services/data/v64.0/sobjects/Account/${ids[n]}`,
    referenceId: `r${n}${Object.values(body)}`,
    body,
  })
  const compositeRequest = [
    patch(0, { Site: 'new' }),
    patch(1, { Site: 'new' }),
    patch(2, { Site: 'new' }),
    patch(0, { Site: 'newer' }),
    patch(3, { Site: 'new' }),
  ]
  const { status } = await o.call('POST', '/composite', { body: { allOrNone: true, compositeRequest } })
  assert.equal(status, 200)
  await o.create('Account', { Name: 'after all' })
  const stream = await openEventStream(o, 'channel=/data/ChangeEvents&replay=-2')
  await stream.take(ids.length)
  const told = []
  for (;;) {
    const { payload } = (await stream.take(1))[0]!.data.data
    if (payload.Name === 'after all') break
    told.push(payload)
  }
  stream.close()
  assert.deepEqual(
    told.flatMap(({ ChangeEventHeader: { recordIds }, Site }) => recordIds.map((id: string) => [id, Site])),
    compositeRequest.map(({ url, body }) => [url.split('/').at(-1), Object.values(body)[0]]),
  )
  // The time is a part of a change, and the second may end between two of them.
  const contents = told.map(({ Site, LastModifiedDate }) => `${Site} ${LastModifiedDate}`)
  assert.ok(
    contents.every((one, n) => one !== contents[n + 1]),
    contents.join(', '),
  )
  assert.deepEqual(
    told.map((one) => one.ChangeEventHeader.sequenceNumber),
    told.map((_, n) => n + 1),
  )
  assert.equal(new Set(told.map((one) => one.ChangeEventHeader.transactionKey)).size, 1)
})

test('beyond 100,000 changes a transaction tells of each object only that there was more', async () => {
  const fields = Array.from({ length: 25 }, (_, n) => `F${n}__c`)
  const triggers = await triggersFrom({
    'many.ts': `export default {
      object: 'Task',
      async beforeInsert(changes: any[], org: any) {
        const made = await org.create('Thing__c', Array.from({ length: 200 }, () => ({ Name: "thing" })))
        for (let n = 0; n < 22; n++)
          await org.update('Thing__c', made.map(({ id: Id }: any) => ({
            Id, ...Object.fromEntries(${JSON.stringify(fields)}.map((name) => [name, 'v' + n])) })))
        await org.create('Account', [{ Name: 'after all' }])
      },
    }`,
  })
  const o = await openFollowedOrg({ triggers })
  await o.deploy([
    {
      name: 'Thing__c',
      label: 'Thing',
      labelPlural: 'Things',
      keyPrefix: 'a00',
      changeEvents: true,
      fields: [
        { name: 'Name', label: 'Name', type: 'string', length: 80, nameField: true },
        ...fields.map((name) => ({ name, label: name, type: 'string' as const, length: 20 })),
      ],
    },
  ])
  await o.create('Task', { Subject: 'many' })
  // 200 changes of creations, and 200 times 25 or 26 with each update.
  await o.create('Account', { Name: 'another transaction' })
  const stream = await openEventStream(o, 'channel=/data/ChangeEvents&replay=-2')
  const told = []
  for (;;) {
    const [event] = await stream.take(1)
    const { payload } = event!.data.data
    told.push(payload)
    if (payload.Name === 'another transaction') break
  }
  stream.close()
  const all = told.map(({ ChangeEventHeader: { changeType, entityName, recordIds } }) => ({
    changeType,
    entityName,
    count: recordIds.length,
  }))
  const updates = all.filter(({ changeType }) => changeType === 'UPDATE')
  assert.ok(updates.length >= 18 && updates.length <= 20, `${updates.length} updates`)
  assert.ok(updates.every(({ count }) => count === 200))
  assert.deepEqual(all.slice(1 + updates.length), [
    { changeType: 'GAP_OVERFLOW', entityName: 'Thing__c', count: 1 },
    { changeType: 'GAP_OVERFLOW', entityName: 'Account', count: 1 },
    { changeType: 'CREATE', entityName: 'Account', count: 1 },
  ])
  const overflow = told.find((one) => one.ChangeEventHeader.changeType === 'GAP_OVERFLOW')!
  assert.deepEqual(Object.keys(overflow), ['ChangeEventHeader'])
  assert.deepEqual(overflow.ChangeEventHeader.recordIds, ['000000000000000AAA'])
  assert.deepEqual(
    told.slice(0, -1).map((one) => one.ChangeEventHeader.sequenceNumber),
    told.slice(0, -1).map((_, n) => n + 1),
  )
})

test('events are gone after 72 hours of the clock of their org, and positions before them are refused', async () => {
  const opened = await openFollowedOrg({ settings: { allowFaults: 'true' } })
  const token = opened.services.sessions.issueUnstored(opened.org, opened.userId)
  const o = { ...opened, token }
  const advance = async (hours: number) => {
    const headers = { authorization: `Bearer ${token}` }
    const body = { advanceSeconds: hours * 3600 }
    const { status } = await o.call('PUT', '/setup/orgs/current/clock', { body, headers })
    assert.equal(status, 200)
    await o.services.feed.forgetGone()
  }
  const { call } = o
  const create = (Name: string) =>
    call('POST', '/sobjects/Account', { body: { Name }, headers: { authorization: `Bearer ${token}` } })
  await create('old')
  await advance(71)
  await create('young')
  const [old] = await readAll(o, 1)
  assert.equal(old!.data.data.payload.Name, 'old')
  await advance(2)
  const [young] = await readAll(o, 1)
  assert.equal(young!.data.data.payload.Name, 'young')
  // Nothing after it is gone.
  assert.equal((await openEventStream(o, 'channel=/data/ChangeEvents', old!.id)).status, 200)
  const before = String(Number(old!.id) - 1)
  assert.equal((await openEventStream(o, 'channel=/data/ChangeEvents', before)).status, 400)
})

test('the oldest events of a log that is too long are gone, also where nobody has followed it', async () => {
  const o = await openFollowedOrg({ settings: { eventLogMegabytes: '1' } })
  const Description = 'x'.repeat(30_000)
  for (let n = 0; n < 40; n++) await o.create('Account', { Name: `${n}`, Description })
  await o.services.feed.forgetGone()
  const stream = await openEventStream(o, 'channel=/data/ChangeEvents&replay=-2')
  const [first] = await stream.take(1)
  const kept = 40 - Number(first!.data.data.payload.Name)
  assert.ok(kept >= 30 && kept <= 35, `${kept} events of 30 kB are kept`)
  const rest = await stream.take(kept - 1)
  assert.equal(rest.at(-1)!.data.data.payload.Name, '39')
  stream.close()
  assert.equal((await openEventStream(o, 'channel=/data/ChangeEvents', '1')).status, 400)
})

test('the events of an org go with it, and one that is published meanwhile goes soon', async () => {
  const o = await openFollowedOrg()
  await o.create('Account', { Name: 'a' })
  const count = async () => {
    const statement = sql`select count(*)::integer as count from objectry.event where org_id = ${o.org.id}`
    return (await o.db.query<{ count: number }>(statement))[0]!.count
  }
  assert.equal(await count(), 1)
  await dropOrg(o.db, o.org)
  assert.equal(await count(), 0)
  const about = { object: 'Done__e', kind: 'PUBLISH', origin: 'test' } as const
  const audit = { userId: o.userId, timestamp: makeTimestamp(new Date()) }
  await o.db.query(logEvents(o.org, about, [{ content: '{}' }], audit))
  assert.equal(await count(), 1)
  await o.services.feed.forgetGone()
  assert.equal(await count(), 0)
})

test('a log that is longer than what one statement can settle gets its positions all the same, transactions whole and in their order', async () => {
  const o = await openFollowedOrg()
  const audit = { userId: o.userId, timestamp: makeTimestamp(new Date()) }
  const about = { object: 'Done__e', kind: 'PUBLISH', origin: 'test' } as const
  const events = (count: number) => Array.from({ length: count }, () => ({ content: '{}' }))
  const counts = [5, 12_000, 21_000, 3, 11_000]
  for (const count of counts) await o.db.query(logEvents(o.org, about, events(count), audit))
  await Promise.all([1, 2, 3].map(() => o.services.feed.givePositions([o.org.id])))
  const statement = sql`
    select count(*)::integer as count, min(position)::integer as first, max(position)::integer as last, max(place) as place
    from objectry.event where org_id = ${o.org.id} group by transaction order by transaction`
  const found = await o.db.query<{ count: number; first: number; last: number; place: number }>(statement)
  let last = 0
  const expected = counts.map((count) => {
    last += count
    return { count, first: last - count + 1, last, place: count }
  })
  assert.deepEqual(found, expected)
})
