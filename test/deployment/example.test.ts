import assert from 'node:assert/strict'
import { join, resolve } from 'node:path'
import { before, describe, test } from 'node:test'
import { loadTriggers } from '../../src/automation/triggers/load-triggers.ts'
import { loadDefinitions } from '../../src/definitions/files/load-definitions.ts'
import { fetchRecords } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { fetchPlan, fetchSteps } from '../support/deploying.ts'
import { openOrg, type TestOrg } from '../support/org.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const EXAMPLES = join(ROOT, 'examples')
const DEPLOYMENT = join(EXAMPLES, 'deployment')

describe('the example of a deployment', () => {
  let o: TestOrg
  let account: string

  before(async () => {
    o = await openOrg({ triggers: await loadTriggers(DEPLOYMENT) })
    const { files } = loadDefinitions(DEPLOYMENT)
    await fetchSteps(o, files.objects, files)
    account = await o.create('Account', { Name: 'Acme' })
  })

  let codes = 0
  const project = (fields: object = {}) => ({
    Name: 'Site',
    Code__c: `P-${++codes}`,
    Start__c: '2026-03-02',
    ...fields,
  })
  const read = async (id: string, fields: string) =>
    (await fetchRecords(o, `SELECT ${fields} FROM Project__c WHERE Id = '${id}'`))[0]
  const refused = (fields: object) => o.call('POST', '/sobjects/Project__c', { body: project(fields) })

  test('is there as a whole once it is deployed', async () => {
    const { files } = loadDefinitions(DEPLOYMENT)
    assert.deepEqual(await fetchPlan(o, files.objects, files), [])
  })

  test('has picklists with defaults, refused values and values of a set', async () => {
    const id = await o.create('Project__c', project({ Region__c: 'HQ' }))
    assert.deepEqual(await read(id, 'Status__c, toLabel(Region__c) region'), {
      Status__c: 'Planned',
      region: 'Headquarters',
    })
    for (const fields of [{ Status__c: 'Paused' }, { Status__c: 'Nope' }, { Region__c: 'East' }]) {
      assertRefused(
        await refused(fields),
        400,
        'INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST',
        /./,
        Object.keys(fields),
      )
    }
  })

  test('has a picklist whose values depend on another', async () => {
    const { body } = await o.call('GET', '/sobjects/Project__c/describe')
    const field = body.fields.find(({ name }: { name: string }) => name === 'Office__c')
    assert.deepEqual([field.controllerName, field.dependentPicklist], ['Region__c', true])
    const bits = field.picklistValues.map(
      ({ validFor }: { validFor: string }) => Buffer.from(validFor, 'base64')[0],
    )
    // North, South and HQ are the first three bits.
    assert.deepEqual(bits, [0b1010_0000, 0b1000_0000, 0b0100_0000])
  })

  test('has a lookup that protects its target, and one that lets it go', async () => {
    const contact = await o.create('Contact', { LastName: 'King' })
    const id = await o.create('Project__c', project({ Account__c: account, Lead__c: contact }))
    assertRefused(await o.call('DELETE', `/sobjects/Account/${account}`), 400, 'DELETE_FAILED', /./)
    assert.equal((await o.call('DELETE', `/sobjects/Contact/${contact}`)).status, 204)
    assert.deepEqual(await read(id, 'Lead__c, Account__r.Name'), {
      Lead__c: null,
      Account__r: { Name: 'Acme' },
    })
  })

  test('has details that a trigger makes and that go with their master', async () => {
    const id = await o.create('Project__c', project())
    const milestones = () =>
      fetchRecords(o, `SELECT Title__c, Due__c FROM Milestone__c WHERE Project__c = '${id}'`)
    assert.deepEqual(await milestones(), [{ Title__c: 'Kick-off', Due__c: '2026-03-02' }])
    await o.call('DELETE', `/sobjects/Project__c/${id}`)
    assert.deepEqual(await milestones(), [])
  })

  test('computes a field and refuses what makes no sense', async () => {
    const id = await o.create(
      'Project__c',
      project({ End__c: '2026-03-06', Status__c: 'Active', Budget__c: 10 }),
    )
    assert.deepEqual(await read(id, 'Days__c'), { Days__c: 5 })
    const backwards = await refused({ End__c: '2026-03-01' })
    assertRefused(backwards, 400, 'FIELD_CUSTOM_VALIDATION_EXCEPTION', 'A project ends after it starts', [
      'End__c',
    ])
    const answer = await o.call('PATCH', `/sobjects/Project__c/${id}`, { body: { Budget__c: 11 } })
    assertRefused(
      answer,
      400,
      'FIELD_CUSTOM_VALIDATION_EXCEPTION',
      'The budget of an active project stays 10',
      ['Budget__c'],
    )
  })

  test('has record types, one of them for new records', async () => {
    const id = await o.create('Project__c', project())
    assert.deepEqual(await read(id, 'RecordType.DeveloperName'), { RecordType: { DeveloperName: 'Client' } })
  })

  test('is known by its codes', async () => {
    const code = project().Code__c
    const path = `/sobjects/Project__c/Code__c/${code}`
    const body = { Name: 'By code', Start__c: '2026-01-01' }
    assert.equal((await o.call('PATCH', path, { body })).status, 201)
    assert.equal((await o.call('PATCH', path, { body: { Name: 'Again' } })).status, 200)
  })
})
