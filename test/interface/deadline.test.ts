import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fetchNames } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { post, step } from '../support/composite.ts'
import { onPostgres } from '../support/engine.ts'
import { whileAccountIsLocked } from '../support/locked-account.sql.ts'
import { type Answer, openOrg, type TestOrg } from '../support/org.ts'
import { openPort, type RealPort } from '../support/real-port.ts'

/* Calls that wait for a record which somebody else holds for longer than a call may take. */

const OVER = 'Your request was running for too long, and has been stopped.'

/** More than the engine of the tests has connections. */
const MANY = 12

describe('a call that runs for too long', {
  skip: !onPostgres && 'the embedded engine cannot cancel a statement',
}, () => {
  let o: TestOrg
  let patient: RealPort
  let id: string
  let stopped: Answer[]
  let atomic: Answer
  let loose: Answer
  let other: Response

  before(async () => {
    o = await openOrg({ settings: { callSeconds: '1' } })
    patient = await openPort()
    id = await o.create('Account', { Name: 'held' })
    const path = `/sobjects/Account/${id}`
    const rename = (Name: string) => o.call('PATCH', path, { body: { Name } })
    const steps = (Name: string) => [
      step('POST', '/sobjects/Account', { Name }),
      step('PATCH', path, { Name }),
    ]
    // At another server, which lets a call take its time.
    let waiting: Promise<Response> | undefined
    await whileAccountIsLocked(o, id, async () => {
      waiting = fetch(`${patient.address}/services/data/v64.0${path}`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${o.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ Name: 'written by the other call' }),
      })
      const composites = Promise.all([
        post(o, steps('atomic'), { allOrNone: true }),
        post(o, steps('loose'), { allOrNone: false }),
      ])
      // They hold connections before the others take what is left.
      await sleep(200)
      stopped = await Promise.all(Array.from({ length: MANY }, (_, n) => rename(`stopped ${n}`)))
      ;[atomic, loose] = await composites
    })
    other = (await waiting)!
  })
  after(() => patient?.close())

  test('is answered with 503, also when it waits for a connection', () => {
    for (const answer of stopped) assertRefused(answer, 503, 'REQUEST_RUNNING_TOO_LONG', OVER)
  })

  test('has failed as a whole when it is a composite of which nothing stays; else its steps tell', async () => {
    assertRefused(atomic, 503, 'REQUEST_RUNNING_TOO_LONG', OVER)
    assert.equal(loose.status, 200)
    const [created, stopped] = loose.body.compositeResponse
    assert.equal(created.httpStatusCode, 201)
    assert.deepEqual([stopped.httpStatusCode, stopped.body[0].errorCode], [503, 'REQUEST_RUNNING_TOO_LONG'])
    assert.deepEqual(await fetchNames(o, "Account WHERE Name IN ('atomic', 'loose')"), ['loose'])
  })

  test('takes no other call with it, and has written nothing', async () => {
    assert.equal(other.status, 204)
    const { body } = await o.call('GET', `/sobjects/Account/${id}`)
    assert.equal(body.Name, 'written by the other call')
  })

  test('leaves connections that others can use', async () => {
    const answers = await Promise.all(
      Array.from({ length: MANY }, (_, n) =>
        o.call('PATCH', `/sobjects/Account/${id}`, { body: { Site: `${n}` } }),
      ),
    )
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([204]))
  })

  test('is no longer running when it is answered', () => {
    assert.equal(o.services.running.has(o.org.id), false)
  })
})
