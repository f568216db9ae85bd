import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import avro from 'avsc'
import { fetchSteps } from '../support/deploying.ts'
import { openEventStream } from '../support/event-stream.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow, allowField } from '../support/people.ts'
import { standardObject } from '../support/standard-object.ts'

/* The Avro schemas of events, read by avsc. */

const ORDER_PLACED = {
  Order_Placed__e: {
    fields: {
      Number__c: { type: 'string', length: 20, required: true },
      Total__c: { type: 'double', precision: 10, scale: 2 },
      Urgent__c: { type: 'boolean' },
      Due__c: { type: 'date' },
      Sent__c: { type: 'datetime' },
    },
  },
} as const

let o: TestOrg
before(async () => {
  o = await openOrg()
  const objects = ['Account', 'Contact', 'Lead'].map((name) => ({
    ...standardObject(name),
    changeEvents: true,
  }))
  await o.services.runtimes.of(o.org).snapshots.deploy(o.db, { objects, mode: 'keep' })
  await o.deploy([
    {
      ...{ name: 'Employee__c', label: 'Employee', labelPlural: 'Employees', keyPrefix: 'a00' },
      changeEvents: true,
      fields: [
        { name: 'Name', label: 'Name', type: 'string', length: 80, nameField: true },
        { name: 'Home__c', label: 'Home', type: 'address' },
        { name: 'Seat__c', label: 'Seat', type: 'location', scale: 4 },
      ],
    },
  ])
  await fetchSteps(o, ORDER_PLACED, { mode: 'keep' })
})

// biome-ignore lint/suspicious/noExplicitAny: schemas have many forms
async function ask(path: string, from: TestOrg = o): Promise<any> {
  const reply = await from.call('GET', path)
  assert.equal(reply.status, 200, reply.text)
  return reply.body
}

const byName = (event: string, format: string, from?: TestOrg) =>
  ask(`/sobjects/${event}/eventSchema?payloadFormat=${format}`, from)

const fingerprintOf = (schema: avro.Schema) =>
  avro.Type.forSchema(schema as avro.Schema, { wrapUnions: false })
    .fingerprint()
    .toString('base64url')

const names = (fields: readonly { name: string }[]) => fields.map(({ name }) => name)

