import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { deploy } from '../support/deploying.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow, allowField, type Person } from '../support/people.ts'
import { triggersFrom } from '../support/trigger-files.ts'

// docs/reference/formulas.md#rules

const SECRET = 'tale-of-a-hidden-value'

const text = { type: 'string' } as const

/** Each rule fails for a record whose `Kind__c` is its name. */
const CONDITIONS = {
  Number: 'VALUE(Secret__c) > 1',
  Day: 'DATEVALUE(Secret__c) > DATE(2020, 1, 1)',
  Time: 'DATETIMEVALUE(Secret__c) > NOW()',
  Hour: 'TIMEVALUE(Secret__c) > TIMEVALUE("10:00:00.000")',
  Pattern: 'REGEX("a", Secret__c & "(")',
  Parts: 'DATE(1234, 56, Digits__c) > TODAY()',
  Shown: 'VALUE(Open__c) > 1',
  Formula: 'VALUE(Copy__c) > 1',
  Parent: 'VALUE(Parent__r.Open__c) > 1',
} as const

const OBJECTS = {
  Safe__c: {
    fields: {
      Kind__c: text,
      Open__c: text,
      Secret__c: text,
      Digits__c: { type: 'double' },
      Copy__c: { type: 'string', formula: 'Secret__c' },
      Email__c: { type: 'email' },
      Parent__c: { type: 'reference', to: 'Safe__c' },
    },
    validations: Object.fromEntries(
      Object.entries(CONDITIONS).map(([name, condition]) => [
        name,
        { condition: `IF(Kind__c = "${name}", ${condition}, FALSE)`, message: 'Never.' },
      ]),
    ),
  },
  Tale__mdt: {
    fields: { Text__c: text, Digits__c: { type: 'double' } },
    records: { Usual: { values: { Text__c: SECRET, Digits__c: 7_654_321_987 } } },
  },
  Note__c: {
    fields: {
      Copied__c: { type: 'double', defaultFormula: 'VALUE($CustomMetadata.Tale__mdt.Usual.Text__c)' },
    },
  },
  Level__c: {
    fields: { Small__c: { type: 'int', defaultFormula: '$CustomMetadata.Tale__mdt.Usual.Digits__c' } },
  },
}

let o: TestOrg
let person: Person

before(async () => {
  o = await openOrg({
    triggers: await triggersFrom({
      'a-email.ts': `export default {
        object: 'Safe__c',
        beforeUpdate(changes: any[]) { for (const { record } of changes) if (record.Kind__c === 'Trigger') record.Email__c = record.Secret__c },
      }`,
    }),
  })
  const answer = await deploy(o, OBJECTS as never)
  assert.equal(answer.status, 200, answer.text)
  person = await addPerson(o, 'reader')
  for (const object of ['Safe__c', 'Note__c', 'Level__c'])
    await allow(o, person.setId, object, 'Read', 'Create', 'Edit')
  for (const field of ['Safe__c.Kind__c', 'Safe__c.Open__c', 'Safe__c.Copy__c', 'Safe__c.Parent__c'])
    await allowField(o, person.setId, field, 'Edit')
})

/** The message with which a change is refused. */
async function refusal(asking: TestOrg, Kind__c: string): Promise<string> {
  const parent = await o.create('Safe__c', { Open__c: SECRET })
  const id = await o.create('Safe__c', {
    Secret__c: SECRET,
    Open__c: SECRET,
    Digits__c: 7_654_321,
    Parent__c: parent,
  })
  const { status, body, text } = await asking.call('PATCH', `/sobjects/Safe__c/${id}`, { body: { Kind__c } })
  assert.equal(status, 400, text)
  return body[0].message
}

for (const [kind, message] of [
  ['Number', 'A value is not a valid number.'],
  ['Day', 'A value is not a valid date.'],
  ['Time', 'A value is not a valid datetime.'],
  ['Hour', 'A value is not a valid time.'],
  ['Pattern', 'The regular expression is not supported'],
  ['Parts', 'There is no such date'],
  ['Formula', 'A value is not a valid number.'],
  ['Parent', 'A value is not a valid number.'],
] as const) {
  test(`the error of a rule quotes no value that the caller cannot read: ${kind}`, async () => {
    assert.equal(
      await refusal(person.org, kind),
      `The validation rule ${kind} cannot be evaluated: ${message}`,
    )
  })
}

test('the error of a rule quotes a value that the caller can read', async () => {
  assert.match(await refusal(person.org, 'Shown'), new RegExp(SECRET))
  assert.match(await refusal(o, 'Number'), new RegExp(SECRET))
})

test('the error of a computed default quotes no value that the caller cannot read', async () => {
  for (const [object, message] of [
    ['Note__c', 'Copied: the default value cannot be computed: A value is not a valid number.'],
    ['Level__c', 'Small: the default value cannot be computed: the field cannot hold its value'],
  ] as const) {
    const { status, body } = await person.call('POST', `/sobjects/${object}`, { body: {} })
    assert.deepEqual([status, body[0].message], [400, message])
  }
})

test('the error of a value that a trigger sets quotes none of a field that the caller cannot see', async () => {
  const message = 'A trigger set Email__c on Safe__c to a value that the field cannot hold'
  assert.equal(await refusal(person.org, 'Trigger'), message)
  assert.match(await refusal(o, 'Trigger'), new RegExp(SECRET))
})

test('the error of a computed number that its field cannot hold does not quote it', async () => {
  const price = {
    Name: 'P',
    StageName: 'Prospecting',
    CloseDate: '2026-01-31',
    Amount: 9e15,
    Probability: 999,
  }
  const { status, text } = await o.call('POST', '/sobjects/Opportunity', { body: price })
  assert.equal(status, 400, text)
  assert.match(text, /Expected Amount: value outside of valid range on numeric field"/)
})
