import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { canNestIn, type Route } from '../../src/calls/route.ts'
import { ROUTES } from '../../src/resources/routes.ts'
import { type Answer, openOrg, type TestOrg } from '../support/org.ts'

/* A user who may not do something by a call may not do it by the same call inside another one: every route, every API. */

let o: TestOrg
let readOnlyId: string

before(async () => {
  o = await openOrg()
  readOnlyId = (await o.call('GET', '/query?q=SELECT+Id+FROM+Organization')).body.records[0].Id
})

/** Objects that a client may not write, one that is not there, and what is in no way right. */
const VARIANTS = ['Organization', 'GroupMember', 'Nothing__c', 'Account'] as const

const fill = ({ path }: Route, object: string) =>
  path
    .replace(':object', object)
    .replace(':id', object === 'Organization' ? readOnlyId : 'no-id')
    .replace(':key', 'Nothing__c')
    .replace(':value', 'x')
    .replace(':locator', 'no-locator')

const bodyFor = ({ method }: Route) =>
  method === 'GET' || method === 'DELETE' ? undefined : { Nothing__c: 1 }

/** Places in the body are others inside another body. */
const comparable = (body: unknown) => JSON.stringify(body ?? null).replaceAll(/\[line:\d+, column:\d+\]/g, '')

interface Reported {
  readonly status: number
  readonly body: unknown
}

type Container = 'composite' | 'batch' | 'graph'

const url = (path: string) => `/services/data/v64.0${path}`

async function inside(container: Container, method: string, path: string, body: unknown): Promise<Reported> {
  const step = { method, url: url(path), referenceId: 'r', body }
  const post = (to: string, sent: object): Promise<Answer> => o.call('POST', to, { body: sent })
  if (container === 'batch') {
    const answer = await post('/composite/batch', {
      batchRequests: [{ method, url: url(path), richInput: body }],
    })
    const [{ statusCode, result }] = answer.body.results
    return { status: statusCode, body: result }
  }
  const answer =
    container === 'composite'
      ? await post('/composite', { compositeRequest: [step] })
      : await post('/composite/graph', { graphs: [{ graphId: 'g', compositeRequest: [step] }] })
  const result =
    container === 'composite'
      ? answer.body.compositeResponse?.[0]
      : answer.body.graphs?.[0]?.graphResponse.compositeResponse[0]
  // A call that is not even taken is refused as a whole.
  return result === undefined
    ? { status: answer.status, body: answer.body }
    : { status: result.httpStatusCode, body: result.body }
}

async function contents(): Promise<unknown> {
  const counts = ['Account', 'Organization', 'GroupMember'].map((name) =>
    o.call('GET', `/query?q=SELECT+COUNT()+FROM+${name}`),
  )
  return (await Promise.all(counts)).map(({ body }) => body.totalSize)
}

describe('a call that is refused by itself is refused in the same way', () => {
  for (const route of ROUTES.filter(({ kind }) => kind !== 'composite')) {
    test(`inside other calls: ${route.method} ${route.path}`, async () => {
      const before = await contents()
      for (const object of route.path.includes(':object') ? VARIANTS : ['']) {
        const [path, body] = [fill(route, object), bodyFor(route)]
        const direct = await o.call(route.method, path, { body })
        if (direct.status < 400) continue
        for (const container of ['composite', 'batch', 'graph'] as const) {
          const reported = await inside(container, route.method, path, body)
          const shown = `${container} ${route.method} ${path}: ${JSON.stringify(reported)}`
          assert.ok(reported.status >= 400, shown)
          if (container === 'graph' || !canNestIn(route.kind, container)) continue
          assert.equal(reported.status, direct.status, shown)
          assert.equal(comparable(reported.body), comparable(direct.body), shown)
        }
      }
      assert.deepEqual(await contents(), before)
    })
  }
})
