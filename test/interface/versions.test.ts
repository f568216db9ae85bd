import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { queryPath } from '../support/ask.ts'
import { assertRefused, NO_RESOURCE } from '../support/assert-refused.ts'
import { createJob, untilOver } from '../support/bulk.ts'
import { sendDocument } from '../support/graphql.ts'
import { makeAnswer, openOrg, type TestOrg } from '../support/org.ts'
import { SPECIMEN } from '../support/specimen-schema.ts'

let org: TestOrg

before(async () => {
  org = await openOrg({ settings: { versions: '28-31,42,64-66', retiredVersions: '7-30' } })
})

const anonymous = async (url: string, method = 'GET') =>
  makeAnswer(await org.server.inject({ method: method as 'GET', url }))

describe('the version list', () => {
  test('has the living versions, oldest first, and needs no token', async () => {
    for (const path of ['/services/data', '/services/data/', '//services/data/']) {
      const { status, body } = await anonymous(path)
      assert.equal(status, 200)
      assert.deepEqual(body, [
        { label: "Summer '14", url: '/services/data/v31.0', version: '31.0' },
        { label: "Spring '18", url: '/services/data/v42.0', version: '42.0' },
        { label: "Summer '25", url: '/services/data/v64.0', version: '64.0' },
        { label: "Winter '26", url: '/services/data/v65.0', version: '65.0' },
        { label: "Spring '26", url: '/services/data/v66.0', version: '66.0' },
      ])
    }
  })

  test('is read only', async () => {
    assert.deepEqual(
      [(await anonymous('/services/data', 'HEAD')).status, (await anonymous('/services/data', 'HEAD')).text],
      [200, ''],
    )
    for (const method of ['POST', 'PATCH', 'PUT', 'DELETE']) {
      const answer = await anonymous('/services/data', method)
      const message = `HTTP Method '${method}' not allowed. Allowed are GET,HEAD`
      assertRefused(answer, 405, 'METHOD_NOT_ALLOWED', message)
      assert.equal(answer.headers.allow, 'GET, HEAD')
    }
  })
})

describe('the resource map of a version', () => {
  test('is flat, every value is an address as text, and identity is an absolute one', async () => {
    for (const path of ['/services/data/v64.0', '/services/data/v64.0/']) {
      const { status, body } = await org.call('GET', path)
      assert.equal(status, 200)
      for (const value of Object.values(body)) assert.equal(typeof value, 'string')
      assert.equal(body.sobjects, '/services/data/v64.0/sobjects')
      assert.equal(body.query, '/services/data/v64.0/query')
      assert.match(body.identity, new RegExp(`^https?://.+/id/${org.org.id}/${org.userId}$`))
    }
  })

  test('lists only what there is', async () => {
    const { body } = await org.call('GET', '/services/data/v64.0')
    const { identity, ...resources } = body
    for (const path of Object.values(resources)) {
      const answer = await org.call('GET', String(path))
      assert.notEqual(answer.status, 404, String(path))
    }
  })
})

describe('the version in a path', () => {
  const read = (version: string) =>
    org.call('GET', `/services/data/${version}/sobjects/User/${org.userId}?fields=Id`)

  test('is any that is served, or latest for the newest, whose number is in the addresses', async () => {
    for (const [requested, answered] of [
      ['v31.0', 'v31.0'],
      ['v42.0', 'v42.0'],
      ['v66.0', 'v66.0'],
      ['latest', 'v66.0'],
    ] as const) {
      const { status, body } = await read(requested)
      assert.equal(status, 200)
      assert.equal(body.attributes.url, `/services/data/${answered}/sobjects/User/${org.userId}`)
    }
    assert.equal((await org.call('GET', '/services/data/latest')).body.query, '/services/data/v66.0/query')
  })

  test('that is retired answers 410 GONE, even if it is among the served ones', async () => {
    for (const number of [7, 28, 30]) {
      const message = `The requested API version is retired: v${number}.0`
      assertRefused(await read(`v${number}.0`), 410, 'GONE', message)
      assertRefused(await anonymous(`/services/data/v${number}.0/anything`), 410, 'GONE', message)
    }
  })

  test('that never was, is not served or is malformed answers 404', async () => {
    for (const version of [
      'v999.0',
      'v67.0',
      'v41.0',
      'v6.0',
      '64',
      '64.0',
      'v64',
      'v64.1',
      'v064.0',
      'v64.0x',
      'vABC',
      'v-1.0',
      'V64.0',
      'Latest',
    ]) {
      assertRefused(await read(version), 404, 'NOT_FOUND', NO_RESOURCE)
    }
  })
})

