import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { resetOrg } from '../../src/orgs/snapshots/reset-org.ts'
import { ingest } from '../support/bulk.ts'
import { type EventStream, openEventStream, type Streamed } from '../support/event-stream.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow, allowField } from '../support/people.ts'
import { selectChanges } from '../support/select-changes.ts'
import { triggersFrom } from '../support/trigger-files.ts'

/* What is told of changes. Each test begins behind what was there before. */

const SELECTED = ['Account', 'Contact', 'Opportunity', 'Campaign', 'CampaignMember', 'Quote']
let o: TestOrg
before(async () => {
  const triggers = await triggersFrom({
    'task.ts': `export default {
      object: 'Task',
      async beforeInsert(changes: any[], org: any) {
        await org.undelete(changes[0].record.Subject, [changes[0].record.Description])
      },
    }`,
    'account.ts': `export default {
      object: 'Account',
      async afterInsert(changes: any[], org: any) {
        for (const { record } of changes)
          if (record.Name === 'Watched') await org.create('Contact', [{ LastName: 'By trigger', AccountId: record.Id }])
      },
      async afterUpdate(changes: any[]) {
        for (const { record, addError } of changes) if (record.Name === 'Refused') addError('no')
      },
    }`,
  })
  o = await openOrg({ triggers, settings: { edition: 'enterprise' } })
  await selectChanges(o, SELECTED)
  await o.deploy([
    {
      name: 'Employee__c',
      label: 'Employee',
      labelPlural: 'Employees',
      keyPrefix: 'a00',
      changeEvents: true,
      fields: [
        { name: 'Name', label: 'Name', type: 'string', length: 80, nameField: true },
        { name: 'Pin__c', label: 'Pin', type: 'encryptedstring', length: 20 },
        { name: 'Home__c', label: 'Home', type: 'address' },
      ],
    },
  ])
})

const follow = (channel = '/data/ChangeEvents', from: TestOrg = o) =>
  openEventStream(from, `channel=${channel}`)

/** Headers without what differs in each run. */
const outline = ({ data }: Streamed) => {
  const { entityName, changeType, recordIds } = data.data.payload.ChangeEventHeader
  return [changeType, entityName, ...recordIds]
}

/** The events up to that of an account that is created now. */
async function takeRest(stream: EventStream): Promise<readonly Streamed[]> {
  const end = await o.create('Account', { Name: 'The end' })
  const taken: Streamed[] = []
  for (;;) {
    const [event] = await stream.take(1)
    assert.ok(event !== undefined, 'the stream has ended')
    if (event.data.data.payload.ChangeEventHeader.recordIds[0] === end) return taken
    taken.push(event)
  }
}

const payloadOf = (event: Streamed | undefined) => event!.data.data.payload

