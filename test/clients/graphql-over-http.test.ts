import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type AuditResult, serverAudits } from 'graphql-http'
import { openOrg, type TestOrg } from '../support/org.ts'
import { openPort, type RealPort } from '../support/real-port.ts'

/*
 * The audits of graphql-http, the reference implementation of "GraphQL over HTTP", unmodified, over a real port.
 * (docs/reference/api/graphql.md#as-graphql-over-http-has-it)
 */

const GRAPHQL_TYPE = 'application/graphql-response+json'

let o: TestOrg
let port: RealPort

before(async () => {
  o = await openOrg()
  port = await openPort()
  await o.create('Account', { Name: 'Acme' })
})
after(() => port.close())

const send = (accept: string, query: string, more: object = {}) =>
  fetch(`${port.address}/services/data/v66.0/graphql`, {
    method: 'POST',
    headers: { accept, 'content-type': 'application/json', authorization: `Bearer ${o.token}` },
    body: JSON.stringify({ query, ...more }),
  })

/** @param accept what takes the place of `application/json` in what the audits accept */
async function runAudits(accept: string): Promise<AuditResult[]> {
  const fetchFn = (input: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers)
    headers.set('authorization', `Bearer ${o.token}`)
    if (headers.get('accept') === 'application/json') headers.set('accept', accept)
    return fetch(input, { ...init, headers })
  }
  const results: AuditResult[] = []
  for (const audit of serverAudits({ url: `${port.address}/services/data/v66.0/graphql`, fetchFn })) {
    results.push(await audit.fn())
  }
  assert.ok(results.length > 50)
  return results
}

/** Ids of the audits of a level (MUST, SHOULD) that the server does not pass. */
const findFailed = (results: readonly AuditResult[], level: string) =>
  results.filter((result) => result.status !== 'ok' && result.name.startsWith(level)).map(({ id }) => id)

/** Audits of which the interface's own answers in JSON, which always have errors, say otherwise. */
const WITHOUT_ERRORS = ['13EE', 'B8B3', '0220', '0221', '0222', '28B9', '1B7A']
/** Audits that are about JSON itself: its type, and its status 200. */
const ABOUT_JSON = { MUST: ['4655'], SHOULD: ['572B', 'FDE2', '7B9B'] }

describe('the audits of graphql-http', () => {
  test('find nothing but the empty errors of answers in JSON', async () => {
    const results = await runAudits('application/json')
    assert.deepEqual(findFailed(results, 'MUST'), WITHOUT_ERRORS)
    assert.deepEqual(findFailed(results, 'SHOULD'), [])
  })

  test("find nothing at all in answers of GraphQL's own type", async () => {
    const results = await runAudits(GRAPHQL_TYPE)
    assert.deepEqual(findFailed(results, 'MUST'), ABOUT_JSON.MUST)
    assert.deepEqual(findFailed(results, 'SHOULD'), ABOUT_JSON.SHOULD)
  })
})

const COUNT = '{ uiapi { query { Account { totalCount } } } }'

describe("an answer of GraphQL's own type", () => {
  /** The Accept headers of clients, by their names. */
  const clients: [string, string][] = [
    [
      'urql',
      'application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed',
    ],
    ['Apollo Client', 'application/graphql-response+json,application/json;q=0.9'],
    ['a client that spells it otherwise', 'Application/GraphQL-Response+JSON; charset=utf-8'],
  ]
  for (const [client, accept] of clients) {
    test(`is what ${client} gets, without empty errors`, async () => {
      const response = await send(accept, COUNT)
      assert.equal(response.status, 200)
      assert.match(response.headers.get('content-type')!, /^application\/graphql-response\+json/)
      assert.deepEqual(await response.json(), { data: { uiapi: { query: { Account: { totalCount: 1 } } } } })
    })
  }

  test('has status 400 and no data for a document that is refused', async () => {
    const refused: [string, object][] = [
      ['{', {}],
      ['{ nothing }', {}],
      ['query A { __typename } query B { __typename }', {}],
      ['query ($id: ID!) { __typename @skip(if: false) }', { variables: { id: null } }],
    ]
    for (const [query, more] of refused) {
      const response = await send(GRAPHQL_TYPE, query, more)
      assert.equal(response.status, 400, query)
      const body = (await response.json()) as object
      assert.deepEqual(Object.keys(body), ['errors'], query)
    }
  })

  test('has status 200 where a part fails', async () => {
    const query = '{ uiapi { query { Account(first: 3000) { totalCount } User { totalCount } } } }'
    const response = await send(GRAPHQL_TYPE, query)
    assert.equal(response.status, 200)
    const { data, errors } = (await response.json()) as { data: object; errors: object[] }
    assert.deepEqual([Object.keys(data), errors.length], [['uiapi'], 1])
  })

  test('is not for clients that like JSON better, or say nothing', async () => {
    for (const accept of [
      '*/*',
      'application/json',
      `${GRAPHQL_TYPE};q=0`,
      `application/json, ${GRAPHQL_TYPE};q=0.5`,
      `${GRAPHQL_TYPE};q=x`,
    ]) {
      const response = await send(accept, '{')
      assert.equal(response.status, 200, accept)
      assert.match(response.headers.get('content-type')!, /^application\/json/, accept)
      const { data } = (await response.json()) as { data: object }
      assert.deepEqual(data, {}, accept)
    }
  })

  test('is as large as it has to be', async () => {
    const response = await send(GRAPHQL_TYPE, '{ __schema { types { name fields { name description } } } }')
    assert.match(response.headers.get('content-type')!, /^application\/graphql-response\+json/)
    assert.ok(((await response.json()) as { data: object }).data)
  })
})
