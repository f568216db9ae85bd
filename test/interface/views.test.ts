import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { ask, fetchRecords, fetchRefusal } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { fetchSteps } from '../support/deploying.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow } from '../support/people.ts'

/* Objects whose records a view makes of others: clients look there for licenses, objects, jobs and code. */

interface Described {
  readonly name: string
  readonly queryable: boolean
  readonly retrieveable: boolean
  readonly createable: boolean
  readonly updateable: boolean
  readonly deletable: boolean
}

describe('an object that describe calls queryable', () => {
  let o: TestOrg
  let objects: readonly Described[]
  before(async () => {
    o = await openOrg()
    await o.create('Group', { Name: 'First line', DeveloperName: 'First_Line', Type: 'Queue' })
    objects = (await o.call('GET', '/sobjects')).body.sobjects
  })

  test('answers a query of all its fields since a time, in order (tap-salesforce and its kin)', async () => {
    // Links of files are asked for by ids. (docs/reference/strict-rules.md)
    const asked = objects.filter(({ name, queryable }) => queryable && name !== 'ContentDocumentLink')
    for (const { name, retrieveable } of asked) {
      const { fields } = (await o.call('GET', `/sobjects/${name}/describe`)).body
      const names = fields.map((field: { name: string }) => field.name).join(', ')
      const records = await fetchRecords(
        o,
        `SELECT ${names} FROM ${name} WHERE SystemModstamp >= 2020-01-01T00:00:00Z ORDER BY SystemModstamp, Id LIMIT 5`,
      )
      for (const { Id } of records) {
        const { status, body } = await o.call('GET', `/sobjects/${name}/${Id}`)
        if (retrieveable) assert.deepEqual([status, body.Id], [200, Id], name)
        else assert.equal(status, 404, name)
      }
    }
  })

  test('with every child relationship, ways up, counts, groups, explanations and pages', async () => {
    const [profile] = await fetchRecords(o, 'SELECT Name, UserLicense.Name FROM Profile LIMIT 1')
    assert.deepEqual(profile!.UserLicense, { Name: 'Svc' })
    assert.deepEqual(await fetchRecords(o, 'SELECT Id, (SELECT Id FROM Steps) FROM ProcessInstance'), [])
    const { body } = await ask(o, 'SELECT COUNT(Id) n FROM EntityDefinition')
    assert.equal(body.records[0].n, objects.length)
    const explained = await o.call('GET', '/query?explain=SELECT+Id+FROM+QueueSobject')
    assert.equal(explained.status, 200, explained.text)
  })

  test('is written only where describe says so', async () => {
    for (const name of ['UserLicense', 'EntityDefinition', 'ApexClass']) {
      const created = await o.call('POST', `/sobjects/${name}`, { body: { Name: 'x' } })
      assert.equal(created.status, 403, created.text)
    }
    const [license] = await fetchRecords(o, 'SELECT Id FROM UserLicense')
    for (const [method, body] of [
      ['PATCH', { Name: 'x' }],
      ['DELETE', undefined],
    ] as const) {
      const answer = await o.call(method, `/sobjects/UserLicense/${license!.Id}`, body && { body })
      assert.equal(answer.status, 403, answer.text)
    }
  })
})

describe('an object that a view makes', () => {
  const deploy = (o: TestOrg, objects: object) =>
    o.call('PUT', '/setup/orgs/current/schema', { body: { objects, mode: 'keep' } })
  let o: TestOrg
  before(async () => {
    o = await openOrg()
  })

  test('has no definition file: it stays read-only, without fields and indexes of others', async () => {
    for (const file of [
      { createable: true },
      { searchable: 'indexed' },
      { fields: { A__c: { type: 'int' } } },
    ]) {
      const answer = await deploy(o, { UserLicense: file })
      assertRefused(answer, 400, 'DEPLOYMENT_REFUSED', /the platform makes all of UserLicense/)
    }
  })

  test('is no target of an own reference', async () => {
    const fields = { Job__c: { type: 'reference', to: ['AsyncApexJob'] } }
    const answer = await deploy(o, { Box__c: { fields } })
    assertRefused(answer, 400, 'DEPLOYMENT_REFUSED', /records of AsyncApexJob are made by the platform/)
  })

  test('has nothing to recompute', async () => {
    const body = { object: 'CronTrigger' }
    const answer = await o.call('POST', '/setup/orgs/current/recompute', { body })
    assert.equal(answer.status, 400, answer.text)
  })
})