// docs/reference/api/limits-and-versions.md#differences-by-version
describe('what a version brought is there from it on, and not in the version before', () => {
  let o: TestOrg
  let account: string

  before(async () => {
    o = await openOrg()
    await o.deploy([SPECIMEN])
    await o.create('Specimen__c', { Key__c: 'there' })
    account = await o.create('Account', { Name: 'Acme' })
  })

  const call = (version: number, method: string, path: string, body?: unknown) =>
    o.call(method, `/services/data/v${version}.0${path}`, { body })
  const isThere = async (version: number, method: string, path: string, body?: unknown) =>
    (await call(version, method, path, body)).status !== 404
  const answers = async (version: number, query: string) =>
    (await call(version, 'GET', queryPath(query))).status === 200
  const knows = async (version: number, document: string) =>
    (await sendDocument(o, document, { version })).errors.length === 0
  const runSteps = (version: number, ...steps: readonly object[]) =>
    call(version, 'POST', '/composite', { compositeRequest: steps })
  const readPhone = (referenceId: string) => ({
    method: 'GET',
    url: `/services/data/v64.0/sobjects/Account/${account}?fields=Phone`,
    referenceId,
  })
  /** The names of columns in the result of a query that selects them in this order. */
  const columnsOf = async (version: number) => {
    const job = { operation: 'query', query: 'SELECT Name, Id FROM Account' }
    const { id } = (await call(version, 'POST', '/jobs/query', job)).body
    await untilOver(o, id, 'query')
    return (await o.call('GET', `/jobs/query/${id}/results`)).text.split('\n')[0]
  }
  const bulkQuery = { operation: 'query', query: 'SELECT Id FROM Account' }
  const collection = { records: [{ attributes: { type: 'Specimen__c' }, Key__c: 'there' }] }

  for (const [version, what, has] of [
    [34, 'batches', (at) => isThere(at, 'POST', '/composite/batch', {})],
    [36, 'parameterized search', (at) => isThere(at, 'GET', '/parameterizedSearch?q=acme')],
    [
      37,
      'an envelope around what a search finds',
      async (at) => !Array.isArray((await call(at, 'GET', '/search?q=FIND+%7Bacme%7D')).body),
    ],
    [
      39,
      'errors of events that name the end',
      async (at) => {
        const event = { Subject: 'x', StartDateTime: '2026-01-01T00:00:00Z' }
        return (await call(at, 'POST', '/sobjects/Event', event)).body[0].fields.includes('EndDateTime')
      },
    ],
    [41, 'bulk ingest', (at) => isThere(at, 'GET', '/jobs/ingest')],
    [42, 'collections', (at) => isThere(at, 'POST', '/composite/sobjects', {})],
    [
      46,
      'upserts of collections',
      (at) => isThere(at, 'PATCH', '/composite/sobjects/Specimen__c/Key__c', collection),
    ],
    [
      46,
      'bodies of upserts that update',
      async (at) => (await call(at, 'PATCH', '/sobjects/Specimen__c/Key__c/there', {})).status === 200,
    ],
    [46, 'TYPEOF', (at) => answers(at, 'SELECT TYPEOF Who WHEN Contact THEN LastName END FROM Task')],
    [47, 'bulk queries', (at) => isThere(at, 'POST', '/jobs/query', bulkQuery)],
    [
      48,
      'the entitlement of events among the limits',
      async (at) => 'MonthlyPlatformEventsUsageEntitlement' in (await call(at, 'GET', '/limits')).body,
    ],
    [
      49,
      'the batches of bulk jobs among the limits',
      async (at) => 'DailyBulkApiBatches' in (await call(at, 'GET', '/limits')).body,
    ],
    [50, 'graphs', (at) => isThere(at, 'POST', '/composite/graph', {})],
    [50, 'columns of bulk queries as selected', async (at) => (await columnsOf(at)) === '"Name","Id"'],
    [51, 'FIELDS(ALL)', (at) => answers(at, 'SELECT FIELDS(ALL) FROM Account LIMIT 1')],
    [52, 'checks of reference ids', async (at) => (await runSteps(at, readPhone('a-b'))).status === 400],
    [
      52,
      'references to null',
      async (at) => {
        const body = { Name: 'x', Phone: '@{a.Phone}' }
        const create = {
          method: 'POST',
          url: '/services/data/v64.0/sobjects/Account',
          referenceId: 'b',
          body,
        }
        const { compositeResponse } = (await runSteps(at, readPhone('a'), create)).body
        return compositeResponse[1].httpStatusCode === 201
      },
    ],
    [56, 'GraphQL', (at) => isThere(at, 'POST', '/graphql', { query: '{ __typename }' })],
    [
      58,
      'nested child queries',
      (at) => answers(at, 'SELECT Id, (SELECT Id, (SELECT Id FROM Cases) FROM Contacts) FROM Account'),
    ],
    [
      58,
      'parallel pages of bulk queries',
      async (at) => {
        const { id } = await createJob(o, bulkQuery, 'query')
        return isThere(at, 'GET', `/jobs/query/${id}/resultPages`)
      },
    ],
    [58, 'aggregates in GraphQL', (at) => knows(at, '{ uiapi { aggregate { Account { totalCount } } } }')],
    [
      59,
      'upperBound in GraphQL',
      (at) => knows(at, '{ uiapi { query { Account(first: 200, upperBound: 400) { totalCount } } } }'),
    ],
    [
      59,
      'compound fields in GraphQL',
      (at) =>
        knows(at, '{ uiapi { query { Account { edges { node { BillingAddress { city { value } } } } } } } }'),
    ],
    [
      59,
      'mutations in GraphQL',
      async (at) => {
        const document = '{ __schema { mutationType { name } } }'
        return (await sendDocument(o, document, { version: at })).data.__schema.mutationType !== null
      },
    ],
    [
      65,
      'optional fields in GraphQL',
      (at) => knows(at, '{ uiapi { query { Account { edges { node { Nope @optional { value } } } } } } }'),
    ],
    [
      65,
      'picklist values in GraphQL',
      (at) => knows(at, '{ uiapi { objectInfos(objectInfoInputs: [{apiName: "Account"}]) { ApiName } } }'),
    ],
  ] satisfies [number, string, (version: number) => Promise<boolean>][]) {
    test(`${version}.0: ${what}`, async () => {
      assert.deepEqual([await has(version - 1), await has(version)], [false, true])
    })
  }
})
