import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Connection } from 'jsforce'
import { catchError, type JsforceClient, openJsforceClient } from '../support/jsforce-client.ts'

/* Calls made of calls through jsforce, unmodified, over a real port. It has no method for them but `request`. */

let conn: Connection
let close: JsforceClient['close']

before(async () => {
  ;({ conn, close } = await openJsforceClient())
})
after(() => close())

interface Result {
  readonly referenceId: string
  readonly httpStatusCode: number
  // biome-ignore lint/suspicious/noExplicitAny: bodies have every shape
  readonly body: any
}

const DATA = '/services/data/v64.0'

async function composite(compositeRequest: readonly object[], allOrNone: boolean): Promise<Result[]> {
  const answer = await conn.requestPost<{ compositeResponse: Result[] }>('/composite', {
    allOrNone,
    compositeRequest,
  })
  return answer.compositeResponse
}

const statuses = (results: readonly Result[]) => results.map(({ httpStatusCode }) => httpStatusCode)

const counted = (name: string) => conn.sobject('Account').count({ Name: name })

const post = (referenceId: string, object: string, body: object) => ({
  method: 'POST',
  url: `${DATA}/sobjects/${object}`,
  referenceId,
  body,
})

describe('a composite', () => {
  test('hands results on: to a body, an address and a query', async () => {
    const results = await composite(
      [
        post('account', 'Account', { Name: 'family' }),
        post('contact', 'Contact', { LastName: 'of @{account.id}', AccountId: '@{account.id}' }),
        { method: 'GET', url: `${DATA}/sobjects/Contact/@{contact.id}?fields=LastName`, referenceId: 'read' },
        {
          method: 'GET',
          url: `${DATA}/query?q=SELECT Id, Account.Name FROM Contact WHERE Id = '@{read.Id}'`,
          referenceId: 'query',
        },
        {
          method: 'PATCH',
          url: `${DATA}/sobjects/Account/@{account.id}`,
          referenceId: 'rename',
          body: { Name: '@{query.records[0].Account.Name} name' },
        },
      ],
      true,
    )
    assert.deepEqual(statuses(results), [201, 201, 200, 200, 204])
    assert.equal(results[2]!.body.LastName, `of ${results[0]!.body.id}`)
    assert.equal(results[4]!.body, null)
    assert.equal(await counted('family name'), 1)
  })

  test('with allOrNone keeps nothing when one step fails', async () => {
    const results = await composite(
      [post('a', 'Account', { Name: 'atomic' }), post('b', 'Account', {})],
      true,
    )
    assert.deepEqual(
      results.map(({ body }) => body[0].errorCode),
      ['PROCESSING_HALTED', 'REQUIRED_FIELD_MISSING'],
    )
    assert.equal(await counted('atomic'), 0)
  })

  test('without allOrNone keeps what went well; what leans on a failed step is not tried', async () => {
    const results = await composite(
      [
        post('a', 'Account', { Name: 'kept' }),
        post('b', 'Account', {}),
        post('c', 'Contact', { LastName: 'leans', AccountId: '@{b.id}' }),
      ],
      false,
    )
    assert.deepEqual(statuses(results), [201, 400, 400])
    assert.equal(results[2]!.body[0].errorCode, 'PROCESSING_HALTED')
    assert.equal(await counted('kept'), 1)
  })

  test('may hold lists of records', async () => {
    const results = await composite(
      [
        {
          method: 'POST',
          url: `${DATA}/composite/sobjects`,
          referenceId: 'list',
          body: { records: [1, 2].map(() => ({ attributes: { type: 'Account' }, Name: 'listed' })) },
        },
        post('child', 'Contact', { LastName: 'l', AccountId: '@{list[1].id}' }),
      ],
      true,
    )
    assert.deepEqual(statuses(results), [200, 201])
    assert.equal(await counted('listed'), 2)
  })

  test('that cannot be read is refused under the name of its error', async () => {
    const twice = [post('a', 'Account', { Name: 'x' }), post('a', 'Account', { Name: 'x' })]
    assert.equal((await catchError(composite(twice, false))).name, 'JSON_PARSER_ERROR')
  })

  test('of more than 25 steps is reported in the format of a result, which jsforce hands over as text', async () => {
    const steps = Array.from({ length: 26 }, (_, n) => post(`a${n}`, 'Account', { Name: 'x' }))
    const { name, message } = await catchError(composite(steps, false))
    assert.equal(name, 'ERROR_HTTP_400')
    assert.equal(JSON.parse(message).compositeResponse[0].body[0].errorCode, 'LIMIT_EXCEEDED')
  })
})