describe('the schema of events', () => {
  test('of a platform event is an Avro record with its fields, each of which may be null', async () => {
    const { uuid, ...schema } = await byName('Order_Placed__e', 'COMPACT')
    const nullable = (name: string, type: string) => ({ name, type: ['null', type], default: null })
    assert.deepEqual(schema, {
      type: 'record',
      name: 'Order_Placed__e',
      namespace: 'com.sforce.eventbus',
      fields: [
        { name: 'CreatedDate', type: 'long', doc: 'CreatedDate:DateTime' },
        { name: 'CreatedById', type: 'string', doc: 'CreatedBy:EntityId' },
        nullable('Number__c', 'string'),
        nullable('Total__c', 'double'),
        nullable('Urgent__c', 'boolean'),
        nullable('Due__c', 'long'),
        nullable('Sent__c', 'long'),
      ],
    })
    assert.match(uuid, /^[\w-]{22}$/)
    const type = avro.Type.forSchema(schema as avro.Schema, { wrapUnions: false })
    const event = {
      ...{ CreatedDate: 1, CreatedById: o.userId, Number__c: 'O-1', Total__c: 1.5 },
      ...{ Urgent__c: true, Due__c: null, Sent__c: 2 },
    }
    assert.deepEqual({ ...type.fromBuffer(type.toBuffer(event)) }, event)
  })

  test('has the fingerprint of Avro as its id, which the events have too', async () => {
    for (const event of ['AccountChangeEvent', 'ContactChangeEvent', 'Employee__ChangeEvent']) {
      const { uuid, ...schema } = await byName(event, 'COMPACT')
      assert.equal(uuid, fingerprintOf(schema), event)
    }
    const { uuid, ...schema } = await byName('Order_Placed__e', 'COMPACT')
    assert.equal(uuid, fingerprintOf(schema))
    await o.create('Order_Placed__e', { Number__c: 'O-17' })
    const stream = await openEventStream(o, 'channel=/event/Order_Placed__e&replay=-2')
    const [event] = await stream.take(1)
    stream.close()
    assert.equal(event!.data.data.schema, uuid)
    assert.deepEqual(await ask(`/event/eventSchema/${uuid}?payloadFormat=COMPACT`), { ...schema, uuid })
    assert.deepEqual(await ask(`/event/eventSchema/${uuid}`), await byName('Order_Placed__e', 'EXPANDED'))
  })

  test('of a change event begins with the header, and has compound fields as records', async () => {
    const { fields, name } = await byName('ContactChangeEvent', 'COMPACT')
    assert.equal(name, 'ContactChangeEvent')
    assert.deepEqual(
      [fields[0].name, names(fields[0].type.fields)],
      [
        'ChangeEventHeader',
        [
          ...['entityName', 'recordIds', 'changeType', 'changeOrigin', 'transactionKey', 'sequenceNumber'],
          ...['commitTimestamp', 'commitNumber', 'commitUser', 'nulledFields', 'diffFields', 'changedFields'],
        ],
      ],
    )
    const partsOf = (field: string) =>
      names(fields.find((one: { name: string }) => one.name === field).type[1].fields)
    assert.deepEqual(
      partsOf('Name').filter((part) => part !== 'MiddleName' && part !== 'Suffix'),
      ['LastName', 'FirstName', 'Salutation'],
    )
    assert.ok(partsOf('MailingAddress').includes('City'))
    assert.ok(!names(fields).includes('MailingCity'))
    const own = await byName('Employee__ChangeEvent', 'COMPACT')
    const listed = new Map(own.fields.map((field: { name: string }) => [field.name, field]))
    assert.ok(listed.has('Home__c') && listed.has('Seat__c'))
  })

  test('in the expanded format describes what the event stream sends', async () => {
    await o.create('Contact', {
      ...{ FirstName: 'Ada', LastName: 'Byron', MailingCity: 'London', Birthdate: '1815-12-10' },
      ...{ Email: 'ada@example.com', DoNotCall: true, MailingLatitude: 51.5, MailingLongitude: 0.1 },
    })
    await o.create('Employee__c', {
      Name: 'E',
      Home__City__s: 'Oslo',
      Seat__Latitude__s: 1.5,
      Seat__Longitude__s: 2,
    })
    const channels = ['ContactChangeEvent', 'Employee__ChangeEvent']
    for (const event of channels) {
      const expanded = await byName(event, 'EXPANDED')
      assert.equal(expanded.type, 'expanded-record')
      const [data, channel] = expanded.fields
      assert.deepEqual([data.name, channel], ['data', { name: 'channel', type: 'string' }])
      const type = avro.Type.forSchema({ ...data.type, namespace: undefined }, { wrapUnions: false })
      const stream = await openEventStream(o, `channel=/data/${event}&replay=-2`)
      const [sent] = await stream.take(1)
      stream.close()
      const payloadFields = data.type.fields[1].type.fields as Field[]
      const message = { ...sent!.data.data, payload: complete(payloadFields, sent!.data.data.payload) }
      const wrong: string[] = []
      type.isValid(message, { errorHook: (path, value) => wrong.push(`${path.join('.')}: ${value}`) })
      assert.deepEqual(wrong, [], event)
      const unknown = Object.keys(sent!.data.data.payload).filter(
        (name) => !names(payloadFields).includes(name),
      )
      assert.deepEqual(unknown, [], event)
    }
  })

  test('has the fields that the caller sees', async () => {
    const person = await addPerson(o, 'reader')
    await allow(o, person.setId, 'Account', 'Read')
    await allowField(o, person.setId, 'Account.Phone')
    const all = await byName('AccountChangeEvent', 'COMPACT')
    const seen = await byName('AccountChangeEvent', 'COMPACT', person.org)
    assert.ok(names(all.fields).includes('Industry'))
    assert.ok(names(seen.fields).includes('Phone') && !names(seen.fields).includes('Industry'))
    const refused = await person.call('GET', `/event/eventSchema/${all.uuid}`)
    assert.equal(refused.status, 404)
    assert.equal((await person.call('GET', '/sobjects/ContactChangeEvent/eventSchema')).status, 404)
  })

  test('is another one when fields change, and the old one is not there any more', async () => {
    const { uuid } = await byName('Order_Placed__e', 'COMPACT')
    const { fields } = ORDER_PLACED.Order_Placed__e
    await fetchSteps(
      o,
      { Order_Placed__e: { fields: { ...fields, Note__c: { type: 'string', length: 5 } } } },
      { mode: 'keep' },
    )
    const gone = await o.call('GET', `/event/eventSchema/${uuid}`)
    assert.equal(gone.status, 404)
    assert.deepEqual(gone.body, [
      {
        message: `No event has the schema ${uuid} now. The id of a schema changes with the fields of its object.`,
        errorCode: 'NOT_FOUND',
        fields: [],
      },
    ])
    assert.notEqual((await byName('Order_Placed__e', 'COMPACT')).uuid, uuid)
  })

  test('is there for nothing that has no events, and in no other format', async () => {
    for (const event of ['Account', 'OpportunityChangeEvent', 'ChangeEvent', 'ChangeEvents', 'x'])
      assert.equal((await o.call('GET', `/sobjects/${event}/eventSchema`)).status, 404, event)
    const wrong = await o.call('GET', '/sobjects/AccountChangeEvent/eventSchema?payloadFormat=compact')
    assert.equal(wrong.status, 400)
    assert.equal(wrong.body[0].errorCode, 'ILLEGAL_QUERY_PARAMETER_VALUE')
  })
})

interface Field {
  readonly name: string
  // biome-ignore lint/suspicious/noExplicitAny: types of Avro have many forms
  readonly type: any
}

/** A payload with null for what it leaves out, inside compound fields too. */
function complete(fields: readonly Field[], payload: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    fields.map(({ name, type }) => {
      const value = payload[name] ?? null
      const parts = Array.isArray(type) ? type[1].fields : undefined
      return [name, parts && value !== null ? complete(parts, value as Record<string, unknown>) : value]
    }),
  )
}
