import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { loadDefinitions } from '../../src/definitions/files/load-definitions.ts'
import { deploy, fetchRefusals, type Objects } from '../support/deploying.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { writeDeployment } from '../support/trigger-files.ts'

const OBJECTS: Objects = {
  Account: {
    fields: { Blocked__c: { type: 'boolean' }, Limit__c: { type: 'currency' } },
  },
  Contact: {
    validations: {
      NoTest: { condition: "BEGINS(Name, 'Test ')", message: 'Name your contacts.' },
    },
  },
  Deal__c: {
    fields: {
      Account__c: { type: 'reference', to: 'Account' },
      Start__c: { type: 'date' },
      End__c: { type: 'date' },
      Value__c: { type: 'currency' },
      Double__c: { type: 'currency', formula: 'Value__c * 2' },
      Stage__c: { type: 'picklist', values: ['New', 'Won'] },
      Code__c: { type: 'string' },
      Key__c: { type: 'string', externalId: true, unique: true },
      Step__c: { type: 'double' },
    },
    validations: {
      Order: { condition: 'Start__c > End__c', message: 'The end is before the start.', field: 'End__c' },
      Limit: {
        condition: 'Double__c > Account__r.Limit__c || Account__r.Blocked__c',
        message: 'Above the limit of the account.',
        field: 'Value__c',
      },
      Locked: {
        condition: "NOT(ISNEW()) && ISCHANGED(Value__c) && ISPICKVAL(PRIORVALUE(Stage__c), 'Won')",
        message: 'A won deal keeps its value.',
      },
      Pattern: {
        condition: 'NOT(ISBLANK(Code__c)) && NOT(REGEX(Code__c, "[A-Z]{2}-\\\\d+"))',
        message: 'A code is like AB-1.',
        field: 'Code__c',
      },
      Fails: { condition: '1 / Step__c > 5', message: 'Never.' },
      Off: { condition: 'TRUE', message: 'Off', active: false },
    },
  },
}

let o: TestOrg
let account: string

before(async () => {
  o = await openOrg()
  const answer = await deploy(o, OBJECTS)
  assert.equal(answer.status, 200, answer.text)
  account = await o.create('Account', { Name: 'Acme', Limit__c: 100 })
})

const post = (body: object) => o.call('POST', '/sobjects/Deal__c', { body })

test('a record that meets the condition of a rule is refused with the message at the field', async () => {
  const { status, body } = await post({ Start__c: '2026-02-01', End__c: '2026-01-01' })
  assert.equal(status, 400)
  assert.deepEqual(body, [
    {
      message: 'The end is before the start.',
      errorCode: 'FIELD_CUSTOM_VALIDATION_EXCEPTION',
      fields: ['End__c'],
    },
  ])
  assert.equal((await post({ Start__c: '2026-02-01' })).status, 201)
})

test('all failing rules of a record are told together', async () => {
  const { body } = await post({ Start__c: '2026-02-01', End__c: '2026-01-01', Code__c: 'x' })
  assert.deepEqual(
    body.map(({ message }: { message: string }) => message),
    ['The end is before the start.', 'A code is like AB-1.'],
  )
})

test('rules read parents and formulas of the record as it will be', async () => {
  assert.equal((await post({ Account__c: account, Value__c: 50 })).status, 201)
  const { body } = await post({ Account__c: account, Value__c: 50.01 })
  assert.deepEqual(body[0].fields, ['Value__c'])
  const id = await o.create('Deal__c', { Value__c: 0, Account__c: account })
  assert.equal((await o.call('PATCH', `/sobjects/Deal__c/${id}`, { body: { Value__c: 51 } })).status, 400)
  assert.equal((await o.call('PATCH', `/sobjects/Deal__c/${id}`, { body: { Value__c: 49 } })).status, 204)
})

test('rules compare a record with what it was', async () => {
  const id = await o.create('Deal__c', { Value__c: 1, Stage__c: 'New' })
  const patch = (body: object) => o.call('PATCH', `/sobjects/Deal__c/${id}`, { body })
  assert.equal((await patch({ Value__c: 2, Stage__c: 'Won' })).status, 204)
  const { body } = await patch({ Value__c: 3 })
  assert.deepEqual([body[0].message, body[0].fields], ['A won deal keeps its value.', []])
  assert.equal((await patch({ Value__c: 2, Code__c: 'AB-1' })).status, 204)
})

