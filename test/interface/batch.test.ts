import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fetchNames } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { openOrg, type Sent, type TestOrg } from '../support/org.ts'
import { SPECIMEN } from '../support/specimen-schema.ts'

let o: TestOrg

before(async () => {
  o = await openOrg()
  await o.deploy([SPECIMEN])
})

const send = (batchRequests: unknown, more: object = {}, headers?: Sent['headers']) =>
  o.call('POST', '/composite/batch', { body: { batchRequests, ...more }, headers })

/** The body of a batch that is answered with 200. */
async function answered(...sent: Parameters<typeof send>) {
  const answer = await send(...sent)
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(Object.keys(answer.body), ['hasErrors', 'results'])
  return answer.body
}

const create = (Name: string, more: object = {}) => ({
  method: 'POST',
  url: 'v64.0/sobjects/Specimen__c',
  richInput: { Name, ...more },
})
const specimens = (prefix: string) => fetchNames(o, `Specimen__c WHERE Name LIKE '${prefix}%' ORDER BY Name`)
const statuses = ({ results }: { results: { statusCode: number }[] }) =>
  results.map(({ statusCode }) => statusCode)

describe('a batch', () => {
  test('answers 200 with one status and result per subrequest, in their order', async () => {
    const id = await o.create('Account', { Name: 'Acme' })
    const body = await answered([
      { method: 'GET', url: `v64.0/sobjects/Account/${id}?fields=Name` },
      { method: 'PATCH', url: `v64.0/sobjects/Account/${id}`, richInput: { Name: 'N' } },
      { method: 'GET', url: `v64.0/query?q=SELECT Name FROM Account WHERE Id = '${id}'` },
      { method: 'DELETE', url: `v64.0/sobjects/Account/${id}` },
    ])
    assert.equal(body.hasErrors, false)
    const [read, updated, found, deleted] = body.results
    assert.deepEqual(read, {
      statusCode: 200,
      result: {
        attributes: { type: 'Account', url: `/services/data/v64.0/sobjects/Account/${id}` },
        Name: 'Acme',
        Id: id,
      },
    })
    assert.deepEqual(updated, { statusCode: 204, result: null })
    assert.equal(found.result.records[0].Name, 'N')
    assert.deepEqual(deleted, { statusCode: 204, result: null })
  })

  test('goes on after a failure, which changes nothing, and says hasErrors', async () => {
    const body = await answered([create('on-1'), create('on-2', { Nothing__c: 1 }), create('on-3')])
    assert.equal(body.hasErrors, true)
    assert.deepEqual(statuses(body), [201, 400, 201])
    assert.deepEqual(body.results[1].result, [
      {
        message: "No such column 'Nothing__c' on sobject of type Specimen__c",
        errorCode: 'INVALID_FIELD',
        fields: [],
      },
    ])
    assert.deepEqual(await specimens('on-'), ['on-1', 'on-3'])
  })

  test('with haltOnError skips everything behind the first failure with 412; what came before stays', async () => {
    const bad = create('halt-2', { Nothing__c: 1 })
    const body = await answered([create('halt-1'), bad, create('halt-3'), bad], { haltOnError: true })
    assert.equal(body.hasErrors, true)
    assert.deepEqual(statuses(body), [201, 400, 412, 412])
    assert.deepEqual(body.results[2].result, [
      {
        errorCode: 'BATCH_PROCESSING_HALTED',
        message: 'A previous subrequest failed and the haltOnError flag was set',
        fields: [],
      },
    ])
    assert.deepEqual(await specimens('halt-'), ['halt-1'])
  })

  test('does not halt for several matches, which are no error', async () => {
    for (let i = 0; i < 2; i++) await o.create('Specimen__c', { Loose__c: 'twin' })
    const several = { method: 'PATCH', url: 'v64.0/sobjects/Specimen__c/Loose__c/twin', richInput: {} }
    const body = await answered([several, create('after')], { haltOnError: true })
    assert.equal(body.hasErrors, false)
    assert.deepEqual(statuses(body), [300, 201])
  })

  test('knows no references', async () => {
    const { results } = await answered([create('n'), create('@{r1.id}')])
    const { body } = await o.call('GET', `/sobjects/Specimen__c/${results[1].result.id}`)
    assert.equal(body.Name, '@{r1.id}')
  })

  test('takes the url with the version first, with a slash before it, in full, and with the address of this server', async () => {
    const path = 'v64.0/sobjects/Account/describe'
    const urls = [path, `/${path}`, `services/data/${path}`, `/services/data/${path}/`]
    for (const url of [...urls, `http://localhost:80/services/data/${path}`, 'latest/sobjects']) {
      const outer = { body: { batchRequests: [{ method: 'GET', url }] } }
      const answer = await o.call('POST', '/services/data/v68.0/composite/batch/', outer)
      assert.deepEqual(statuses(answer.body), [200], url)
    }
  })

  test('takes 34.0 up to its own version for a subrequest; each follows the rules of its version', async () => {
    const upsert = (version: string) => ({
      method: 'PATCH',
      url: `v${version}/sobjects/Specimen__c/Key__c/versions`,
      richInput: {},
    })
    const versions = ['64.0', '45.0', '34.0', '33.0', '65.0', '20.0', '999.0']
    const body = await answered(versions.map(upsert))
    assert.deepEqual(statuses(body), [201, 204, 204, 400, 400, 410, 404])
    for (const [index, version] of [
      [3, '33.0'],
      [4, '65.0'],
    ] as const) {
      assert.deepEqual(body.results[index].result, [
        {
          message: `The version of a subrequest must be from 34.0 to 64.0, that of the batch, not ${version}.`,
          errorCode: 'PROCESSING_HALTED',
          fields: [],
        },
      ])
    }
    assert.deepEqual(
      [body.results[5].result[0].errorCode, body.results[6].result[0].errorCode],
      ['GONE', 'NOT_FOUND'],
    )
  })

  test('takes searches and the list of resources too, but no call that is made of calls', async () => {
    const body = await answered([
      { method: 'GET', url: 'v64.0/search?q=FIND {acme}' },
      { method: 'POST', url: 'v64.0/parameterizedSearch', richInput: { q: 'acme' } },
      { method: 'GET', url: 'v64.0/' },
      { method: 'GET', url: 'v64.0/queryAll?q=SELECT+Id+FROM+Account' },
      { method: 'GET', url: 'v64.0/sobjects' },
    ])
    assert.deepEqual(statuses(body), [200, 200, 200, 200, 200])
    for (const path of [
      '/composite',
      '/composite/batch',
      '/composite/graph',
      '/composite/tree/Account',
      '/nothing',
    ]) {
      const { results } = await answered([{ method: 'POST', url: `v64.0${path}`, richInput: {} }])
      assert.deepEqual(results, [
        {
          statusCode: 400,
          result: [
            {
              message: `The requested resource is not supported in a batch request: /services/data/v64.0${path}`,
              errorCode: 'PROCESSING_HALTED',
              fields: [],
            },
          ],
        },
      ])
    }
  })

  test('gives its own options to all subrequests, but not its conditions', async () => {
    const account = await o.create('Account', { Name: 'options' })
    for (let i = 0; i < 201; i++) await o.create('Specimen__c', { Account__c: account })
    const url = `v64.0/query?q=SELECT Id FROM Specimen__c WHERE Account__c = '${account}'`
    const body = await answered(
      [
        { method: 'GET', url },
        { method: 'GET', url: `v64.0/sobjects/Account/${account}` },
      ],
      {},
      { 'sforce-query-options': 'batchSize=200', 'if-none-match': '*' },
    )
    assert.equal(body.results[0].result.records.length, 200)
    assert.equal(body.results[1].statusCode, 200)
  })

  test('reports where in its own text a value of a wrong kind is', async () => {
    const text =
      '{"batchRequests":[{"method":"POST","url":"v64.0/sobjects/Specimen__c",\n"richInput":{"Flag__c":7}}]}'
    const { body } = await o.call('POST', '/composite/batch', { text })
    assert.match(body.results[0].result[0].message, /at \[line:2, column:24\]$/)
  })

  test('exists since 34.0', async () => {
    const body = { batchRequests: [{ method: 'GET', url: 'v34.0/sobjects' }] }
    assert.equal((await o.call('POST', '/services/data/v33.0/composite/batch', { body })).status, 404)
    assert.equal((await o.call('POST', '/services/data/v34.0/composite/batch', { body })).status, 200)
  })
})

