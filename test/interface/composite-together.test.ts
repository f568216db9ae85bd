import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { fetchNames, fetchRecords } from '../support/ask.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { PROJECT_SCHEMA } from '../support/project-schema.ts'
import { triggersFrom } from '../support/trigger-files.ts'

const lists: number[] = []
Object.assign(globalThis, { lists })

let o: TestOrg

before(async () => {
  const triggers = await triggersFrom({
    'count.ts':
      "export default { object: 'Account', beforeInsert(changes: any[]) { (globalThis as any).lists.push(changes.length) } }",
  })
  o = await openOrg({ triggers })
  await o.deploy(PROJECT_SCHEMA)
})

beforeEach(() => {
  lists.length = 0
})

const step = (referenceId: string, object: string, body: object) => ({
  method: 'POST',
  url: `/services/data/v64.0/sobjects/${object}`,
  referenceId,
  body,
})

const run = async (steps: readonly object[], more: object = {}, version = 64) => {
  const { status, body, text } = await o.call('POST', `/services/data/v${version}.0/composite`, {
    body: { compositeRequest: steps, ...more },
  })
  assert.equal(status, 200, text)
  return body.compositeResponse
}

describe('neighbouring creates of a composite', () => {
  test('are handed to triggers as one list, and answered as if each were alone', async () => {
    const answers = await run([
      step('a', 'Account', { Name: 'G1' }),
      step('b', 'Account', { Name: 'G2' }),
      step('c', 'Account', { Name: 'G3', ParentId: '@{a.id}' }),
    ])
    // The third one needs the id of the first.
    assert.deepEqual(lists, [2, 1])
    for (const [index, { body, httpHeaders, httpStatusCode, referenceId }] of answers.entries()) {
      assert.equal(referenceId, 'abc'[index])
      assert.equal(httpStatusCode, 201)
      assert.deepEqual(body, { id: body.id, success: true, errors: [] })
      assert.deepEqual(httpHeaders, { Location: `/services/data/v64.0/sobjects/Account/${body.id}` })
    }
    assert.deepEqual(await fetchRecords(o, "SELECT Name, Parent.Name FROM Account WHERE Name = 'G3'"), [
      { Name: 'G3', Parent: { Name: 'G1' } },
    ])
  })

  test('are handed one by one when the call says so, and before version 49.0', async () => {
    const steps = [step('a', 'Account', { Name: 'one' }), step('b', 'Account', { Name: 'two' })]
    await run(steps, { collateSubrequests: false })
    await run(steps, {}, 48)
    assert.deepEqual(lists, [1, 1, 1, 1])
    await run(steps, { collateSubrequests: true }, 48)
    await run(steps, {}, 49)
    assert.deepEqual(lists.slice(4), [2, 2])
  })

  test('fail each by itself', async () => {
    const answers = await run([
      step('a', 'Account', { Name: 'S1' }),
      step('b', 'Account', { Phone: '1' }),
      step('c', 'Account', { Name: 'S3', Nope: 1 }),
      step('d', 'Account', { Name: 'S4' }),
    ])
    assert.deepEqual(
      answers.map(({ httpStatusCode }: { httpStatusCode: number }) => httpStatusCode),
      [201, 400, 400, 201],
    )
    assert.deepEqual(answers[1].body, [
      {
        message: 'Required fields are missing: [Name]',
        errorCode: 'REQUIRED_FIELD_MISSING',
        fields: ['Name'],
      },
    ])
    assert.equal(answers[2].body[0].errorCode, 'INVALID_FIELD')
    assert.deepEqual(await fetchNames(o, "Account WHERE Name LIKE 'S_' ORDER BY Name"), ['S1', 'S4'])
  })

  test('with allOrNone tell the first one that failed, and halt all the others', async () => {
    const key = { External_Key__c: 'the same' }
    const answers = await run(
      [
        step('a', 'Project__c', { Name: 'N1', ...key }),
        step('b', 'Project__c', { Name: 'N2' }),
        step('c', 'Project__c', { Name: 'N3', ...key }),
        step('d', 'Project__c', { Name: 'N4', Nope: 1 }),
      ],
      { allOrNone: true },
    )
    const codes = answers.map(({ body }: { body: { errorCode: string }[] }) => body[0]!.errorCode)
    // Whatever is wrong is found before anything is written, so a mistake in the body comes first.
    assert.deepEqual(codes, ['PROCESSING_HALTED', 'PROCESSING_HALTED', 'PROCESSING_HALTED', 'INVALID_FIELD'])
    const unique = await run(
      [step('a', 'Project__c', { Name: 'N1', ...key }), step('b', 'Project__c', { Name: 'N2', ...key })],
      { allOrNone: true },
    )
    assert.deepEqual(
      unique.map(({ body }: { body: { errorCode: string }[] }) => body[0]!.errorCode),
      ['PROCESSING_HALTED', 'DUPLICATE_VALUE'],
    )
    assert.deepEqual(await fetchNames(o, "Project__c WHERE Name LIKE 'N_'"), [])
  })
})

describe('a collection in a composite', () => {
  const collection = (referenceId: string, records: readonly object[], allOrNone = false) => ({
    method: 'POST',
    url: '/services/data/v64.0/composite/sobjects',
    referenceId,
    body: { allOrNone, records: records.map((fields) => ({ attributes: { type: 'Account' }, ...fields })) },
  })

  test('gives ids that later steps use', async () => {
    const answers = await run([
      collection('many', [{ Name: 'K1' }, { Name: 'K2' }]),
      step('c', 'Contact', { LastName: 'K', AccountId: '@{many[1].id}' }),
    ])
    assert.deepEqual(
      answers.map(({ httpStatusCode }: { httpStatusCode: number }) => httpStatusCode),
      [200, 201],
    )
    assert.deepEqual(await fetchRecords(o, "SELECT Account.Name FROM Contact WHERE LastName = 'K'"), [
      { Account: { Name: 'K2' } },
    ])
  })

  test('is all or nothing when the composite is, and takes the whole call back', async () => {
    const answers = await run(
      [step('a', 'Account', { Name: 'W1' }), collection('many', [{ Name: 'W2' }, { Phone: '1' }])],
      { allOrNone: true },
    )
    assert.equal(answers[0].body[0].errorCode, 'PROCESSING_HALTED')
    assert.deepEqual(
      answers[1].body.map(({ success, errors }: { success: boolean; errors: { statusCode: string }[] }) => [
        success,
        errors[0]!.statusCode,
      ]),
      [
        [false, 'ALL_OR_NONE_OPERATION_ROLLED_BACK'],
        [false, 'REQUIRED_FIELD_MISSING'],
      ],
    )
    assert.deepEqual(await fetchNames(o, "Account WHERE Name LIKE 'W_'"), [])
  })
})