describe('a change event', () => {
  test('of a new record has its values that are not empty, and who, when and how', async () => {
    const stream = await follow('/data/AccountChangeEvent')
    const answer = await o.call('POST', '/sobjects/Account', {
      body: { Name: 'Acme', BillingCity: 'Bonn', BillingLatitude: 50.5, NumberOfEmployees: 3 },
      headers: { 'sforce-call-options': 'client=loader' },
    })
    const [event] = await stream.take(1)
    const { ChangeEventHeader: header, ...values } = payloadOf(event)
    const { transactionKey, commitTimestamp, commitNumber, ...rest } = header
    assert.deepEqual(rest, {
      entityName: 'Account',
      recordIds: [answer.body.id],
      changeType: 'CREATE',
      changeOrigin: 'com/salesforce/api/rest/64.0;client=loader',
      sequenceNumber: 1,
      commitUser: o.userId,
      nulledFields: [],
      diffFields: [],
      changedFields: [],
    })
    assert.match(transactionKey, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    assert.equal(commitTimestamp, Date.parse(values.CreatedDate))
    assert.match(values.CreatedDate, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    assert.deepEqual(values.BillingAddress, { City: 'Bonn', Latitude: 50.5 })
    assert.equal(values.Name, 'Acme')
    assert.equal(values.NumberOfEmployees, 3)
    assert.ok(!('Phone' in values) && !('Id' in values) && !('SystemModstamp' in values))
    assert.equal(event!.id, String(event!.data.data.event.replayId))
    assert.equal(commitNumber, event!.data.data.event.replayId)
    assert.equal(event!.data.channel, '/data/AccountChangeEvent')
    stream.close()
  })

  test('of an update has what changed, null for what is empty now, and when', async () => {
    const id = await o.create('Account', { Name: 'A', Phone: '1', BillingCity: 'Bonn' })
    const stream = await follow('/data/AccountChangeEvent')
    await o.call('PATCH', `/sobjects/Account/${id}`, { body: { Name: 'B', BillingCity: null, Phone: '1' } })
    const [event] = await stream.take(1)
    const { ChangeEventHeader: header, LastModifiedDate, ...values } = payloadOf(event)
    assert.deepEqual(header.changedFields, ['Name', 'BillingAddress.City', 'LastModifiedDate'])
    assert.deepEqual(header.nulledFields, ['BillingAddress.City'])
    assert.deepEqual(values, { Name: 'B', BillingAddress: { City: null } })
    assert.ok(LastModifiedDate)
    stream.close()
  })

  test('is not there for an update that changes nothing, and for one that a trigger refuses', async () => {
    const id = await o.create('Account', { Name: 'A' })
    const stream = await follow()
    await o.call('PATCH', `/sobjects/Account/${id}`, { body: { Name: 'A' } })
    const refused = await o.call('PATCH', `/sobjects/Account/${id}`, { body: { Name: 'Refused' } })
    assert.equal(refused.status, 400)
    assert.deepEqual(await takeRest(stream), [])
    stream.close()
  })

  test('of a person has the parts of the name', async () => {
    const stream = await follow('/data/ContactChangeEvent')
    const id = await o.create('Contact', { FirstName: 'Ada', LastName: 'L' })
    await o.call('PATCH', `/sobjects/Contact/${id}`, { body: { LastName: 'Lovelace' } })
    const [made, changed] = await stream.take(2)
    assert.deepEqual(payloadOf(made).Name, { FirstName: 'Ada', LastName: 'L' })
    assert.deepEqual(payloadOf(changed).Name, { LastName: 'Lovelace' })
    assert.deepEqual(payloadOf(changed).ChangeEventHeader.changedFields, [
      'Name.LastName',
      'LastModifiedDate',
    ])
    stream.close()
  })

  test('of a custom object comes by its own channel, and never with an encrypted value', async () => {
    const stream = await follow('/data/Employee__ChangeEvent')
    const id = await o.create('Employee__c', { Name: 'E', Pin__c: 'first pin', Home__City__s: 'Bonn' })
    await o.call('PATCH', `/sobjects/Employee__c/${id}`, { body: { Pin__c: 'second pin' } })
    const [made, changed] = await stream.take(2)
    assert.deepEqual(payloadOf(made).Home__c, { City: 'Bonn' })
    assert.deepEqual(payloadOf(changed).ChangeEventHeader.changedFields, ['Pin__c', 'LastModifiedDate'])
    assert.ok(!JSON.stringify([made, changed]).includes('second pin'))
    assert.ok(!JSON.stringify([made, changed]).includes('first pin'))
    stream.close()
  })
})

describe('by every way to write', () => {
  test('of before a field was encrypted does not tell its value any more', async () => {
    const fieldOf = (type: 'string' | 'encryptedstring') => ({ Code__c: { type, length: 20 } })
    const deploy = (type: 'string' | 'encryptedstring') =>
      o.call('PUT', '/setup/orgs/current/schema', {
        body: { mode: 'keep', objects: { Open__c: { changeEvents: true, fields: fieldOf(type) } } },
      })
    assert.equal((await deploy('string')).status, 200)
    await o.create('Open__c', { Name: 'a', Code__c: 'secret' })
    const before = await follow('/data/Open__ChangeEvent&replay=-2')
    assert.equal(payloadOf((await before.take(1))[0]).Code__c, 'secret')
    before.close()
    const { status, text } = await deploy('encryptedstring')
    assert.equal(status, 200, text)
    const after = await follow('/data/Open__ChangeEvent&replay=-2')
    const [event] = await after.take(1)
    assert.equal(payloadOf(event).Name, 'a')
    assert.ok(!('Code__c' in payloadOf(event)))
    after.close()
  })

  test('records that a list changes alike are told together', async () => {
    const ids = [await o.create('Account', { Name: 'A' }), await o.create('Account', { Name: 'B' })]
    const stream = await follow()
    const records = ids.map((Id) => ({ attributes: { type: 'Account' }, Id, Phone: '7' }))
    await o.call('PATCH', '/composite/sobjects', { body: { records } })
    await o.call('DELETE', `/composite/sobjects?ids=${ids.join()}`)
    const events = await takeRest(stream)
    assert.deepEqual(events.map(outline), [
      ['UPDATE', 'Account', ...ids],
      ['DELETE', 'Account', ...ids],
    ])
    stream.close()
  })

  test('a transaction has one key, and numbers from 1 on', async () => {
    const stream = await follow()
    const reference = { method: 'POST', url: '/services/data/v64.0/sobjects/Contact', referenceId: 'c' }
    await o.call('POST', '/composite', {
      body: {
        allOrNone: true,
        compositeRequest: [
          {
            method: 'POST',
            url: '/services/data/v64.0/sobjects/Account',
            referenceId: 'a',
            body: { Name: 'A' },
          },
          { ...reference, body: { LastName: 'C', AccountId: '@{a.id}' } },
        ],
      },
    })
    const events = await takeRest(stream)
    const headers = events.map((event) => payloadOf(event).ChangeEventHeader)
    assert.deepEqual(
      headers.map(({ entityName, sequenceNumber }) => [entityName, sequenceNumber]),
      [
        ['Account', 1],
        ['Contact', 2],
      ],
    )
    assert.equal(new Set(headers.map(({ transactionKey }) => transactionKey)).size, 1)
    assert.equal(new Set(headers.map(({ commitNumber }) => commitNumber)).size, 1)
    stream.close()
  })

  test('what is rolled back is not told', async () => {
    const stream = await follow()
    await o.call('POST', '/composite', {
      body: {
        allOrNone: true,
        compositeRequest: [
          {
            method: 'POST',
            url: '/services/data/v64.0/sobjects/Account',
            referenceId: 'a',
            body: { Name: 'A' },
          },
          { method: 'POST', url: '/services/data/v64.0/sobjects/Contact', referenceId: 'c', body: {} },
        ],
      },
    })
    assert.deepEqual(await takeRest(stream), [])
    stream.close()
  })

  test('trees, triggers, bulk rows and GraphQL are told', async () => {
    const stream = await follow()
    const attributes = { type: 'Account', referenceId: 'a' }
    await o.call('POST', '/composite/tree/Account', { body: { records: [{ attributes, Name: 'Tree' }] } })
    await o.create('Account', { Name: 'Watched' })
    await ingest(o, { object: 'Account', operation: 'insert' }, 'Name\nBulk\n')
    const query =
      'mutation { uiapi { ContactCreate(input: { Contact: { LastName: "Graph" } }) { Record { Id } } } }'
    await o.call('POST', '/graphql', { body: { query } })
    const events = await takeRest(stream)
    assert.deepEqual(
      events.map((event) => [outline(event)[1], payloadOf(event).Name]),
      [
        ['Account', 'Tree'],
        ['Account', 'Watched'],
        ['Contact', { LastName: 'By trigger' }],
        ['Account', 'Bulk'],
        ['Contact', { LastName: 'Graph' }],
      ],
    )
    assert.match(payloadOf(events[3]).ChangeEventHeader.changeOrigin, /^com\/salesforce\/api\/bulkapi\//)
    stream.close()
  })

  test('a deletion tells of what it takes along, and a restoration of what comes back', async () => {
    const account = await o.create('Account', { Name: 'A' })
    const contact = await o.create('Contact', { LastName: 'C', AccountId: account })
    const stream = await follow()
    await o.call('DELETE', `/sobjects/Account/${account}`)
    await o.create('Task', { Subject: 'Account', Description: account })
    const events = await takeRest(stream)
    assert.deepEqual(events.map(outline).sort(), [
      ['DELETE', 'Account', account],
      ['DELETE', 'Contact', contact],
      ['UNDELETE', 'Account', account],
      ['UNDELETE', 'Contact', contact],
    ])
    assert.deepEqual(Object.keys(payloadOf(events[0])), ['ChangeEventHeader'])
    const back = events.find((event) => outline(event).slice(0, 2).join() === 'UNDELETE,Account')
    assert.equal(payloadOf(back).Name, 'A')
    stream.close()
  })

  test('what the platform derives is told', async () => {
    const deal = await o.create('Opportunity', {
      Name: 'D',
      StageName: 'Prospecting',
      CloseDate: '2026-05-10',
    })
    const stream = await follow('/data/OpportunityChangeEvent')
    await o.call('PATCH', `/sobjects/Opportunity/${deal}`, { body: { StageName: 'Closed Won' } })
    const [event] = await stream.take(1)
    const { StageName, IsWon, IsClosed } = payloadOf(event)
    assert.deepEqual([StageName, IsWon, IsClosed], ['Closed Won', true, true])
    stream.close()
  })
})

describe('a stream', () => {
  test('goes on after the last event that somebody has, however it ended', async () => {
    const stream = await follow('/data/AccountChangeEvent')
    const ids = [await o.create('Account', { Name: '1' }), await o.create('Account', { Name: '2' })]
    const [first] = await stream.take(1)
    stream.close()
    const again = await openEventStream(o, 'channel=/data/AccountChangeEvent', first!.id)
    const [second] = await again.take(1)
    assert.deepEqual(outline(second!), ['CREATE', 'Account', ids[1]])
    again.close()
    const all = await openEventStream(o, 'channel=/data/AccountChangeEvent&replay=-2')
    const [oldest] = await all.take(1)
    assert.ok(Number(oldest!.id) <= Number(first!.id))
    all.close()
  })

  test('needs a token that is valid, for data', async () => {
    const url = '/services/data/v64.0/event-stream?channel=/data/AccountChangeEvent'
    const { sessions } = o.services
    const foreign = await sessions.issue({ ...o, scopes: ['openid'], grantType: 'test' })
    for (const [token, status] of [
      ['wrong', 401],
      [foreign, 403],
    ] as const) {
      const answer = await o.call('GET', url, { headers: { authorization: `Bearer ${token}` } })
      assert.equal(answer.status, status, answer.text)
    }
  })

  test('is refused for a position that was never given, a channel that is not there, and none', async () => {
    const refused = async (query: string) => (await o.call('GET', `/event-stream${query}`)).body[0].errorCode
    assert.equal(
      await refused('?channel=/data/AccountChangeEvent&replay=999999'),
      'ILLEGAL_QUERY_PARAMETER_VALUE',
    )
    assert.equal(await refused('?channel=/data/AccountChangeEvent&replay=x'), 'ILLEGAL_QUERY_PARAMETER_VALUE')
    assert.equal(await refused('?channel=/data/LeadChangeEvent'), 'NOT_FOUND')
    assert.equal(await refused('?channel=/data/AccountChangeEvents'), 'NOT_FOUND')
    assert.equal(await refused(''), 'MISSING_ARGUMENT')
  })

  test('shows fields that the user may see, of objects whose records the user sees all of', async () => {
    const person = await addPerson(o, 'follower')
    const named = await person.call('GET', '/event-stream?channel=/data/AccountChangeEvent')
    assert.equal(named.body[0].errorCode, 'NOT_FOUND')
    await allow(o, person.setId, 'Account', 'Read')
    await allowField(o, person.setId, 'Account.Phone')
    const stream = await follow('/data/AccountChangeEvent', person.org)
    const id = await o.create('Account', { Name: 'N', Phone: '1', Industry: 'Energy' })
    await o.call('PATCH', `/sobjects/Account/${id}`, { body: { Industry: 'Banking' } })
    await o.call('PATCH', `/sobjects/Account/${id}`, { body: { Industry: 'Energy', Phone: '2' } })
    const [made, changed] = await stream.take(2)
    assert.deepEqual([payloadOf(made).Phone, payloadOf(made).Industry], ['1', undefined])
    const { ChangeEventHeader: header, LastModifiedDate, ...values } = payloadOf(changed)
    assert.deepEqual(header.changedFields, ['Phone', 'LastModifiedDate'])
    assert.deepEqual(values, { Phone: '2' })
    stream.close()
  })

  test('tells of fields that came since it began, and nothing any more once the user may not follow', async () => {
    const person = await addPerson(o, 'leaver')
    const right = await allow(o, person.setId, 'Employee__c', 'Read')
    const stream = await follow('/data/Employee__ChangeEvent')
    const theirs = await follow('/data/Employee__ChangeEvent', person.org)
    const objects = [
      {
        name: 'Employee__c',
        label: 'Employee',
        labelPlural: 'Employees',
        keyPrefix: 'a00',
        fields: [{ name: 'Desk__c', label: 'Desk', type: 'string' as const, length: 20 }],
      },
    ]
    await o.deploy(objects)
    await o.create('Employee__c', { Name: 'E', Desk__c: '12' })
    assert.equal(payloadOf((await stream.take(1))[0]).Desk__c, '12')
    assert.equal((await theirs.take(1))[0]!.event, undefined)
    await o.call('DELETE', `/sobjects/ObjectPermissions/${right}`)
    await o.create('Employee__c', { Name: 'F' })
    const [error] = await theirs.take(1)
    assert.deepEqual([error!.event, error!.data.errorCode], ['error', 'NOT_FOUND'])
    stream.close()
  })

  test('of an org that was reset ends, and its positions are refused', async () => {
    const own = await openOrg()
    await selectChanges(own, ['Account'])
    const early = await follow('/data/AccountChangeEvent', own)
    await resetOrg(own.db, own.org)
    assert.equal((await early.take(1))[0]!.event, 'error')
    const stream = await follow('/data/AccountChangeEvent', own)
    await own.create('Account', { Name: 'A' })
    const [event] = await stream.take(1)
    await resetOrg(own.db, own.org)
    const [error] = await stream.take(1)
    assert.equal(error!.event, 'error')
    assert.match(error!.data.message, /^The replayId \{\d+\} you provided was invalid/)
    assert.deepEqual(await stream.take(1), [])
    const answer = await own.call('GET', `/event-stream?channel=/data/AccountChangeEvent&replay=${event!.id}`)
    assert.equal(answer.status, 400)
  })
})