describe('records of a view', () => {
  let o: TestOrg
  before(async () => {
    o = await openOrg()
  })

  test('UserLicense counts active users and not the guest', async () => {
    const count = async () =>
      Number(
        (
          await fetchRecords(o, "SELECT UsedLicenses FROM UserLicense WHERE LicenseDefinitionKey = 'SFDC'")
        )[0]!.UsedLicenses,
      )
    const before = await count()
    await addPerson(o, 'licensed')
    assert.equal(await count(), before + 1)
  })

  test('a profile that is created has the license', async () => {
    const id = await o.create('Profile', { Name: 'Licensed' })
    const [profile] = await fetchRecords(o, `SELECT UserLicense.Name FROM Profile WHERE Id = '${id}'`)
    assert.deepEqual(profile!.UserLicense, { Name: 'Svc' })
  })

  test('QueueSobject names the queues of every object that may have them', async () => {
    const queue = await o.create('Group', {
      Name: 'Second line',
      DeveloperName: 'Second_Line',
      Type: 'Queue',
    })
    const found = await fetchRecords(
      o,
      `SELECT Id, SobjectType, Queue.Name FROM QueueSobject WHERE QueueId = '${queue}' ORDER BY SobjectType`,
    )
    assert.ok(found.some(({ SobjectType }) => SobjectType === 'Case'))
    assert.ok(!found.some(({ SobjectType }) => SobjectType === 'Account'))
    assert.equal(new Set(found.map(({ Id }) => Id)).size, found.length)
    for (const { Queue } of found) assert.deepEqual(Queue, { Name: 'Second line' })
  })

  test('EntityDefinition has the objects that the caller may see, and no others', async () => {
    const person = await addPerson(o, 'reader')
    await allow(o, person.setId, 'Account', 'Read')
    const seen = await fetchRecords(person.org, 'SELECT QualifiedApiName FROM EntityDefinition')
    const described = (await person.call('GET', '/sobjects')).body.sobjects
    assert.deepEqual(
      seen.map(({ QualifiedApiName }) => QualifiedApiName).toSorted(),
      described.map(({ name }: Described) => name).toSorted(),
    )
    assert.ok(!seen.some(({ QualifiedApiName }) => QualifiedApiName === 'Contact'))
  })

  test('AsyncApexJob and CronTrigger do not exist for those who may not see jobs', async () => {
    const person = await addPerson(o, 'curious')
    for (const name of ['AsyncApexJob', 'CronTrigger', 'CronJobDetail']) {
      assert.equal((await fetchRefusal(person.org, `SELECT Id FROM ${name}`)).code, 'INVALID_TYPE')
    }
  })

  test('stay what they are when the records that they might refer to go', async () => {
    const account = await o.create('Account', { Name: 'Goes' })
    assert.equal((await o.call('DELETE', `/sobjects/Account/${account}`)).status, 204)
  })

  test('an id that no record has is not found', async () => {
    const answer = await o.call('GET', '/sobjects/ApexClass/01pOB0000000001')
    assertRefused(answer, 404, 'NOT_FOUND', /./)
  })
})

test('a formula reads them as it reads parents that have a table', async () => {
  const o = await openOrg()
  const License__c = { type: 'string', formula: 'Profile.UserLicense.Name' } as const
  await fetchSteps(o, { User: { fields: { License__c } } }, { mode: 'keep' })
  const [found] = await fetchRecords(o, 'SELECT License__c, Profile.UserLicense.Name FROM User LIMIT 1')
  assert.equal(typeof found!.License__c, 'string')
  assert.equal(found!.License__c, (found!.Profile as { UserLicense: { Name: string } }).UserLicense.Name)
})
