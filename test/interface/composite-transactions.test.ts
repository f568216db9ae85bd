import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fetchNames } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { fetchResults, post, ROLLED_BACK, statusesOf, step } from '../support/composite.ts'
import { createUser } from '../support/create-user.ts'
import { onPostgres, WITH_DATABASE_TRIGGERS } from '../support/engine.ts'
import { attempts, letFail, OTHER_FAILURE, SERIALIZATION_FAILURE } from '../support/failing-table.sql.ts'
import { isWaiting, whileAccountIsLocked } from '../support/locked-account.sql.ts'
import { type Answer, openOrg, type TestOrg } from '../support/org.ts'
import { until } from '../support/until.ts'

let o: TestOrg

before(async () => {
  o = await openOrg()
})

const create = (Name: string) => step('POST', '/sobjects/Account', { Name })
const accounts = (prefix: string) => fetchNames(o, `Account WHERE Name LIKE '${prefix}%' ORDER BY Name`)
const STEPS = [create('fail'), create('fellow')]
const LOCKED = 'unable to obtain exclusive access to this record'

describe('an atomic composite that runs into locks of other calls', WITH_DATABASE_TRIGGERS, () => {
  test('is retried as a whole, and nothing is there twice', async () => {
    await letFail(o, 'account', { code: SERIALIZATION_FAILURE, at: 'write', times: 3 })
    const results = await fetchResults(o, [create('fellow before'), ...STEPS], { allOrNone: true })
    assert.deepEqual(statusesOf(results), [201, 201, 201])
    assert.equal(await attempts(o), 4)
    assert.deepEqual(await accounts('f'), ['fail', 'fellow', 'fellow before'])
  })

  test('is refused with UNABLE_TO_LOCK_ROW when that happens nine times', async () => {
    await letFail(o, 'account', { code: SERIALIZATION_FAILURE, at: 'write', times: 9 })
    const [failed, other] = await fetchResults(o, STEPS, { allOrNone: true })
    assert.deepEqual(failed!.body, [{ message: LOCKED, errorCode: 'UNABLE_TO_LOCK_ROW', fields: [] }])
    const { referenceId, ...rest } = other!
    assert.deepEqual(rest, ROLLED_BACK)
    assert.equal(await attempts(o), 9)
  })

  test('is tried again too when only the commit fails', async () => {
    await letFail(o, 'account', { code: SERIALIZATION_FAILURE, at: 'commit', times: 2 })
    const results = await fetchResults(o, STEPS, { allOrNone: true })
    assert.deepEqual(statusesOf(results), [201, 201])
    assert.equal(await attempts(o), 3)
    await letFail(o, 'account', { code: SERIALIZATION_FAILURE, at: 'commit', times: 9 })
    assertRefused(await post(o, STEPS, { allOrNone: true }), 400, 'UNABLE_TO_LOCK_ROW', LOCKED)
    assert.equal(await attempts(o), 9)
  })
})

describe('a commit that fails', WITH_DATABASE_TRIGGERS, () => {
  const UNEXPECTED = /^An unexpected error occurred\./

  test('is never answered with success, and is not tried again', async () => {
    const found = await accounts('fel')
    await letFail(o, 'account', { code: OTHER_FAILURE, at: 'commit', times: 1 })
    assertRefused(await post(o, STEPS, { allOrNone: true }), 500, 'UNKNOWN_EXCEPTION', UNEXPECTED)
    assert.equal(await attempts(o), 1)
    assert.deepEqual(await accounts('fel'), found)
  })

  test('is the failure of its graph only', async () => {
    await letFail(o, 'account', { code: OTHER_FAILURE, at: 'commit', times: 1 })
    const graph = (graphId: string, name: string) => ({
      graphId,
      compositeRequest: [{ ...create(name), referenceId: 'a' }],
    })
    const body = { graphs: [graph('1', 'graph-1'), graph('2', 'fail'), graph('3', 'graph-3')] }
    const { graphs } = (await o.call('POST', '/composite/graph', { body })).body
    assert.deepEqual(
      graphs.map(({ isSuccessful }: { isSuccessful: boolean }) => isSuccessful),
      [true, false, true],
    )
    const [result] = graphs[1].graphResponse.compositeResponse
    assert.deepEqual([result.httpStatusCode, result.body[0].errorCode], [500, 'UNKNOWN_EXCEPTION'])
    assert.deepEqual(await accounts('graph-'), ['graph-1', 'graph-3'])
  })
})

