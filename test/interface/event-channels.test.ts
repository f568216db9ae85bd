import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { openEventStream } from '../support/event-stream.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow, allowField } from '../support/people.ts'

/* Channels that bring events of several objects together, and fields that events have on them. */

const OBJECTS = {
  Account: {
    changeEvents: true,
    channels: { ChangeEvents: ['Industry'], Partner__chn: ['Phone', 'BillingCity'] },
  },
  // It has no channel of its own.
  Contact: { channels: { Partner__chn: [] } },
  Order_Placed__e: { fields: { Number__c: { type: 'string', length: 20 } }, channels: { Shop__chn: [] } },
  Order_Sent__e: { fields: { Number__c: { type: 'string', length: 20 } }, channels: { Shop__chn: [] } },
}

const deploy = (o: TestOrg, objects: object) =>
  o.call('PUT', '/setup/orgs/current/schema', { body: { mode: 'keep', objects } })

let o: TestOrg
before(async () => {
  o = await openOrg({ settings: { edition: 'enterprise' } })
  const { status, text } = await deploy(o, OBJECTS)
  assert.equal(status, 200, text)
})

const follow = (channel: string, from: TestOrg = o) => openEventStream(from, `channel=${channel}`)

const payloads = (events: Awaited<ReturnType<Awaited<ReturnType<typeof follow>>['take']>>) =>
  events.map(({ data }) => {
    const { ChangeEventHeader, ...rest } = data.data.payload
    return [data.channel, ChangeEventHeader.entityName, ChangeEventHeader.changeType, rest]
  })

test('a channel of its own brings the changes of its objects together, each with the fields that it always has there', async () => {
  const [partner, own] = [await follow('/data/Partner__chn'), await follow('/data/AccountChangeEvent')]
  const Id = await o.create('Account', { Name: 'Acme', Phone: '1', BillingCity: 'Ulm', Industry: 'Energy' })
  await o.create('Contact', { LastName: 'Ada' })
  await o.call('PATCH', `/sobjects/Account/${Id}`, { body: { Phone: null, Site: 'x' } })
  await o.call('DELETE', `/sobjects/Account/${Id}`)
  const shown = payloads(await partner.take(4)).map(([, ...rest]) => rest)
  const { LastModifiedDate, ...changed } = shown[2]![2] as Record<string, unknown>
  assert.equal(typeof LastModifiedDate, 'string')
  assert.deepEqual(shown[0]!.slice(0, 2), ['Account', 'CREATE'])
  assert.deepEqual(shown[1]!.slice(0, 2), ['Contact', 'CREATE'])
  assert.deepEqual([shown[2]![0], shown[2]![1]], ['Account', 'UPDATE'])
  // What is empty is there only because it changed.
  assert.deepEqual(changed, { Phone: null, Site: 'x', BillingAddress: { City: 'Ulm' } })
  assert.deepEqual(shown[3], ['Account', 'DELETE', { BillingAddress: { City: 'Ulm' } }])
  const ownShown = payloads(await own.take(3))
  assert.deepEqual(ownShown[1]![3].Industry, 'Energy')
  assert.equal(ownShown[1]![3].BillingAddress, undefined)
  assert.deepEqual(ownShown[2]!.slice(1), ['Account', 'DELETE', { Industry: 'Energy' }])
  for (const stream of [partner, own]) stream.close()
})

test('an event that several channels of a stream have comes once, as the first of them has it', async () => {
  const stream = await follow('/data/Partner__chn,/data/ChangeEvents')
  await o.create('Account', { Name: 'once' })
  await o.create('Contact', { LastName: 'then' })
  assert.deepEqual(
    payloads(await stream.take(2)).map(([channel, entity]) => [channel, entity]),
    [
      ['/data/Partner__chn', 'Account'],
      ['/data/Partner__chn', 'Contact'],
    ],
  )
  stream.close()
})

test('platform events come together on a channel too', async () => {
  const stream = await follow('/event/Shop__chn')
  await o.call('POST', '/sobjects/Order_Placed__e', { body: { Number__c: '1' } })
  await o.call('POST', '/sobjects/Order_Sent__e', { body: { Number__c: '1' } })
  const events = await stream.take(2)
  assert.deepEqual(
    events.map(({ data }) => [data.channel, data.data.payload.Number__c]),
    [
      ['/event/Shop__chn', '1'],
      ['/event/Shop__chn', '1'],
    ],
  )
  assert.notEqual(events[0]!.data.data.schema, events[1]!.data.data.schema)
  stream.close()
})

test('a channel has the objects and fields that its follower may see, and is not there without any', async () => {
  const person = await addPerson(o, 'ada')
  assert.equal((await follow('/data/Partner__chn', person.org)).status, 404)
  await allow(o, person.setId, 'Account', 'Read')
  await allowField(o, person.setId, 'Account.Site')
  const stream = await follow('/data/Partner__chn', person.org)
  const Id = await o.create('Account', { Name: 'seen', Phone: '2' })
  await o.create('Contact', { LastName: 'not seen' })
  await o.call('PATCH', `/sobjects/Account/${Id}`, { body: { Site: 'y' } })
  const [made, changed] = payloads(await stream.take(2))
  assert.equal(made![3].Name, 'seen')
  assert.equal(changed![3].Site, 'y')
  assert.ok(!('Phone' in made![3] || 'Phone' in changed![3]))
  stream.close()
})

test('an object is on the channels of its own only if it has change events', async () => {
  assert.equal((await follow('/data/ContactChangeEvent')).status, 404)
  for (const channel of ['/event/Partner__chn', '/data/Shop__chn', '/data/Gone__chn', '/data/Partner__chnx'])
    assert.equal((await follow(channel)).status, 404, channel)
})

for (const [name, objects, message] of [
  [
    'a name',
    { Account: { channels: { Partner: [] } } },
    'a channel is named by letters, digits and single _',
  ],
  [
    'a field that is there twice',
    { Account: { channels: { A__chn: ['Phone', 'Phone'] } } },
    'Phone is there twice',
  ],
  [
    'a field that is not there',
    { Account: { channels: { A__chn: ['Nothing'] } } },
    'Account has no field Nothing',
  ],
  [
    'a field that events do not have',
    { Account: { channels: { A__chn: ['SystemModstamp'] } } },
    'events do not have SystemModstamp',
  ],
  [
    'a compound field',
    { Account: { channels: { A__chn: ['BillingAddress'] } } },
    'events do not have BillingAddress',
  ],
  [
    'fields of its own channels without change events',
    { Case: { channels: { ChangeEvents: ['Subject'] } } },
    'no channel of its own without changeEvents',
  ],
  [
    'fields of a platform event',
    { Order_Sent__e: { channels: { Shop__chn: ['Number__c'] } } },
    'have all of its fields',
  ],
  [
    'an object whose changes are not told',
    { Group: { channels: { A__chn: [] } } },
    'changes of Group records are not told',
  ],
] as const) {
  test(`a definition of a channel is refused for ${name}`, async () => {
    const answer = await deploy(o, objects)
    assert.equal(answer.status, 400)
    assert.ok(answer.text.includes(message), answer.text)
  })
}
