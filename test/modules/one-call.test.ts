import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { systemClock } from '../../src/base/clock.ts'
import type { Observation } from '../../src/base/observation.ts'
import { readConfig } from '../../src/config/config.ts'
import { makeServer } from '../../src/http/endpoints.ts'
import { makeServices } from '../../src/server/assemble.ts'
import { sharedEngine } from '../support/engine.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { SECRETS } from '../support/secrets.ts'

let o: TestOrg
let send: (method: 'GET' | 'POST', path: string, body?: object) => Promise<number>
const observed: Observation[] = []
let usage = 0
let usedBefore = 0

before(async () => {
  o = await openOrg()
  const engine = await sharedEngine()
  const observe = (observation: Observation) => observed.push(observation)
  const server = makeServer(makeServices(engine, readConfig({}, {}), systemClock, observe, SECRETS))
  send = async (method, path, body) => {
    const headers = { authorization: `Bearer ${o.token}`, 'content-type': 'application/json' }
    const { statusCode, headers: reported } = await server.inject({
      method,
      url: `/services/data${path}`,
      headers,
      ...(body !== undefined && { payload: body }),
    })
    usage = Number(/^api-usage=(\d+)\//.exec(String(reported['svc-limit-info']))?.[1] ?? usage)
    return statusCode
  }
})

beforeEach(() => {
  observed.length = 0
  usedBefore = usage
})

/** Calls since the test began, by the header of the last answer. */
const calls = () => usage - usedBefore
const operations = () => observed.filter(({ kind }) => kind === 'operation').length

const url = '/services/data/v64.0/sobjects/Account'
const creates = Array.from({ length: 25 }, (_, n) => ({
  method: 'POST',
  url,
  referenceId: `r${n}`,
  body: { Name: 'x' },
}))
const record = { attributes: { type: 'Account', referenceId: 'r' }, Name: 'x' }

describe('one call is counted', () => {
  test('for a composite, however many steps it has', async () => {
    assert.equal(await send('POST', '/v64.0/composite', { compositeRequest: creates }), 200)
    assert.equal(calls(), 1)
    // Each step is an operation, and so is the composite itself.
    assert.equal(operations(), 26)
  })

  for (const [what, path, body] of [
    [
      'a batch',
      '/v64.0/composite/batch',
      {
        batchRequests: [
          { method: 'GET', url: 'v64.0/sobjects' },
          { method: 'GET', url: 'v64.0/sobjects' },
        ],
      },
    ],
    ['a graph', '/v64.0/composite/graph', { graphs: [{ graphId: 'g', compositeRequest: creates }] }],
    ['a collection', '/v64.0/composite/sobjects', { records: [record, record] }],
    ['an object tree', '/v64.0/composite/tree/Account', { records: [record] }],
  ] as const) {
    test(`for ${what}`, async () => {
      assert.ok((await send('POST', path, body)) < 300)
      assert.equal(calls(), 1)
    })
  }

  test('for a call that fails, and none for the version list', async () => {
    assert.equal(await send('GET', '/v64.0/nothing'), 404)
    assert.equal(calls(), 1)
    assert.equal(await send('GET', '/'), 200)
    assert.equal(calls(), 1)
  })
})
