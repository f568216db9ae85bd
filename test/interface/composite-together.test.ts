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
    'count.ts': `
      const count = (changes: any[]) => { (globalThis as any).lists.push(changes.length) }
      export default { object: 'Account', beforeInsert: count, afterUpdate: count, afterDelete: count }`,
  })
  o = await openOrg({ triggers })
  await o.deploy([
    ...PROJECT_SCHEMA,
    {
      name: 'Part__c',
      label: 'Part',
      labelPlural: 'Parts',
      keyPrefix: 'a0Z',
      fields: [
        { name: 'Name', label: 'Name', type: 'string', length: 80, nameField: true },
        { name: 'Secret__c', label: 'Secret', type: 'encryptedstring', length: 175 },
        { name: 'Key__c', label: 'Key', type: 'string', length: 20, externalId: true, unique: true },
        {
          name: 'Above__c',
          label: 'Above',
          type: 'reference',
          to: ['Part__c'],
          relationship: 'Above__r',
          children: 'Below__r',
        },
      ],
    },
  ])
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

describe('neighbouring changes of records of one object in a composite', () => {
  const at = (method: string, referenceId: string, path: string, body?: object) => ({
    method,
    url: `/services/data/v64.0/sobjects/${path}`,
    referenceId,
    body,
  })
  const create = async (...names: string[]) => {
    const ids: string[] = []
    for (const Name of names) ids.push(await o.create('Account', { Name }))
    lists.length = 0
    return ids
  }
  const statuses = (answers: readonly { httpStatusCode: number }[]) =>
    answers.map(({ httpStatusCode }) => httpStatusCode)

  test('are handed to triggers as one list, updates and deletions, and answered as if each were alone', async () => {
    const [a, b, c] = await create('U1', 'U2', 'U3')
    const answers = await run([
      at('PATCH', 'a', `Account/${a}`, { Phone: '1' }),
      at('PATCH', 'b', `account/${b}`, { Fax: '2' }),
      at('PATCH', 'c', `Account/${c}/`, { Phone: '3' }),
      at('DELETE', 'd', `Account/${a}`),
      at('DELETE', 'e', `Account/${b}`),
    ])
    assert.deepEqual(
      answers.map(({ body, httpHeaders, httpStatusCode }: Record<string, unknown>) => [
        body,
        httpHeaders,
        httpStatusCode,
      ]),
      Array.from({ length: 5 }, () => [null, {}, 204]),
    )
    assert.deepEqual(lists, [3, 2])
    assert.deepEqual(await fetchRecords(o, "SELECT Name, Phone FROM Account WHERE Name LIKE 'U_'"), [
      { Name: 'U3', Phone: '3' },
    ])
  })

  test('stay apart where one refers to another one, and where they change one record', async () => {
    const [a, b] = await create('R1', 'R2')
    const answers = await run([
      at('PATCH', 'a', `Account/${a}`, { Phone: '1' }),
      at('PATCH', 'b', `Account/${a}`, { Phone: '2' }),
      at('GET', 'c', `Account/${a}`),
      at('PATCH', 'd', `Account/${b}`, { Fax: '@{c.Phone}' }),
      at('PATCH', 'e', 'Account/@{c.Id}', { Fax: '3' }),
    ])
    assert.deepEqual(statuses(answers), [204, 204, 200, 204, 204])
    assert.deepEqual(lists, [1, 1, 2])
    assert.deepEqual(
      await fetchRecords(o, "SELECT Phone, Fax FROM Account WHERE Name LIKE 'R_' ORDER BY Name"),
      [
        { Phone: '2', Fax: '3' },
        { Phone: null, Fax: '2' },
      ],
    )
  })

  test('stay apart where one names a record by the key that another one gives it', async () => {
    const [upper, lower] = [await o.create('Part__c', { Key__c: 'old' }), await o.create('Part__c', {})]
    const answers = await run([
      at('PATCH', 'a', `Part__c/${upper}`, { Key__c: 'new' }),
      at('PATCH', 'b', `Part__c/${lower}`, { Above__r: { Key__c: 'new' } }),
    ])
    assert.deepEqual(statuses(answers), [204, 204])
  })

  test('fail each by itself', async () => {
    const [a, b] = await create('F1', 'F2')
    const gone = '001000000000000AAA'
    const path = (id: string) => `Account/${id}`
    const steps = [path(a!), path(gone), path('nothing'), path(b!)]
    const updated = await run(
      steps.map((url, n) => at('PATCH', `u${n}`, url, n === 3 ? { Name: '' } : { Phone: '1' })),
    )
    const deleted = await run(steps.map((url, n) => at('DELETE', `d${n}`, url)))
    for (const [answers, last] of [
      [updated, 400],
      [deleted, 204],
    ])
      assert.deepEqual(statuses(answers), [204, 404, 404, last])
    const alone = await o.call('DELETE', `/sobjects/Account/${gone}`)
    assert.deepEqual(deleted[1].body, alone.body)
  })

  test('with allOrNone tell the first one that failed, and leave everything as it was', async () => {
    const [a, b] = await create('N1', 'N2')
    const answers = await run(
      [
        at('PATCH', 'a', `Account/${a}`, { Phone: '1' }),
        at('PATCH', 'b', `Account/${b}`, { Name: '' }),
        at('PATCH', 'c', `Account/${a}`, { Phone: '3' }),
      ],
      { allOrNone: true },
    )
    assert.deepEqual(
      answers.map(({ body }: { body: { errorCode: string }[] }) => body[0]!.errorCode),
      ['PROCESSING_HALTED', 'REQUIRED_FIELD_MISSING', 'PROCESSING_HALTED'],
    )
    assert.deepEqual(await fetchRecords(o, "SELECT Phone FROM Account WHERE Name = 'N1'"), [{ Phone: null }])
  })

  test('of an object with encrypted fields are all or none, or each by itself, when one is missing', async () => {
    const kept = await o.create('Part__c', { Key__c: 'kept' })
    const gone = `${kept.slice(0, 3)}00000ZZZZZZZ`
    const steps = [
      at('POST', 'x', 'Account', { Name: 'E1' }),
      at('PATCH', 'y', `Part__c/${kept}`, { Key__c: 'y' }),
      at('PATCH', 'z', `Part__c/${gone}`, { Key__c: 'z' }),
      at('POST', 'w', 'Account', { Name: 'E2' }),
    ]
    const all = await run(steps, { allOrNone: true })
    assert.deepEqual(
      all.map(({ body }: { body: { errorCode: string }[] }) => body[0]!.errorCode),
      ['PROCESSING_HALTED', 'PROCESSING_HALTED', 'INVALID_CROSS_REFERENCE_KEY', 'PROCESSING_HALTED'],
    )
    assert.deepEqual(await fetchNames(o, "Account WHERE Name LIKE 'E_'"), [])
    assert.deepEqual(statuses(await run(steps)), [201, 204, 404, 201])
    const records = [kept, gone].map((id) => ({ attributes: { type: 'Part__c' }, id, Key__c: id.slice(-3) }))
    const { body } = await o.call('PATCH', '/composite/sobjects', { body: { records } })
    assert.deepEqual(
      body.map(({ success }: { success: boolean }) => success),
      [true, false],
    )
  })

  test('by a unique key create and change what each does alone', async () => {
    await o.create('Project__c', { Name: 'K1', External_Key__c: 'k1' })
    const upsert = (referenceId: string, key: string, body: object) =>
      at('PATCH', referenceId, `Project__c/External_Key__c/${key}`, body)
    const answers = await run([
      upsert('a', 'K1', { Name: 'K1 again' }),
      upsert('b', 'k%202', { Name: 'K2' }),
      upsert('c', 'k3', { Nope: 1 }),
      upsert('d', 'k3', { Name: 'K3' }),
    ])
    assert.deepEqual(statuses(answers), [200, 201, 400, 201])
    assert.deepEqual(answers[0].body, { id: answers[0].body.id, success: true, errors: [], created: false })
    assert.deepEqual(answers[1].body, { id: answers[1].body.id, success: true, errors: [], created: true })
    assert.deepEqual(
      await fetchRecords(
        o,
        "SELECT Name, External_Key__c FROM Project__c WHERE Name LIKE 'K%' ORDER BY Name",
      ),
      [
        { Name: 'K1 again', External_Key__c: 'k1' },
        { Name: 'K2', External_Key__c: 'k 2' },
        { Name: 'K3', External_Key__c: 'k3' },
      ],
    )
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

test('neighbours in a graph are one list for triggers as in a composite, those in a batch are not', async () => {
  const [first, second] = [step('a', 'Account', { Name: 'N1' }), step('b', 'Account', { Name: 'N2' })]
  const graphs = [{ graphId: 'g', compositeRequest: [first, second] }]
  const { body } = await o.call('POST', '/composite/graph', { body: { graphs } })
  assert.equal(body.graphs[0].isSuccessful, true)
  assert.deepEqual(lists.splice(0), [2])
  const batchRequests = [first, second].map(({ method, url, body }) => ({ method, url, richInput: body }))
  const answer = await o.call('POST', '/composite/batch', { body: { batchRequests } })
  assert.equal(answer.body.hasErrors, false)
  assert.deepEqual(lists, [1, 1])
})