test('rules hold for an upsert by a unique key too, whether it creates or updates', async () => {
  const upsert = async (body: object) => {
    const answer = await o.call('PATCH', '/sobjects/Deal__c/Key__c/upserted', { body })
    return [answer.status, answer.body[0]?.message]
  }
  const refused = [400, 'A code is like AB-1.']
  assert.deepEqual(await upsert({ Code__c: 'x' }), refused)
  assert.deepEqual(await upsert({ Code__c: 'AB-1' }), [201, undefined])
  assert.deepEqual(await upsert({ Code__c: 'x' }), refused)
  const { body } = await o.call('GET', '/sobjects/Deal__c/Key__c/upserted?fields=Code__c')
  assert.equal(body.Code__c, 'AB-1')
})

test('a rule that cannot be evaluated refuses the record and says so', async () => {
  const { body } = await post({ Step__c: 0 })
  assert.deepEqual(body[0], {
    message: 'The validation rule Fails cannot be evaluated: Division by zero',
    errorCode: 'FIELD_CUSTOM_VALIDATION_EXCEPTION',
    fields: [],
  })
})

test('in a list the failing records are refused, and the others written', async () => {
  const records = [{ Code__c: 'AB-1' }, { Code__c: 'bad' }, { Code__c: 'CD-2' }].map((record) => ({
    attributes: { type: 'Deal__c' },
    ...record,
  }))
  const { body } = await o.call('POST', '/composite/sobjects', { body: { allOrNone: false, records } })
  assert.deepEqual(
    body.map(({ success }: { success: boolean }) => success),
    [true, false, true],
  )
  assert.deepEqual(body[1].errors, [
    { statusCode: 'FIELD_CUSTOM_VALIDATION_EXCEPTION', message: 'A code is like AB-1.', fields: ['Code__c'] },
  ])
})

test('the name of a person is that of its parts', async () => {
  const create = (body: object) => o.call('POST', '/sobjects/Contact', { body })
  assert.equal((await create({ FirstName: 'Test', LastName: 'Person' })).status, 400)
  const { body } = await create({ FirstName: 'Ada', LastName: 'Test' })
  const changed = await o.call('PATCH', `/sobjects/Contact/${body.id}`, { body: { FirstName: 'Test' } })
  assert.equal(changed.status, 400)
})

test('the position of an error is that in the file', () => {
  const folder = writeDeployment({
    'objects/Job__c.yaml': `fields:
  Plain__c: { type: double, formula: 1 + Nothing__c }
  Quoted__c: { type: string, formula: "'a' & \\"b\\" & Nothing__c" }
  Block__c:
    type: double
    formula: |
      1 +
        2 + LENN('x')
`,
  })
  assert.throws(
    () => loadDefinitions(folder),
    (error: Error) => {
      assert.deepEqual(error.message.split('\n'), [
        'objects/Job__c.yaml:2:42 fields.Plain__c.formula: Field Nothing__c does not exist. Check spelling.',
        'objects/Job__c.yaml:3:54 fields.Quoted__c.formula: Field Nothing__c does not exist. Check spelling.',
        'objects/Job__c.yaml:8:13 fields.Block__c.formula: Unknown function LENN. Check spelling. Did you mean LEN?',
      ])
      return true
    },
  )
})

test('what is wrong with a rule stops the deployment at its position', async () => {
  const refusals = await fetchRefusals(o, {
    ...OBJECTS,
    Bad__c: {
      fields: { Total__c: { type: 'double', formula: '1' } },
      validations: {
        Type: { condition: '1 +\n Total__c', message: 'x' },
        Place: { condition: 'TRUE', message: 'x', field: 'Total__c' },
        Field: { condition: 'TRUE', message: 'x', field: 'Nothing__c' },
      },
    },
  })
  assert.deepEqual(refusals, [
    'objects.Bad__c.validations.Place.field: nobody writes Total__c; take another field, or this line out',
    'objects.Bad__c.validations.Field.field: Bad__c has no field Nothing__c',
  ])
  const [typed] = await fetchRefusals(o, {
    ...OBJECTS,
    Bad__c: { validations: { Type: { condition: '1 +\n Total__c', message: 'x' } } },
  })
  assert.equal(
    typed,
    'objects.Bad__c.validations.Type.condition:2:2: Field Total__c does not exist. Check spelling.',
  )
})
