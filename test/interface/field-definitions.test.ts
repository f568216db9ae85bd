import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { ask, fetchRecords, fetchRefusal, queryPath } from '../support/ask.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow, type Person } from '../support/people.ts'

/* Fields as records, of the objects that a query names. */

describe('FieldDefinition', () => {
  let o: TestOrg
  let reader: Person
  before(async () => {
    o = await openOrg()
    const objects = {
      Box__c: {
        fields: {
          Code__c: { type: 'string', length: 12, unique: true, externalId: true },
          Weight__c: { type: 'double', precision: 10, scale: 2, description: 'With its content' },
          Account__c: { type: 'reference', to: ['Account'], children: 'Boxes__r' },
          Owner_Contact__c: { type: 'reference', to: ['Contact'], children: 'Boxes__r' },
          Kind__c: { type: 'picklist', values: ['Small', 'Large'] },
          pack__Note__c: { type: 'string' },
          Site__c: { type: 'location' },
          pack__Place__c: { type: 'location' },
        },
      },
    }
    const answer = await o.call('PUT', '/setup/orgs/current/schema', { body: { objects, mode: 'keep' } })
    assert.equal(answer.status, 200, answer.text)
    reader = await addPerson(o, 'reader')
    await allow(o, reader.setId, 'Box__c', 'Read')
  })

  const fields = async (who: TestOrg, where: string) =>
    (await fetchRecords(who, `SELECT QualifiedApiName FROM FieldDefinition WHERE ${where}`)).map(
      ({ QualifiedApiName }) => QualifiedApiName,
    )

  test('has what a describe has, of the object that is named in one of four ways', async () => {
    const described = (await o.call('GET', '/sobjects/Account/describe')).body.fields
    const names = described.map(({ name }: { name: string }) => name).toSorted()
    for (const where of [
      "EntityDefinition.QualifiedApiName = 'Account'",
      "EntityDefinition.DurableId = 'Account'",
      "EntityDefinitionId = 'Account'",
      "EntityDefinitionId IN ('account')",
      "(EntityDefinitionId = 'Account' AND (IsNillable = true OR IsNillable = false))",
    ]) {
      assert.deepEqual((await fields(o, where)).toSorted(), names, where)
    }
    assert.deepEqual(await fields(o, "DurableId = 'Account.Industry'"), ['Industry'])
    assert.deepEqual(await fields(o, "EntityDefinitionId = 'Nowhere'"), [])
  })

  test('shows types as people see them, and the object of each field', async () => {
    const records = await fetchRecords(
      o,
      `SELECT QualifiedApiName, DeveloperName, DataType, Length, Precision, Scale, IsIndexed, RelationshipName, ReferenceTo, Description, EntityDefinition.Label
       FROM FieldDefinition WHERE EntityDefinition.QualifiedApiName = 'Box__c' AND QualifiedApiName IN ('Account__c', 'Code__c', 'Kind__c', 'Owner_Contact__c', 'Weight__c') ORDER BY QualifiedApiName`,
    )
    assert.deepEqual(
      records.map(({ QualifiedApiName, DataType }) => [QualifiedApiName, DataType]),
      [
        ['Account__c', 'Lookup(Account)'],
        ['Code__c', 'Text(12) (External ID) (Unique Case Insensitive)'],
        ['Kind__c', 'Picklist'],
        ['Owner_Contact__c', 'Lookup(Contact)'],
        ['Weight__c', 'Number(8, 2)'],
      ],
    )
    assert.deepEqual(records[0], {
      QualifiedApiName: 'Account__c',
      DeveloperName: 'Account',
      DataType: 'Lookup(Account)',
      Length: 18,
      Precision: 0,
      Scale: 0,
      IsIndexed: true,
      RelationshipName: 'Account__r',
      ReferenceTo: 'Account',
      Description: null,
      EntityDefinition: { Label: 'Box' },
    })
    assert.equal(records[4]!.Description, 'With its content')
  })

  test('splits names into namespace and bare name, also those of parts', async () => {
    const records = await fetchRecords(
      o,
      `SELECT QualifiedApiName, NamespacePrefix, DeveloperName FROM FieldDefinition WHERE EntityDefinitionId = 'Box__c'
       AND QualifiedApiName IN ('Code__c', 'CreatedDate', 'pack__Note__c', 'Site__Latitude__s', 'pack__Place__Latitude__s') ORDER BY QualifiedApiName`,
    )
    assert.deepEqual(
      records.map((record) => Object.values(record)),
      [
        ['Code__c', null, 'Code'],
        ['CreatedDate', null, 'CreatedDate'],
        ['pack__Note__c', 'pack', 'Note'],
        ['pack__Place__Latitude__s', 'pack', 'Place__Latitude'],
        ['Site__Latitude__s', null, 'Site__Latitude'],
      ],
    )
  })

  test('has no field or object that the caller may not see', async () => {
    const name = "EntityDefinition.QualifiedApiName = 'Box__c'"
    assert.ok(!(await fields(reader.org, name)).includes('Weight__c'))
    assert.ok((await fields(reader.org, name)).includes('CreatedDate'))
    assert.deepEqual(await fields(reader.org, "EntityDefinition.QualifiedApiName = 'Account'"), [])
    const body = {
      ParentId: reader.setId,
      SobjectType: 'Box__c',
      Field: 'Box__c.Account__c',
      PermissionsRead: true,
    }
    await o.create('FieldPermissions', body)
    const [reference] = await fetchRecords(
      reader.org,
      `SELECT DataType, ReferenceTo FROM FieldDefinition WHERE DurableId = 'Box__c.Account__c'`,
    )
    assert.deepEqual(reference, { DataType: 'Lookup()', ReferenceTo: null })
  })

  test('is refused without a filter that names objects', async () => {
    const message = 'FieldDefinition: a filter on a reified column is required [EntityDefinitionId,DurableId]'
    for (const rest of [
      '',
      "WHERE QualifiedApiName = 'Name'",
      "WHERE EntityDefinitionId != 'Account'",
      "WHERE EntityDefinitionId LIKE 'A%'",
      "WHERE EntityDefinitionId = 'Account' OR QualifiedApiName = 'Name'",
      "WHERE NOT EntityDefinitionId = 'Account'",
      'WHERE EntityDefinitionId = null',
    ]) {
      for (const select of ['SELECT QualifiedApiName', 'SELECT COUNT()', 'SELECT COUNT(Id)']) {
        const refusal = await fetchRefusal(o, `${select} FROM FieldDefinition ${rest}`)
        assert.deepEqual(refusal, { code: 'MALFORMED_QUERY', message }, rest)
      }
    }
    const names = Array.from({ length: 101 }, (_, n) => `'X${n}__c'`).join()
    const many = `SELECT Id FROM FieldDefinition WHERE EntityDefinitionId IN (${names})`
    assert.match((await fetchRefusal(o, many)).message, /a query may name 100 objects at most, not 101/)
    const inner = `SELECT Id FROM User WHERE Id IN (SELECT CreatedById FROM FieldDefinition WHERE EntityDefinitionId = 'Account')`
    assert.match((await fetchRefusal(o, inner)).message, /FieldDefinition.*not supported for semi join/)
  })

  test('has pages, counts and groups', async () => {
    const where = "EntityDefinitionId IN ('Account', 'Contact', 'Lead', 'User', 'Opportunity')"
    const options = { headers: { 'svc-query-options': 'batchSize=200' } }
    const path = queryPath(`SELECT DurableId FROM FieldDefinition WHERE ${where}`)
    const first = (await o.call('GET', path, options)).body
    assert.equal(first.done, false)
    const second = (await o.call('GET', first.nextRecordsUrl, options)).body
    const ids = [...first.records, ...second.records].map(({ DurableId }: { DurableId: string }) => DurableId)
    assert.equal(new Set(ids).size, 400 - (200 - second.records.length))
    const { body } = await ask(o, `SELECT COUNT() FROM FieldDefinition WHERE ${where}`)
    assert.equal(body.totalSize, first.totalSize)
    const groups = await fetchRecords(
      o,
      `SELECT EntityDefinition.QualifiedApiName name, COUNT(Id) many FROM FieldDefinition WHERE ${where} GROUP BY EntityDefinition.QualifiedApiName`,
    )
    assert.equal(groups.length, 5)
  })

  test('is not called queryable, and GraphQL has no connection of it', async () => {
    const { body } = await o.call('GET', '/sobjects/FieldDefinition/describe')
    assert.deepEqual([body.queryable, body.retrieveable, body.keyPrefix], [false, false, null])
    const lists = await o.call('GET', '/sobjects/FieldDefinition/listviews')
    assert.deepEqual([lists.status, lists.body.listviews], [200, []])
    const asked = await o.call('POST', '/graphql', {
      body: { query: '{ uiapi { query { FieldDefinition { edges { node { Id } } } } } }' },
    })
    assert.match(asked.text, /FieldDefinition/)
    assert.notEqual(asked.body.errors.length, 0)
  })
})