describe('a tree', () => {
  const plant = (records: readonly object[]) =>
    conn.request<{ hasErrors: boolean; results: { referenceId: string; id: string }[] }>({
      method: 'POST',
      url: '/composite/tree/Account',
      body: JSON.stringify({ records }),
      headers: { 'content-type': 'application/json' },
    })
  const account = (referenceId: string, fields: object) => ({
    attributes: { type: 'Account', referenceId },
    ...fields,
  })
  const contact = (referenceId: string, fields: object) => ({
    attributes: { type: 'Contact', referenceId },
    ...fields,
  })

  test('gives the ids of all its records, the roots first', async () => {
    const { hasErrors, results } = await plant([
      account('a', { Name: 'planted', Contacts: { records: [contact('c', { LastName: 'leaf' })] } }),
      account('b', { Name: 'planted' }),
    ])
    assert.equal(hasErrors, false)
    assert.deepEqual(
      results.map(({ referenceId, id }) => [referenceId, id.slice(0, 3)]),
      [
        ['a', '001'],
        ['b', '001'],
        ['c', '003'],
      ],
    )
    assert.equal(await conn.sobject('Contact').count({ 'Account.Name': 'planted' }), 1)
  })

  test('of which a record fails is ERROR_HTTP_400, and its message is the answer with that record', async () => {
    const { name, message } = await catchError(
      plant([account('a', { Name: 'felled', Contacts: { records: [contact('c', {})] } })]),
    )
    assert.equal(name, 'ERROR_HTTP_400')
    assert.deepEqual(JSON.parse(message), {
      hasErrors: true,
      results: [
        {
          referenceId: 'c',
          errors: [
            {
              statusCode: 'REQUIRED_FIELD_MISSING',
              message: 'Required fields are missing: [LastName]',
              fields: ['LastName'],
            },
          ],
        },
      ],
    })
    assert.equal(await counted('felled'), 0)
  })

  test('with a field that does not exist is refused as a whole', async () => {
    const { name, message } = await catchError(plant([account('a', { Name: 'felled', Nope: 1 })]))
    assert.equal(name, 'INVALID_FIELD')
    assert.equal(message, "No such column 'Nope' on sobject of type Account")
  })
})

test('a batch takes addresses below the version', async () => {
  const { hasErrors, results } = await conn.requestPost<{
    hasErrors: boolean
    results: { statusCode: number }[]
  }>('/composite/batch', { batchRequests: [{ method: 'GET', url: 'v64.0/sobjects/Account/describe' }] })
  assert.deepEqual([hasErrors, results[0]!.statusCode], [false, 200])
})

test('graphs fail each for itself', async () => {
  const graph = (graphId: string, body: object) => ({
    graphId,
    compositeRequest: [post('a', 'Account', { Name: graphId }), post('b', 'Account', body)],
  })
  const { graphs } = await conn.requestPost<{ graphs: { graphId: string; isSuccessful: boolean }[] }>(
    '/composite/graph',
    { graphs: [graph('whole', { Name: 'whole' }), graph('torn', {})] },
  )
  assert.deepEqual(
    graphs.map(({ graphId, isSuccessful }) => [graphId, isSuccessful]),
    [
      ['whole', true],
      ['torn', false],
    ],
  )
  assert.deepEqual([await counted('whole'), await counted('torn')], [2, 0])
})
