import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../src/base/api-error.ts'
import { makeApiVersion } from '../../src/base/api-version.ts'
import { makeSnapshot } from '../../src/schema/snapshot/snapshot.ts'
import { type Visibility, visibleSchema } from '../../src/schema/snapshot/visible-schema.ts'
import { compileQuery } from '../../src/soql/compile/compile.ts'
import { STANDARD_OBJECTS } from '../../src/standard/standard-objects.ts'

const VERSION = makeApiVersion(64)
const SCHEMA = makeSnapshot(1, new Date(0), STANDARD_OBJECTS)

const HIDDEN = ['Contact.Email', 'Contact.MailingCity', 'Account.AnnualRevenue', 'Case.AccountId']

/** Sees no opportunity, no lead, and not the hidden fields. */
const CLERK: Visibility = {
  key: 'clerk',
  seesObject: ({ name }) => name !== 'Opportunity' && name !== 'Lead',
  seesField: (object, field) => !HIDDEN.includes(`${object.name}.${field.name}`),
  may: () => true,
  writesField: () => true,
}

const VISIBLE = visibleSchema(SCHEMA, CLERK)
const query = (text: string) => compileQuery(text, VISIBLE, VERSION)

function findRefusal(text: string): string {
  try {
    query(text)
  } catch (error) {
    if (error instanceof ApiError) return `${error.code} ${error.message.split('\n').at(-1)}`
    throw error
  }
  return 'accepted'
}

for (const [text, code, explanation] of [
  ['SELECT Id FROM Opportunity', 'INVALID_TYPE', "sObject type 'Opportunity' is not supported"],
  ['SELECT Id, (SELECT Id FROM Opportunities) FROM Account', 'INVALID_TYPE', 'Opportunities'],
  ['SELECT Id, Opportunity.Name FROM OpportunityLineItem', 'INVALID_FIELD', "relationship 'Opportunity'"],
  ['SELECT Id FROM Account WHERE Id IN (SELECT AccountId FROM Opportunity)', 'INVALID_TYPE', 'Opportunity'],
  ['SELECT TYPEOF Who WHEN Lead THEN Company END FROM Task', 'INVALID_TYPE', 'Lead'],
  ['SELECT Email FROM Contact', 'INVALID_FIELD', "No such column 'Email' on entity 'Contact'"],
  ["SELECT Id FROM Contact WHERE Email = 'a@b.c'", 'INVALID_FIELD', "'Email'"],
  ['SELECT Id FROM Contact ORDER BY Email', 'INVALID_FIELD', "'Email'"],
  ['SELECT COUNT(Id) FROM Contact GROUP BY Email', 'INVALID_FIELD', "'Email'"],
  ['SELECT SUM(AnnualRevenue) FROM Account', 'INVALID_FIELD', "'AnnualRevenue'"],
  ['SELECT Account.AnnualRevenue FROM Contact', 'INVALID_FIELD', "'AnnualRevenue'"],
  ['SELECT Id, (SELECT Email FROM Contacts) FROM Account', 'INVALID_FIELD', "'Email'"],
  ['SELECT Account.Name FROM Case', 'INVALID_FIELD', "relationship 'Account'"],
  ['SELECT Id, (SELECT Id FROM Cases) FROM Account', 'INVALID_TYPE', "relationship 'Cases'"],
  ['SELECT MailingAddress FROM Contact', 'INVALID_FIELD', "'MailingAddress'"],
] as const) {
  test(`What is not visible does not exist: ${text}`, () => {
    compileQuery(text, SCHEMA, VERSION)
    const refused = findRefusal(text)
    assert.ok(refused.startsWith(code), refused)
    assert.ok(refused.includes(explanation), refused)
  })
}

test('FIELDS() gives the visible fields only', () => {
  const compiled = query('SELECT FIELDS(STANDARD) FROM Contact')
  assert.equal(compiled.kind, 'records')
  const names = compiled.plan.selection.members.map((member) => member.name)
  assert.ok(names.includes('Phone'))
  assert.ok(!names.includes('Email'))
  assert.ok(!names.includes('MailingAddress'))
})

test('A plan of one visibility is not used for another', () => {
  const text = 'SELECT Email FROM Contact'
  assert.equal(compileQuery(text, SCHEMA, VERSION).kind, 'records')
  assert.ok(findRefusal(text).startsWith('INVALID_FIELD'))
  assert.equal(compileQuery(text, SCHEMA, VERSION).kind, 'records')
})

test('The visible part of a schema is made once for each key', () => {
  assert.equal(visibleSchema(SCHEMA, { ...CLERK }), VISIBLE)
  assert.notEqual(visibleSchema(SCHEMA, { ...CLERK, key: 'other' }), VISIBLE)
})

test('A reference to several objects still shows a Name when only one of them is visible', () => {
  const { plan } = query('SELECT Who.Name FROM Task')
  assert.equal(plan.sources[1]?.object.name, 'Name')
  assert.deepEqual(
    plan.sources[1]?.targets?.map(({ name }) => name),
    ['Contact'],
  )
})
