import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FieldDefinition } from '../../src/schema/fields/field-definition.ts'
import type { FieldTypeName } from '../../src/schema/fields/registry.ts'
import { openEventStream, type Streamed } from '../support/event-stream.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow } from '../support/people.ts'
import { countWrites } from '../support/slow-table.sql.ts'

/* Events that the statement which writes the records tells. */

const text = (name: string, type: FieldTypeName = 'string', length = 80) => ({
  name,
  label: name,
  type,
  length,
})
const number = (name: string, type: FieldTypeName, precision: number, scale: number) => ({
  name,
  label: name,
  type,
  precision,
  scale,
})

const FIELDS: readonly FieldDefinition[] = [
  { ...text('Name'), nameField: true },
  text('Text__c'),
  text('Area__c', 'textarea', 255),
  text('Long__c', 'longtextarea', 32_000),
  text('Rich__c', 'richtextarea', 32_000),
  text('Mail__c', 'email'),
  text('Phone__c', 'phone', 40),
  text('Url__c', 'url', 255),
  { name: 'Flag__c', label: 'Flag', type: 'boolean' },
  { name: 'On__c', label: 'On', type: 'boolean', default: true },
  { name: 'Int__c', label: 'Int', type: 'int' },
  number('Number__c', 'double', 18, 0),
  number('Small__c', 'double', 16, 8),
  number('Money__c', 'currency', 18, 2),
  number('Share__c', 'percent', 5, 1),
  { name: 'Day__c', label: 'Day', type: 'date' },
  { name: 'At__c', label: 'At', type: 'datetime' },
  { name: 'Time__c', label: 'Time', type: 'time' },
  { ...text('Kind__c', 'picklist', 255), values: [{ value: 'A' }, { value: 'B', default: true }] },
  { ...text('Many__c', 'multipicklist', 255), values: [{ value: 'A' }, { value: 'B' }, { value: 'C' }] },
  { name: 'Doc__c', label: 'Doc', type: 'json' },
  { name: 'No__c', label: 'No', type: 'autonumber', format: 'N-{000}' },
  { name: 'Place__c', label: 'Place', type: 'location' },
  { name: 'Of__c', label: 'Of', type: 'reference', to: ['Account'], relationship: 'Of__r' },
]

/** The same values as clients may write them, twice. */
const WRITTEN = [
  {
    Name: ' first ',
    Text__c: ' a "quoted" \\ text\n',
    Area__c: 'l1\r\nl2',
    Long__c: '😀 half \ud800',
    Rich__c: '<b>x</b>',
    Mail__c: 'A@Example.org',
    Phone__c: '+49 1',
    Url__c: 'www.example.org',
    Int__c: '-0',
    Number__c: 2.5,
    Small__c: 1e-8,
    Money__c: '-1.005',
    Share__c: 12.34,
    Day__c: '2026-02-28T23:00:00Z'.slice(0, 10),
    At__c: '2026-02-28T23:30:15.999+02:00',
    Time__c: '10:15:00.5Z',
    Many__c: 'C; A;A',
    Doc__c: { b: [1.5, null, 'ä\n'], a: { x: true } },
  },
  {
    Name: 'second',
    Text__c: null,
    Area__c: '',
    Long__c: 'x'.repeat(32_000),
    Rich__c: null,
    Flag__c: true,
    On__c: null,
    Int__c: 99_999_999,
    Number__c: 123_456_789_012_345,
    Small__c: 0.123456785,
    Money__c: 1e14,
    Share__c: null,
    Day__c: '1700-01-01',
    At__c: '4000-12-31T23:59:59Z',
    Time__c: '23:59:59.999',
    Kind__c: 'A',
    Many__c: '',
    Doc__c: [],
  },
]

const CHANNEL = 'channel=/data/Thing__ChangeEvent'

async function openWithThings(): Promise<TestOrg> {
  const o = await openOrg({ settings: { edition: 'enterprise' } })
  const labels = { label: 'Thing', labelPlural: 'Things' }
  await o.deploy([{ name: 'Thing__c', ...labels, keyPrefix: 'a00', changeEvents: true, fields: FIELDS }])
  return o
}

/** A value as events write it. */
const asTold = (value: unknown): unknown =>
  typeof value === 'string' ? value.replace(/^(\d{4}-\d\d-\d\dT\S+?)\.000\+0000$/, '$1Z') : value

const readThing = async (o: TestOrg, id: string) => {
  const { attributes, Id, IsDeleted, SystemModstamp, ...values } = (
    await o.call('GET', `/sobjects/Thing__c/${id}`)
  ).body
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, asTold(value)]))
}

const withoutEmpty = (values: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))

function split({ data }: Streamed) {
  const { ChangeEventHeader: header, ...values } = data.data.payload
  return { header, values: values as Record<string, unknown> }
}

