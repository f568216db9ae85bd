import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { assertRefused } from '../support/assert-refused.ts'
import { AT_ONCE, openBayeux } from '../support/bayeux-client.ts'
import { ingest } from '../support/bulk.ts'
import { openEventStream, type Streamed } from '../support/event-stream.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow, allowField } from '../support/people.ts'
import { selectChanges } from '../support/select-changes.ts'
import { triggersFrom } from '../support/trigger-files.ts'

/* What is told of the records that a PushTopic finds. */

let o: TestOrg
before(async () => {
  const triggers = await triggersFrom({
    'task.ts': `export default {
      object: 'Task',
      async beforeInsert(changes: any[], org: any) {
        await org.undelete(changes[0].record.Subject, [changes[0].record.Description])
      },
    }`,
  })
  o = await openOrg({ triggers, settings: { edition: 'enterprise' } })
})

const makeTopic = (name: string, query: string, more: Record<string, unknown> = {}) =>
  o.create('PushTopic', { Name: name, Query: query, ApiVersion: 64.0, ...more })

const follow = (channel: string, query = '', from = o) =>
  openEventStream(from, `channel=${encodeURIComponent(channel)}${query}`)

async function change(id: string, fields: Record<string, unknown>): Promise<void> {
  const answer = await o.call('PATCH', `/sobjects/Account/${id}`, { body: fields })
  assert.equal(answer.status, 204, answer.text)
}

async function remove(object: string, id: string): Promise<void> {
  const answer = await o.call('DELETE', `/sobjects/${object}/${id}`)
  assert.equal(answer.status, 204, answer.text)
}

const restore = (id: string) => o.create('Task', { Subject: 'Account', Description: id })

const listNames = (events: readonly Streamed[]) =>
  events.map(({ data }) => [data.data.event.type, data.data.sobject.Name])

