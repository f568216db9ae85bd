import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { importSourceFormat } from '../../src/importers/source-format/import-source-format.ts'
import { fetchRecords } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { fetchSteps } from '../support/deploying.ts'
import { openOrg, type TestOrg } from '../support/org.ts'

const FORMULAS = {
  Mail: 'IF(ISBLANK(Owner:User.Id), Owner:Queue.QueueEmail, Owner:User.Email)',
  Both: "Owner:Queue.Email & '|' & Owner:User.Email",
  Queue: 'Owner:Queue.QueueName',
  Alias: 'Owner:User.Alias',
  Kind: "IF(Owner:Queue.Id = NULL, 'user', 'queue')",
}
const RULE = `<ValidationRule><fullName>Not_Unsorted</fullName><active>true</active><errorMessage>Sort it first.</errorMessage>
  <errorConditionFormula>Owner:Queue.QueueName = 'Unsorted' &amp;&amp; ISBLANK(Owner:User.Alias)</errorConditionFormula></ValidationRule>`

const FOLDER = 'objects/Case'
const FIELDS = Object.keys(FORMULAS).map((name) => `${name}__c`)

let o: TestOrg
let alias: string
let queue: string
let unsorted: string

const addQueue = (Name: string) => o.create('Group', { Name, Type: 'Queue', Email: 't1@example.com' })

before(async () => {
  o = await openOrg()
  const { files, notes } = importSourceFormat([
    { path: `${FOLDER}/validationRules/Not_Unsorted.validationRule-meta.xml`, text: RULE },
    ...Object.entries(FORMULAS).map(([name, formula]) => ({
      path: `${FOLDER}/fields/${name}__c.field-meta.xml`,
      text: `<CustomField><fullName>${name}__c</fullName><formula>${formula.replaceAll('&', '&amp;')}</formula><type>Text</type></CustomField>`,
    })),
  ])
  assert.deepEqual(notes, [])
  await fetchSteps(o, files.objects)
  queue = await addQueue('Tier 1')
  unsorted = await addQueue('Unsorted')
  const [user] = await fetchRecords(o, `SELECT Alias, Email FROM User WHERE Id = '${o.userId}'`)
  alias = user!.Alias as string
  await o.call('PATCH', `/sobjects/User/${o.userId}`, { body: { Email: 'person@example.com' } })
})

async function fetchShown(id: string): Promise<unknown[]> {
  const [record] = await fetchRecords(o, `SELECT ${FIELDS.join(', ')} FROM Case WHERE Id = '${id}'`)
  const { body } = await o.call('GET', `/sobjects/Case/${id}?fields=${FIELDS.join(',')}`)
  const values = FIELDS.map((name) => record![name])
  assert.deepEqual(
    FIELDS.map((name) => body[name]),
    values,
  )
  return values
}

test('a formula reads the kind of owner that it names, and nothing of the other kind', async () => {
  const mine = await o.create('Case', { Subject: 'mine' })
  assert.deepEqual(await fetchShown(mine), ['person@example.com', '|person@example.com', null, alias, 'user'])
  const queued = await o.create('Case', { Subject: 'queued', OwnerId: queue })
  assert.deepEqual(await fetchShown(queued), ['t1@example.com', 't1@example.com|', 'Tier 1', null, 'queue'])
  const found = await fetchRecords(o, "SELECT Id FROM Case WHERE Queue__c = 'tier 1' AND Alias__c = NULL")
  assert.deepEqual(
    found.map(({ Id }) => Id),
    [queued],
  )
})

test('a validation rule reads the kind of owner that it names', async () => {
  assertRefused(
    await o.call('POST', '/sobjects/Case', { body: { OwnerId: unsorted } }),
    400,
    'FIELD_CUSTOM_VALIDATION_EXCEPTION',
    'Sort it first.',
  )
  const id = await o.create('Case', { OwnerId: queue })
  const change = (OwnerId: string) => o.call('PATCH', `/sobjects/Case/${id}`, { body: { OwnerId } })
  assert.equal((await change(unsorted)).status, 400)
  assert.equal((await change(o.userId)).status, 204)
})