describe('atomic composites at the same time', () => {
  test('leave what one after the other would: increments under If-Match get lost for nobody', async () => {
    const id = await o.create('Account', { Name: 'counter', NumberOfEmployees: 0 })
    const path = `/sobjects/Account/${id}`
    let successes = 0
    const client = async () => {
      for (let round = 0; round < 6; round++) {
        const { body, headers } = await o.call('GET', path)
        const update = step('PATCH', path, { NumberOfEmployees: body.NumberOfEmployees + 1 })
        const httpHeaders = { 'If-Match': headers.etag }
        const results = await fetchResults(o, [{ ...update, httpHeaders }, create('tick')], {
          allOrNone: true,
        })
        if (results[1]!.httpStatusCode === 201) successes++
        else assert.equal(results[0]!.httpStatusCode, 412)
      }
    }
    await Promise.all(Array.from({ length: 6 }, client))
    assert.equal((await o.call('GET', path)).body.NumberOfEmployees, successes)
    assert.equal((await accounts('tick')).length, successes)
    assert.ok(successes >= 6)
  })

  test('that change two records in opposite order all succeed, and both records agree', {
    skip: !onPostgres && 'the embedded engine has one connection',
  }, async () => {
    const ids = [await o.create('Account', { Name: 'left' }), await o.create('Account', { Name: 'right' })]
    const write = (order: readonly string[], Site: string) =>
      post(
        o,
        order.map((id) => step('PATCH', `/sobjects/Account/${id}`, { Site })),
        { allOrNone: true },
      )
    for (let round = 0; round < 8; round++) {
      const calls: Promise<Answer>[] = []
      for (let i = 0; i < 3; i++) {
        calls.push(write(ids, `there ${round} ${i}`), write([...ids].reverse(), `back ${round} ${i}`))
      }
      const done = new Set<string>()
      for (const [i, answer] of (await Promise.all(calls)).entries()) {
        assert.equal(answer.status, 200, answer.text)
        const [first, second] = answer.body.compositeResponse
        assert.deepEqual([first.httpStatusCode, second.httpStatusCode], [204, 204], answer.text)
        done.add(`${i % 2 ? 'back' : 'there'} ${round} ${Math.floor(i / 2)}`)
      }
      const sites = await Promise.all(
        ids.map(async (id) => (await o.call('GET', `/sobjects/Account/${id}`)).body.Site),
      )
      assert.equal(sites[0], sites[1])
      assert.ok(done.has(sites[0]))
    }
  })
})

describe('a transaction that ends the access of a user, and waits for a record', {
  skip: !onPostgres && 'the embedded engine has one connection',
}, () => {
  test('keeps no change of another user waiting', async () => {
    const [waits, other] = [await createUser(o, 'waits'), await createUser(o, 'other')]
    const id = await o.create('Account', { Name: 'locked' })
    const userPath = (user: string) => `/sobjects/User/${user}`
    let composite: Promise<Answer> | undefined
    await whileAccountIsLocked(o, id, async () => {
      const steps = [
        step('PATCH', userPath(waits), { IsActive: false }),
        step('POST', '/sobjects/Contact', { LastName: 'waits', AccountId: id }),
      ]
      composite = post(o, steps, { allOrNone: true })
      await until(() => isWaiting(o))
      const { status } = await o.call('PATCH', userPath(other), { body: { IsActive: false } })
      assert.equal(status, 204)
    })
    assert.deepEqual(statusesOf((await composite!).body.compositeResponse), [204, 201])
  })
})
