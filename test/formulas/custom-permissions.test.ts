import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { DefinitionFiles } from '../../src/definitions/formats/object-file.ts'
import { fetchRecords } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { deploy, fetchPlan, type Objects } from '../support/deploying.ts'
import { openOrg, type TestOrg } from '../support/org.ts'

/* $Permission and $Label in formulas */

const OBJECTS: Objects = {
  Label__mdt: {
    fields: { Text__c: { type: 'string' } },
    records: { Greeting: { values: { Text__c: "Hello 'there'" } } },
  },
  Load__c: {
    fields: {
      Size__c: { type: 'double' },
      MayExceed__c: { type: 'boolean', formula: '$Permission.Exceed_Size' },
      Text__c: { type: 'string', formula: "$Label.Greeting & '!'" },
    },
    validations: {
      Small: { condition: 'Size__c > 10 && NOT($Permission.exceed_size)', message: 'Too large.' },
    },
  },
}

const withPermissions = (customPermissions: string[]): Pick<DefinitionFiles, 'permissionSets'> => ({
  permissionSets: { Loading: { customPermissions } },
})

let o: TestOrg
let load: string

const readLoad = async () =>
  (await fetchRecords(o, `SELECT MayExceed__c, Text__c FROM Load__c WHERE Id = '${load}'`))[0]

const createLarge = () => o.call('POST', '/sobjects/Load__c', { body: { Size__c: 11 } })

before(async () => {
  o = await openOrg()
  const answer = await deploy(o, OBJECTS, withPermissions(['Exceed_Size']))
  assert.equal(answer.status, 200, answer.text)
  load = await o.create('Load__c', { Size__c: 1 })
})

describe('A formula', () => {
  test('knows whether a permission set of the caller grants a custom permission', async () => {
    assert.equal((await readLoad())!.MayExceed__c, false)
    assertRefused(await createLarge(), 400, 'FIELD_CUSTOM_VALIDATION_EXCEPTION', 'Too large.', [])
    const [set] = await fetchRecords(o, "SELECT Id FROM PermissionSet WHERE Name = 'Loading'")
    await o.create('PermissionSetAssignment', { PermissionSetId: set!.Id, AssigneeId: o.userId })
    assert.equal((await readLoad())!.MayExceed__c, true)
    assert.equal((await createLarge()).status, 201)
    const found = await fetchRecords(o, 'SELECT Id FROM Load__c WHERE MayExceed__c = true')
    assert.equal(found.length, 2)
  })

  test('has the texts of labels', async () => {
    assert.equal((await readLoad())!.Text__c, "Hello 'there'!")
    for (const name of ['$Label.No', '$Label', '$Permission', '$Permission.a.b']) {
      const body = { object: 'Load__c', formula: `ISBLANK(${name})` }
      const { status, text } = await o.call('POST', '/setup/orgs/current/formula', { body })
      assert.equal(status, 400, name)
      assert.match(text, /does not exist/, name)
    }
  })
})

describe('A custom permission', () => {
  test('of a file is granted and taken back by deployments, and a record like any other grant', async () => {
    const names = async () =>
      (await fetchRecords(o, 'SELECT DeveloperName FROM CustomPermission ORDER BY DeveloperName')).map(
        ({ DeveloperName }) => DeveloperName,
      )
    assert.deepEqual(await names(), ['Exceed_Size'])
    assert.deepEqual(await fetchPlan(o, OBJECTS, withPermissions(['Exceed_Size'])), [])
    assert.deepEqual(await fetchPlan(o, OBJECTS, withPermissions(['Other'])), [
      '~ PermissionSet Loading: Other: none → granted; Exceed_Size: granted → none',
    ])
    assert.deepEqual(await names(), ['Other'])
    const { body } = await o.call('GET', '/setup/orgs/current/schema')
    assert.deepEqual(body.permissionSets.Loading.customPermissions, ['Other'])
    const [set] = await fetchRecords(o, "SELECT Id FROM PermissionSet WHERE Name = 'Loading'")
    const given = { ParentId: set!.Id, PermissionName: 'By_Hand' }
    const id = await o.create('SetupEntityAccess', given)
    const made = await o.call('GET', `/sobjects/SetupEntityAccess/${id}`)
    assert.equal(made.body.SetupEntityType, 'CustomPermission')
    for (const body of [
      { ...given, PermissionName: '1st' },
      { ...given, ResourceName: 'x' },
      { ParentId: set!.Id },
    ])
      assert.equal((await o.call('POST', '/sobjects/SetupEntityAccess', { body })).status, 400)
  })

  test('with a name that formulas cannot write is refused by the check of files', async () => {
    const answer = await deploy(o, OBJECTS, { ...withPermissions(['not so']), planOnly: true })
    assert.equal(answer.status, 400, answer.text)
  })
})