describe('a batch is refused as a whole before anything runs', () => {
  const one = create('wrong')
  const list = (step: unknown) => ({ batchRequests: [one, step] })
  const CASES: readonly (readonly [unknown, string])[] = [
    [{}, 'Required field "batchRequests" is missing at [line:1, column:1]'],
    [{ batchRequests: [] }, 'The list "batchRequests" is empty at '],
    [{ batchRequests: {} }, 'Cannot deserialize instance of list from START_OBJECT value {'],
    [
      { batchRequests: [one], haltOnError: 'no' },
      'Cannot deserialize instance of boolean from VALUE_STRING value no',
    ],
    [{ batchRequests: [one], allOrNone: true }, 'Unrecognized field "allOrNone" at '],
    [list(7), 'Cannot deserialize instance of object from VALUE_NUMBER_INT value 7'],
    [list({ ...one, body: {} }), 'Unrecognized field "body" at '],
    [list({ ...one, method: undefined }), 'Required field "method" is missing at '],
    [list({ ...one, method: 'FETCH' }), "The method 'FETCH' is none of DELETE, GET, PATCH, POST, PUT at "],
    [list({ ...one, url: undefined }), 'Required field "url" is missing at '],
    ...[
      'sobjects/Account',
      '//v64.0x/sobjects',
      'http://elsewhere.example/services/data/v64.0/sobjects',
      '',
    ].map((url) => [list({ ...one, url }), `The url must begin with vXX.X/, not '${url}' at `] as const),
    [
      list({ ...one, binaryPartName: 'a', binaryPartNameAlias: 'b' }),
      'Binary parts are not supported: a batch is JSON only at ',
    ],
  ]
  for (const [body, message] of CASES) {
    test(`${message}`, async () => {
      const answer = await o.call('POST', '/composite/batch', { body })
      const shown = answer.body[0].message
      assertRefused(answer, 400, 'JSON_PARSER_ERROR', shown)
      assert.ok(shown.startsWith(message), shown)
    })
  }

  test('more than 25 subrequests', async () => {
    const creates = Array.from({ length: 26 }, () => one)
    const message = 'The request can’t contain more than 25 operations.'
    assertRefused(await send(creates), 400, 'LIMIT_EXCEEDED', message)
    assert.deepEqual(
      statuses(await answered(creates.slice(1).map(() => create('most')))),
      Array(25).fill(201),
    )
  })

  test('refused batches change nothing', async () => {
    assert.deepEqual(await specimens('wrong'), [])
  })
})
