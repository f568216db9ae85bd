import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { fetchNames } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { fetchResults, named, post, statusesOf, step, V64 } from '../support/composite.ts'
import { WITH_DATABASE_TRIGGERS } from '../support/engine.ts'
import { letFail, NOT_NOW } from '../support/failing-table.sql.ts'
import { type Answer, openOrg, type TestOrg } from '../support/org.ts'

/*
 * Calls of several operations, of which the database fails some that it may carry out in a moment: whoever sends such a call
 * again as a whole must not do anything twice.
 */

let o: TestOrg
let prefix: string
let calls = 0

before(async () => {
  o = await openOrg()
})

beforeEach(async () => {
  prefix = `call ${calls++}`
  await letFail(o, 'account', { code: NOT_NOW, at: 'write', times: 1 })
})

const writable = () => step('POST', '/sobjects/Contact', { LastName: prefix })
const failing = () => step('POST', '/sobjects/Account', { Name: 'fail' })
const reading = () => step('GET', '/query?q=SELECT+Id+FROM+Contact+LIMIT+1')

async function contacts(): Promise<number> {
  const { body } = await o.call('GET', `/query?q=SELECT+Id+FROM+Contact+WHERE+LastName='${prefix}'`)
  return body.totalSize
}

/** It failed as a whole, may be sent again, and left nothing. */
async function assertNothingDone(answer: Answer): Promise<void> {
  assertRefused(answer, 503, 'SERVER_UNAVAILABLE', 'The disk of the database is full: nothing was written.')
  assert.equal(answer.headers['retry-after'], '1')
  assert.equal(await contacts(), 0)
  assert.deepEqual(await fetchNames(o, "Account WHERE Name = 'fail'"), [])
}

describe('a composite', WITH_DATABASE_TRIGGERS, () => {
  test('fails as a whole when none of its steps has written anything', async () => {
    await assertNothingDone(await post(o, [reading(), failing()]))
  })

  test('that is all or none fails as a whole', async () => {
    await assertNothingDone(await post(o, [writable(), failing(), writable()], { allOrNone: true }))
  })

  test('tells in its steps what was not done when another one has written something', async () => {
    const results = await fetchResults(o, [writable(), failing(), writable()])
    assert.deepEqual(statusesOf(results), [201, 503, 201])
    assert.equal(results[1]!.body[0].errorCode, 'SERVER_UNAVAILABLE')
    assert.equal(await contacts(), 2)
  })
})

describe('a batch', WITH_DATABASE_TRIGGERS, () => {
  const send = (steps: readonly ReturnType<typeof step>[]) =>
    o.call('POST', '/composite/batch', {
      body: {
        batchRequests: steps.map(({ method, url, body }) => ({
          method,
          url: url.replace('/services/data/', ''),
          richInput: body,
        })),
      },
    })

  test('fails as a whole when none of its operations has written anything', async () => {
    await assertNothingDone(await send([reading(), failing()]))
  })

  test('tells in its results what was not done when another one has written something', async () => {
    const { status, body } = await send([failing(), writable()])
    assert.equal(status, 200)
    assert.equal(body.hasErrors, true)
    assert.deepEqual(
      body.results.map(({ statusCode }: { statusCode: number }) => statusCode),
      [503, 201],
    )
    assert.equal(await contacts(), 1)
  })
})

describe('a composite graph', WITH_DATABASE_TRIGGERS, () => {
  const send = (graphs: readonly (readonly ReturnType<typeof step>[])[]) =>
    o.call('POST', '/composite/graph', {
      body: {
        graphs: graphs.map((steps, index) => ({ graphId: `g${index}`, compositeRequest: named(steps) })),
      },
    })

  test('fails as a whole when none of the graphs is there', async () => {
    await assertNothingDone(await send([[writable(), failing()]]))
  })

  test('tells which graphs are there when another one is not', async () => {
    const { status, body } = await send([[writable()], [writable(), failing()]])
    assert.equal(status, 200)
    assert.deepEqual(
      body.graphs.map(({ isSuccessful }: { isSuccessful: boolean }) => isSuccessful),
      [true, false],
    )
    assert.equal(await contacts(), 1)
  })
})

describe('a collection of records', WITH_DATABASE_TRIGGERS, () => {
  const contact = () => ({ attributes: { type: 'Contact' }, LastName: prefix })
  const account = () => ({ attributes: { type: 'Account' }, Name: 'fail' })
  const send = (records: readonly object[], allOrNone = false) =>
    o.call('POST', '/composite/sobjects', { body: { allOrNone, records } })

  test('fails as a whole when none of them was written', async () => {
    await assertNothingDone(await send([account(), contact()]))
    await letFail(o, 'account', { code: NOT_NOW, at: 'write', times: 1 })
    await assertNothingDone(await send([contact(), account()], true))
  })

  test('tells of each record what became of it when others were written', async () => {
    const { status, body } = await send([contact(), account(), contact()])
    assert.equal(status, 200)
    assert.deepEqual(
      body.map(({ success }: { success: boolean }) => success),
      [true, false, true],
    )
    assert.equal(body[1].errors[0].statusCode, 'SERVER_UNAVAILABLE')
    assert.equal(await contacts(), 2)
  })

  test('in a composite counts as something that was written', async () => {
    const results = await fetchResults(o, [
      { ...step('POST', '/composite/sobjects'), body: { records: [contact()] } },
      failing(),
    ])
    assert.deepEqual(statusesOf(results), [200, 503])
    assert.ok(results[0]!.body[0].id, V64)
  })
})