test('events tell of fields of all types what a read has', async () => {
  const o = await openWithThings()
  const account = await o.create('Account', { Name: 'Acme' })
  const stream = await openEventStream(o, CHANNEL)
  const [first, second] = WRITTEN
  const id = await o.create('Thing__c', { ...first!, Of__c: account })
  const made = await readThing(o, id)
  const answer = await o.call('PATCH', `/sobjects/Thing__c/${id}`, { body: second! })
  assert.equal(answer.status, 204)
  const changed = await readThing(o, id)
  const [creation, change] = (await stream.take(2)).map(split)
  const { LastReferencedDate, LastViewedDate, ...told } = withoutEmpty(made)
  assert.deepEqual(creation!.values, told)
  const expected = Object.keys(changed).filter(
    (name) => changed[name] !== made[name] || name === 'LastModifiedDate',
  )
  assert.deepEqual(change!.header.changedFields.toSorted(), expected.toSorted())
  assert.deepEqual(change!.values, Object.fromEntries(expected.map((name) => [name, changed[name]])))
  assert.deepEqual(
    change!.header.nulledFields,
    expected.filter((name) => changed[name] === null),
  )
  stream.close()
})

test('a change by somebody else tells who it was, and one that changes nothing is not told', async () => {
  const o = await openWithThings()
  const person = await addPerson(o, 'somebody')
  await allow(o, person.setId, 'Thing__c', 'Read', 'Edit', 'ViewAllRecords', 'ModifyAllRecords')
  const id = await o.create('Thing__c', { Name: 'mine' })
  const stream = await openEventStream(o, CHANNEL)
  const body = { Name: 'mine' }
  const same = await person.call('PATCH', `/sobjects/Thing__c/${id}`, { body })
  assert.equal(same.status, 204)
  await o.call('PATCH', `/sobjects/Thing__c/${id}`, { body: { Name: 'changed' } })
  const [only] = (await stream.take(1)).map(split)
  assert.deepEqual(only!.header.changedFields, ['Name', 'LastModifiedDate', 'LastModifiedById'])
  assert.equal(only!.values.LastModifiedById, o.userId)
  stream.close()
})

test('calls whose records are written together are told as transactions of their own, each with its client', async () => {
  const o = await openWithThings()
  const ids = await Promise.all(Array.from({ length: 12 }, (_, n) => o.create('Thing__c', { Name: `${n}` })))
  const stream = await openEventStream(o, CHANNEL)
  const before = await countWrites(o, 'thing__c')
  const clientOf = (n: number) => (n % 4 === 3 ? 'other' : 'loader')
  const headers = (n: number) => ({ 'sforce-call-options': `client=${clientOf(n)}` })
  const call = (n: number) =>
    n < ids.length
      ? o.call('PATCH', `/sobjects/Thing__c/${ids[n]}`, { body: { Text__c: 'alike' }, headers: headers(n) })
      : o.call('POST', '/sobjects/Thing__c', { body: { Name: 'alike' }, headers: headers(n) })
  const count = 2 * ids.length
  const answers = await Promise.all(Array.from({ length: count }, (_, n) => call(n)))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201, 204]))
  const writes = (await countWrites(o, 'thing__c')) - before
  assert.ok(writes < count / 2, `${writes} statements`)
  const events = (await stream.take(count)).map(split)
  const idOf = (n: number) => ids[n] ?? answers[n]!.body.id
  const client = new Map(answers.map((_, n) => [idOf(n), clientOf(n)]))
  for (const { header } of events) {
    assert.equal(header.sequenceNumber, 1)
    const [id] = header.recordIds
    assert.deepEqual(header.recordIds, [id])
    assert.match(header.changeOrigin, new RegExp(`client=${client.get(id)}$`))
  }
  assert.equal(new Set(events.map(({ header }) => header.recordIds[0])).size, count)
  assert.equal(new Set(events.map(({ header }) => header.transactionKey)).size, count)
  stream.close()
})

test('records that a list changes alike are told together, however they are mixed', async () => {
  const o = await openWithThings()
  const made = await Promise.all(Array.from({ length: 6 }, (_, n) => o.create('Thing__c', { Name: `${n}` })))
  const ids = made.toSorted()
  const stream = await openEventStream(o, CHANNEL)
  const records = ids.map((Id, n) => ({
    attributes: { type: 'Thing__c' },
    Id,
    Text__c: n % 2 ? 'odd' : 'even',
  }))
  await o.call('PATCH', '/composite/sobjects', { body: { records } })
  const events = (await stream.take(2)).map(split)
  assert.deepEqual(
    events.map(({ header, values }) => [values.Text__c, header.recordIds, header.sequenceNumber]),
    [
      ['even', ids.filter((_, n) => n % 2 === 0), 1],
      ['odd', ids.filter((_, n) => n % 2 === 1), 2],
    ],
  )
  assert.equal(events[0]!.header.transactionKey, events[1]!.header.transactionKey)
  stream.close()
})
