import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { deploy, type Objects } from '../support/deploying.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow } from '../support/people.ts'

const OBJECTS: Objects = {
  Meeting__c: {
    fields: {
      Day__c: { type: 'date', defaultFormula: 'DATE(2026, 1, 31) + 1' },
      Today__c: { type: 'date', defaultFormula: 'NOW()' },
      There__c: { type: 'date', defaultFormula: 'TODAY()' },
      Text__c: { type: 'string', defaultFormula: '"Hello " & $User.LastName' },
      Rate__c: { type: 'percent', scale: 1, defaultFormula: '0.05' },
      Kind__c: { type: 'picklist', values: ['A', 'B'], restricted: true, defaultFormula: "'B'" },
      Active__c: { type: 'boolean', defaultFormula: 'TRUE' },
      At__c: { type: 'datetime', required: true, defaultFormula: 'DATETIMEVALUE("2026-01-02 03:04:05")' },
      Never__c: { type: 'string', defaultFormula: 'NULL' },
    },
  },
  Broken__c: { fields: { Day__c: { type: 'date', defaultFormula: 'DATEVALUE("no date")' } } },
}

let o: TestOrg

before(async () => {
  o = await openOrg({ clock: () => new Date('2026-11-24T05:06:07Z') })
  const answer = await deploy(o, OBJECTS)
  assert.equal(answer.status, 200, answer.text)
})

test('TODAY and NOW are in the default of a date the day where the user is', async () => {
  // In UTC it is five in the morning.
  const person = await addPerson(o, 'far', { TimeZoneSidKey: 'America/Los_Angeles' })
  await allow(o, person.setId, 'Meeting__c', 'Read', 'Create', 'ViewAllFields')
  const id = await person.org.create('Meeting__c', {})
  const { body } = await person.call('GET', `/sobjects/Meeting__c/${id}?fields=There__c,Today__c`)
  assert.deepEqual([body.There__c, body.Today__c], ['2026-11-23', '2026-11-23'])
})

test('a new record gets the values of the formulas of fields that it leaves out', async () => {
  const id = await o.create('Meeting__c', {})
  const { body } = await o.call('GET', `/sobjects/Meeting__c/${id}`)
  const { Day__c, Today__c, Text__c, Rate__c, Kind__c, Active__c, At__c, Never__c } = body
  assert.deepEqual(
    { Day__c, Today__c, Text__c, Rate__c, Kind__c, Active__c, At__c, Never__c },
    {
      Day__c: '2026-02-01',
      Today__c: '2026-11-24',
      Text__c: 'Hello Administrator',
      Rate__c: 5,
      Kind__c: 'B',
      Active__c: true,
      At__c: '2026-01-02T03:04:05.000+0000',
      Never__c: null,
    },
  )
})

test('a value that is given stays, also null', async () => {
  const id = await o.create('Meeting__c', { Day__c: null, Kind__c: 'A', Active__c: false })
  const { body } = await o.call('GET', `/sobjects/Meeting__c/${id}`)
  assert.deepEqual([body.Day__c, body.Kind__c, body.Active__c], [null, 'A', false])
})

test('a default that cannot be computed refuses the record that needs it, and no other one', async () => {
  const records = [{}, { Day__c: '2026-01-01' }].map((one) => ({ attributes: { type: 'Broken__c' }, ...one }))
  const { body } = await o.call('POST', '/composite/sobjects', { body: { allOrNone: false, records } })
  assert.deepEqual(
    body.map(({ success }: { success: boolean }) => success),
    [false, true],
  )
  assert.match(body[0].errors[0].message, /^Day: the default value cannot be computed: The value 'no date'/)
})

test('a describe tells the formula of a default', async () => {
  const { body } = await o.call('GET', '/sobjects/Meeting__c/describe')
  const field = body.fields.find(({ name }: { name: string }) => name === 'Day__c')
  assert.deepEqual(
    [field.defaultValueFormula, field.defaultedOnCreate, field.calculated],
    ['DATE(2026, 1, 31) + 1', true, false],
  )
})