describe('a PushTopic', () => {
  test('tells of records that are created, updated, deleted and restored, with the selected fields', async () => {
    await makeTopic('Energy', "SELECT Id, Name, Phone, CreatedDate FROM Account WHERE Industry = 'Energy'")
    const stream = await follow('/topic/Energy')
    const id = await o.create('Account', { Name: 'Acme', Industry: 'Energy', Site: 'Oslo' })
    await change(id, { Name: 'Acme 2' })
    await remove('Account', id)
    await restore(id)
    const [created, updated, deleted, undeleted] = await stream.take(4)
    stream.close()
    const { createdDate, replayId } = created!.data.data.event
    const { CreatedDate } = created!.data.data.sobject
    assert.match(createdDate, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.match(CreatedDate, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.equal(String(replayId), created!.id)
    assert.deepEqual(created!.data, {
      channel: '/topic/Energy',
      data: {
        event: { createdDate, replayId, type: 'created' },
        sobject: { Id: id, Name: 'Acme', Phone: null, CreatedDate },
      },
    })
    assert.equal(updated!.data.data.event.type, 'updated')
    assert.deepEqual(updated!.data.data.sobject, { Id: id, Name: 'Acme 2', Phone: null, CreatedDate })
    assert.equal(deleted!.data.data.event.type, 'deleted')
    assert.deepEqual(deleted!.data.data.sobject, { Id: id })
    assert.equal(undeleted!.data.data.event.type, 'undeleted')
    assert.equal(undeleted!.data.data.sobject.Name, 'Acme 2')
  })

  test('tells of an update only if the record meets the condition afterwards', async () => {
    await makeTopic('Big', 'SELECT Id, Name FROM Account WHERE NumberOfEmployees > 100')
    const stream = await follow('/topic/Big')
    const id = await o.create('Account', { Name: 'Small', NumberOfEmployees: 5 })
    await change(id, { Name: 'Still small' })
    await change(id, { NumberOfEmployees: 500 })
    await change(id, { NumberOfEmployees: 5 })
    await o.create('Account', { Name: 'End', NumberOfEmployees: 101 })
    assert.deepEqual(listNames(await stream.take(2)), [
      ['updated', 'Still small'],
      ['created', 'End'],
    ])
    stream.close()
  })

  const CHANGES = [
    { Phone: '1' },
    { Name: 'Renamed' },
    { Industry: 'Media' },
    { Name: 'End', Industry: 'Energy' },
  ]
  for (const [fields, expected] of [
    ['All', ['First', 'Renamed', 'Renamed', 'End']],
    ['Referenced', ['Renamed', 'Renamed', 'End']],
    ['Select', ['Renamed', 'End']],
    ['Where', ['Renamed', 'End']],
  ] as const) {
    test(`that notifies for ${fields} fields is told of changes of these`, async () => {
      const name = `For${fields}`
      const query = "SELECT Id, Name FROM Account WHERE Industry != 'Unknown' AND Site = 'fields'"
      await makeTopic(name, query, { NotifyForFields: fields, NotifyForOperationCreate: false })
      const stream = await follow(`/topic/${name}`)
      const id = await o.create('Account', { Name: 'First', Industry: 'Energy', Site: 'fields' })
      for (const values of CHANGES) await change(id, values)
      const told = listNames(await stream.take(expected.length))
      stream.close()
      assert.deepEqual(
        told,
        expected.map((value) => ['updated', value]),
      )
    })
  }

  test('whose selected name has parts is told when one of them changes', async () => {
    await makeTopic('People', "SELECT Id, Name FROM Contact WHERE Department = 'topics'", {
      NotifyForFields: 'Select',
    })
    const stream = await follow('/topic/People')
    const id = await o.create('Contact', { FirstName: 'Kari', LastName: 'Nor', Department: 'topics' })
    const answer = await o.call('PATCH', `/sobjects/Contact/${id}`, { body: { FirstName: 'Ola' } })
    assert.equal(answer.status, 204)
    assert.deepEqual(listNames(await stream.take(2)), [
      ['created', 'Kari Nor'],
      ['updated', 'Ola Nor'],
    ])
    stream.close()
  })

  test('tells only of the operations that it names, and of nothing while it is not active', async () => {
    const topic = await makeTopic('Some', "SELECT Id, Name FROM Account WHERE Site = 'some'", {
      NotifyForOperationUpdate: false,
      NotifyForOperationDelete: false,
    })
    const stream = await follow('/topic/Some')
    const id = await o.create('Account', { Name: 'First', Site: 'some' })
    await change(id, { Name: 'Second' })
    const set = (IsActive: boolean) => o.call('PATCH', `/sobjects/PushTopic/${topic}`, { body: { IsActive } })
    await set(false)
    await o.create('Account', { Name: 'Unseen', Site: 'some' })
    assert.equal((await o.call('GET', '/event-stream?channel=/topic/Some')).status, 404)
    await set(true)
    const again = await follow('/topic/Some', '&replay=-2')
    await o.create('Account', { Name: 'Third', Site: 'some' })
    assert.deepEqual(listNames(await again.take(2)), [
      ['created', 'First'],
      ['created', 'Third'],
    ])
    again.close()
    stream.close()
  })

  test('tells nothing of what is rolled back', async () => {
    await makeTopic('Kept', "SELECT Id, Name FROM Account WHERE Site = 'kept'")
    const stream = await follow('/topic/Kept')
    const records = [
      { attributes: { type: 'Account' }, Name: 'Gone', Site: 'kept' },
      { attributes: { type: 'Account' }, Site: 'kept' },
    ]
    await o.call('POST', '/composite/sobjects', { body: { allOrNone: true, records } })
    await o.create('Account', { Name: 'Kept', Site: 'kept' })
    assert.deepEqual(listNames(await stream.take(1)), [['created', 'Kept']])
    stream.close()
  })

  test('does not take the object to be selected for change events, and adds none', async () => {
    await makeTopic('Only', "SELECT Id FROM Account WHERE Site = 'only'")
    assert.equal((await o.call('GET', '/event-stream?channel=/data/AccountChangeEvent')).status, 404)
  })

  test('that was deleted has no channel', async () => {
    const id = await makeTopic('Gone', 'SELECT Id FROM Account')
    await remove('PushTopic', id)
    assertRefused(
      await o.call('GET', '/event-stream?channel=/topic/Gone'),
      404,
      'NOT_FOUND',
      'The channel you requested to subscribe to does not exist {/topic/Gone}',
    )
  })

  test('is followed by CometD, from an event on', async () => {
    await makeTopic('Comet', "SELECT Id, Name FROM Account WHERE Site = 'comet'")
    const client = await openBayeux(o)
    assert.equal((await client.subscribe('/topic/Comet')).successful, true)
    await o.create('Account', { Name: 'First', Site: 'comet' })
    await o.create('Account', { Name: 'Second', Site: 'comet' })
    const [first, second] = await client.connect()
    assert.equal(first!.channel, '/topic/Comet')
    assert.equal(first!.data.sobject.Name, 'First')
    assert.equal(second!.data.sobject.Name, 'Second')
    const later = await openBayeux(o)
    assert.equal((await later.subscribe('/topic/Comet', first!.data.event.replayId)).successful, true)
    const [again] = await later.connect(AT_ONCE)
    assert.deepEqual(again, second)
  })
})

describe('conditions of a subscription', () => {
  before(() => makeTopic('Filtered', "SELECT Id, Name, Rating FROM Account WHERE Site = 'filtered'"))

  test('leave out events whose fields have other values, deletions too', async () => {
    const hot = await follow("/topic/Filtered?Rating='Hot'")
    const both = await follow('/topic/Filtered?Rating=Cold&Name=Two')
    const one = await o.create('Account', { Name: 'One', Rating: 'Hot', Site: 'filtered' })
    const two = await o.create('Account', { Name: 'Two', Rating: 'Cold', Site: 'filtered' })
    await remove('Account', two)
    await remove('Account', one)
    const told = await hot.take(2)
    assert.deepEqual(
      told.map(({ data }) => [data.channel, data.data.event.type, data.data.sobject.Id]),
      [
        ["/topic/Filtered?Rating='Hot'", 'created', one],
        ["/topic/Filtered?Rating='Hot'", 'deleted', one],
      ],
    )
    assert.deepEqual(
      (await both.take(2)).map(({ data }) => data.data.sobject.Id),
      [two, two],
    )
    hot.close()
    both.close()
  })

  test('compare numbers, times and what is empty as events show them', async () => {
    const query = "SELECT Id, CreatedDate, AnnualRevenue, Phone FROM Account WHERE Site = 'compared'"
    await makeTopic('Compared', query)
    const id = await o.create('Account', { Name: 'A', AnnualRevenue: 12, Site: 'compared' })
    const { body } = await o.call('GET', `/sobjects/Account/${id}?fields=CreatedDate`)
    const created = body.CreatedDate.replace('+0000', 'Z')
    const conditions = `CreatedDate=${created}&AnnualRevenue=12&Phone=&Id=${id}`
    const stream = await follow(`/topic/Compared?${conditions}`, '&replay=-2')
    assert.equal((await stream.take(1))[0]!.data.data.sobject.Id, id)
    stream.close()
  })

  test('have blanks and & in quotation marks, and null for what is empty', async () => {
    const client = await openBayeux(o)
    const subscribed = await client.subscribe("/topic/Filtered?Name='a & b'&Rating=null")
    assert.equal(subscribed.successful, true, JSON.stringify(subscribed))
    await o.create('Account', { Name: 'a & b', Site: 'filtered' })
    const told = (await client.connect(AT_ONCE)).slice(0, -1)
    assert.deepEqual(
      told.map(({ data }) => data.sobject.Name),
      ['a & b'],
    )
  })

  test('that are too long, or whose quotation marks do not end, are refused', async () => {
    const client = await openBayeux(o)
    assert.equal(
      (await client.subscribe(`/topic/Filtered?Name=${'x'.repeat(1000)}`)).error,
      '400::A subscription with its conditions has 1000 characters at most',
    )
    assert.equal(
      (await client.subscribe("/topic/Filtered?Name='a")).error,
      "400::The value 'a must end with the quotation mark that it begins with",
    )
  })

  test('are not in the names of a replay map', async () => {
    const client = await openBayeux(o)
    const reply = await client.send('/meta/subscribe', {
      subscription: '/topic/Filtered?Rating=Hot',
      ext: { replay: { '/topic/Filtered': -2 } },
    })
    assert.equal(reply.successful, true)
    await o.create('Account', { Name: 'Hot one', Rating: 'Hot', Site: 'filtered' })
    const replies = await client.connect(AT_ONCE)
    const told = replies.filter(({ data }) => data !== undefined)
    assert.ok(told.length > 0)
    assert.ok(told.every(({ channel }) => channel === '/topic/Filtered?Rating=Hot'))
  })

  for (const condition of ['Phone=1', 'Rating', 'Nothing=1', '=', 'constructor=1']) {
    test(`that cannot be used are refused: ${condition}`, async () => {
      const client = await openBayeux(o)
      const reply = await client.subscribe(`/topic/Filtered?${condition}`)
      assert.equal(
        reply.error,
        `400::The condition ${condition} must be Field=value, with a field that the topic selects`,
      )
    })
  }
})

test('a bulk job is told of record by record, beside change events', async () => {
  await makeTopic('Bulk', "SELECT Id, Name FROM Account WHERE Site = 'bulk'")
  await selectChanges(o, ['Account'])
  const stream = await openEventStream(o, 'channel=/topic/Bulk,/data/AccountChangeEvent')
  const rows = Array.from({ length: 20 }, (_, number) => `Row ${number},bulk`)
  await ingest(o, { object: 'Account', operation: 'insert' }, ['Name,Site', ...rows, ''].join('\n'))
  const events = await stream.take(40)
  stream.close()
  const told = events.filter(({ data }) => data.channel === '/topic/Bulk')
  assert.deepEqual(
    told.map(({ data }) => data.data.sobject.Name),
    rows.map((row) => row.split(',')[0]),
  )
})

describe('the query of a PushTopic', () => {
  for (const [query, message] of [
    ['SELECT Name FROM Account', "'Id' must be selected"],
    ['SELECT COUNT() FROM Account', 'Aggregate queries are not supported'],
    ['SELECT Id, MAX(Name) FROM Account', 'Aggregate queries are not supported'],
    ['SELECT AccountId FROM Contact GROUP BY AccountId', 'Aggregate queries are not supported'],
    ['SELECT Id, toLabel(Rating) FROM Account', 'functions are not supported'],
    ["SELECT Id FROM Account WHERE toLabel(Rating) = 'Hot'", 'functions are not supported'],
    ['SELECT Id, Account.Name FROM Contact', 'relationships are not supported'],
    ['SELECT Id, (SELECT Id FROM Contacts) FROM Account', 'relationships are not supported'],
    ["SELECT Id FROM Contact WHERE Account.Name = 'A'", 'relationships are not supported'],
    [
      'SELECT Id FROM Account WHERE Id IN (SELECT AccountId FROM Contact)',
      'semi/anti join sub-selects are not supported',
    ],
    ["SELECT Id FROM Account WHERE NOT Name = 'A'", "'NOT' is not supported"],
    ['SELECT Id FROM Account ORDER BY Name', "'ORDER BY' clause is not allowed"],
    ['SELECT Id FROM Account LIMIT 10', "'LIMIT' is not allowed"],
    ['SELECT Id FROM Account LIMIT 10 OFFSET 5', "'LIMIT' is not allowed"],
    ['SELECT Id FROM Account FOR VIEW', "'FOR' clause is not allowed"],
    [
      'SELECT Id, BillingAddress FROM Account',
      'BillingAddress is not supported: fields of the type address have no values in events',
    ],
    [
      'SELECT Id FROM EntityDefinition',
      'EntityDefinition is not supported: its records do not change by themselves',
    ],
  ] as const) {
    test(`is refused: ${query}`, async () => {
      const body = { Name: 'Refused', Query: query, ApiVersion: 64.0 }
      assertRefused(await o.call('POST', '/sobjects/PushTopic', { body }), 400, 'INVALID_FIELD', message, [
        'Query',
      ])
    })
  }

  test('may name its object with its fields, and by an alias', async () => {
    await makeTopic(
      'Alias',
      "SELECT a.Id, a.Name FROM Account a WHERE a.Site = 'alias' AND Account.Name != 'No'",
    )
    const stream = await follow('/topic/Alias')
    await o.create('Account', { Name: 'No', Site: 'alias' })
    const id = await o.create('Account', { Name: 'Yes', Site: 'alias' })
    assert.deepEqual((await stream.take(1))[0]!.data.data.sobject, { Id: id, Name: 'Yes' })
    stream.close()
  })

  for (const query of [
    `SELECT Id FROM Account WHERE ${'('.repeat(600)}`,
    'SELECT Id, FROM Account',
    'SELECT Id FROM Nothing__c',
    'SELECT Id, Nothing__c FROM Account',
    'SELECT Id, Rating r FROM Account',
    'SELECT FIELDS(ALL) FROM Account',
    "SELECT Id FROM Account WHERE Id IN ('x')",
    'SELECT Id FROM Account USING SCOPE mine',
    'FIND {x}',
    '\u0000',
  ]) {
    test(`is refused or taken, and breaks nothing: ${JSON.stringify(query.slice(0, 40))}`, async () => {
      const body = { Name: `Odd${query.length}`, Query: query, ApiVersion: 64.0 }
      const { status, text } = await o.call('POST', '/sobjects/PushTopic', { body })
      assert.ok(status === 201 || status === 400, text)
      await o.create('Account', { Name: 'Written' })
    })
  }

  test('is checked when it is changed, too', async () => {
    const id = await makeTopic('Changed', 'SELECT Id FROM Account')
    const body = { Query: 'SELECT Id FROM Account LIMIT 1' }
    const answer = await o.call('PATCH', `/sobjects/PushTopic/${id}`, { body })
    assertRefused(answer, 400, 'INVALID_FIELD', "'LIMIT' is not allowed", ['Query'])
  })

  test('that is no query is refused as queries are', async () => {
    const body = { Name: 'Refused', Query: 'hello', ApiVersion: 64.0 }
    const answer = await o.call('POST', '/sobjects/PushTopic', { body })
    assert.equal(answer.status, 400, answer.text)
    assert.equal(answer.body[0].errorCode, 'MALFORMED_QUERY')
  })

  test('with a new object tells nothing of what the topic told before', async () => {
    const id = await makeTopic('Moved', "SELECT Id, Name FROM Account WHERE Site = 'moved'")
    const stream = await follow('/topic/Moved')
    await o.create('Account', { Name: 'Before', Site: 'moved' })
    await stream.take(1)
    stream.close()
    await o.call('PATCH', `/sobjects/PushTopic/${id}`, { body: { Query: 'SELECT Id, Name FROM Campaign' } })
    const again = await follow('/topic/Moved', '&replay=-2')
    await o.create('Campaign', { Name: 'After' })
    assert.deepEqual(listNames(await again.take(1)), [['created', 'After']])
    again.close()
  })
})

describe('the name and version of a PushTopic', () => {
  test('are checked', async () => {
    const create = (Name: string, ApiVersion = 64.0) =>
      o.call('POST', '/sobjects/PushTopic', { body: { Name, Query: 'SELECT Id FROM Account', ApiVersion } })
    assert.equal((await create('With blank')).body[0].errorCode, 'FIELD_INTEGRITY_EXCEPTION')
    assert.equal((await create('a'.repeat(26))).body[0].errorCode, 'STRING_TOO_LONG')
    assert.equal((await create('Old', 20)).body[0].errorCode, 'FIELD_INTEGRITY_EXCEPTION')
    assert.equal((await create('Twice')).status, 201)
    assert.equal((await create('Twice')).body[0].errorCode, 'DUPLICATE_VALUE')
  })
})

describe('somebody who follows a PushTopic', () => {
  before(() => makeTopic('Rights', "SELECT Id, Name, Phone FROM Account WHERE Site = 'rights'"))

  test('is not told of fields that they may not see', async () => {
    const person = await addPerson(o, 'topic-reader')
    await allow(o, person.setId, 'Account', 'Read', 'ViewAllRecords')
    await allowField(o, person.setId, 'Account.Site')
    const stream = await follow('/topic/Rights', '', person.org)
    const id = await o.create('Account', { Name: 'Acme', Phone: '1', Site: 'rights' })
    const [told] = await stream.take(1)
    stream.close()
    assert.deepEqual(told!.data.data.sobject, { Id: id, Name: 'Acme' })
  })

  test('has to see the fields of its condition', async () => {
    const person = await addPerson(o, 'topic-guesser')
    await allow(o, person.setId, 'Account', 'Read', 'ViewAllRecords')
    assertRefused(
      await person.call('GET', '/event-stream?channel=/topic/Rights'),
      403,
      'INSUFFICIENT_ACCESS',
      'Following /topic/Rights takes the right to read all fields of its condition',
    )
  })

  test('has to read its object', async () => {
    const person = await addPerson(o, 'topic-stranger')
    assertRefused(
      await person.call('GET', '/event-stream?channel=/topic/Rights'),
      404,
      'NOT_FOUND',
      'The channel you requested to subscribe to does not exist {/topic/Rights}',
    )
  })
})

test('events of topics are told for 24 hours', async () => {
  const opened = await openOrg({ settings: { allowFaults: 'true' } })
  // A token that does not end when the clock moves.
  const token = opened.services.sessions.issueUnstored(opened.org, opened.userId)
  const headers = { authorization: `Bearer ${token}` }
  const create = async (object: string, body: object) =>
    assert.equal((await opened.call('POST', `/sobjects/${object}`, { body, headers })).status, 201)
  await create('PushTopic', { Name: 'Old', Query: 'SELECT Id, Name FROM Account', ApiVersion: 64 })
  await create('Account', { Name: 'Before' })
  const clock = '/setup/orgs/current/clock'
  const moved = await opened.call('PUT', clock, { body: { advanceSeconds: 25 * 3600 }, headers })
  assert.equal(moved.status, 200, moved.text)
  const stream = await follow('/topic/Old', '&replay=-2', { ...opened, token })
  await create('Account', { Name: 'After' })
  assert.deepEqual(listNames(await stream.take(1)), [['created', 'After']])
  stream.close()
})
