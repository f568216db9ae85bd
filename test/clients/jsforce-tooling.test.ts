import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Connection } from 'jsforce'
import type { ObjectDefinition } from '../../src/schema/definitions/definition.ts'
import { catchError, type JsforceClient, openJsforceClient } from '../support/jsforce-client.ts'

/* The tooling API by jsforce, unmodified, over a real port. */

/** Two pages of fields, where a page has 200. */
const FLAGS = Array.from({ length: 210 }, (_, number) => `Flag${number}__c`)

const WIDE: ObjectDefinition = {
  name: 'Wide__c',
  label: 'Wide',
  labelPlural: 'Wides',
  keyPrefix: '',
  fields: [
    { name: 'Name', label: 'Name', type: 'string', length: 80, nameField: true },
    ...FLAGS.map((name) => ({ name, label: name, type: 'boolean' as const })),
  ],
}

describe('the tooling of jsforce', () => {
  let conn: Connection
  let calls: JsforceClient['calls']
  let close: JsforceClient['close']

  before(async () => {
    ;({ conn, calls, close } = await openJsforceClient({}, [WIDE]))
  })
  after(() => close())

  test('queries definitions, and follows the pages of a result', async () => {
    const { records } = await conn.tooling.query<{ FullName: string }>(
      "SELECT FullName FROM CustomField WHERE EntityDefinitionId = 'Account' ORDER BY FullName",
    )
    assert.deepEqual(
      records.map(({ FullName }) => FullName),
      ['Account.Key__c', 'Account.Loose_Key__c'],
    )
    calls.length = 0
    const all = await conn.tooling.query<{ FullName: string }>(
      "SELECT FullName FROM CustomField WHERE EntityDefinition.QualifiedApiName = 'Wide__c'",
      { autoFetch: true, headers: { 'sforce-query-options': 'batchSize=200' } },
    )
    assert.deepEqual(
      all.records.map(({ FullName }) => FullName).toSorted(),
      FLAGS.map((name) => `Wide__c.${name}`).toSorted(),
    )
    assert.deepEqual(
      calls.map(({ url }) => url.startsWith('/services/data/v64.0/tooling/query')),
      [true, true],
    )
  })

  test('describes what it queries', async () => {
    const { fields, name } = await conn.tooling.describe('CustomField')
    assert.equal(name, 'CustomField')
    assert.ok(fields.some((field) => field.name === 'TableEnumOrId'))
    const { sobjects } = await conn.tooling.describeGlobal()
    assert.ok(sobjects.some((object) => object.name === 'ApexLog'))
    const untracked = await catchError(conn.tooling.describe('SourceMember'))
    assert.deepEqual(
      [untracked.name, untracked.message],
      ['NOT_FOUND', 'The requested resource does not exist'],
    )
  })

  test('finds records by its objects', async () => {
    const found = await conn.tooling
      .sobject('CustomObject')
      .find({ DeveloperName: 'Wide' }, ['Id', 'DeveloperName'])
    assert.equal(found.length, 1)
    const read = await conn.tooling.sobject('CustomObject').retrieve(String(found[0]!.Id))
    assert.equal(read.FullName, 'Wide__c')
    assert.deepEqual(await conn.tooling.sobject('ApexLog').find({}, ['Id', 'Status']), [])
  })

  test('is told why code is not executed', async () => {
    const { compiled, success, compileProblem } = await conn.tooling.executeAnonymous("System.debug('x');")
    assert.deepEqual([compiled, success], [false, false])
    assert.match(String(compileProblem), /TypeScript/)
  })

  test('runs no tests', async () => {
    const queued = await conn.tooling.runTestsAsynchronous({ tests: [{ classId: '01p000000000001AAA' }] })
    assert.match(String(queued), /^707/)
    const run = await conn.tooling.runTestsSynchronous({ tests: [{ className: 'OrderTest' }] })
    const { numTestsRun, successes } = run as unknown as Record<string, unknown>
    assert.deepEqual([numTestsRun, successes], [0, []])
  })
})
