import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { assertRefused } from '../support/assert-refused.ts'
import { makeAnswer, openOrg, type TestOrg } from '../support/org.ts'

/* Long calls: an injected latency makes them so on every engine. */

const REFUSED = 'ConcurrentRequests (Concurrent API Requests) Limit exceeded.'

/** More of them keep new calls out in a developer edition. */
const MAX = 5

const LATENCY = 6000

describe('more than five long calls', () => {
  let o: TestOrg
  let other: TestOrg
  const settings = { allowFaults: 'headers', longCallSeconds: '1', edition: 'developer' }
  const slow = () => o.call('GET', '/sobjects/Account', { headers: { 'svc-fault': `latency=${LATENCY}` } })

  before(async () => {
    o = await openOrg({ settings })
    other = await openOrg({ settings })
  })

  /** A call of the org at another server. */
  const elsewhere = async () =>
    makeAnswer(
      await other.server.inject({
        method: 'GET',
        url: '/services/data/v64.0/limits',
        headers: { authorization: `Bearer ${o.token}` },
      }),
    )

  test('refuse new calls at every server until one of them has ended, and refused calls are not counted', async () => {
    const five = Array.from({ length: MAX }, slow)
    await sleep(1200)
    const before = await o.call('GET', '/limits')
    assert.equal(before.status, 200)
    const sixth = slow()
    // The first five have ended, so others were never refused.
    assert.deepEqual(new Set((await Promise.all(five)).map(({ status }) => status)), new Set([200]))
    assert.equal((await sixth).status, 200)

    const six = Array.from({ length: MAX + 1 }, slow)
    await sleep(3000)
    assertRefused(await o.call('GET', '/limits'), 403, 'REQUEST_LIMIT_EXCEEDED', REFUSED)
    assertRefused(await elsewhere(), 403, 'REQUEST_LIMIT_EXCEEDED', REFUSED)
    assert.equal((await other.call('GET', '/limits')).status, 200)
    const neighbour = { authorization: `Bearer ${other.token}` }
    assert.equal((await o.call('GET', '/limits', { headers: neighbour })).status, 200)
    await Promise.all(six)
    const after = await o.call('GET', '/limits')
    const used = ({ headers }: typeof after) => Number(/=(\d+)/.exec(String(headers['svc-limit-info']))![1])
    assert.equal(used(after) - used(before), 1 + six.length + 1)
  })

  test('are refused as a fault of that name is', async () => {
    const injected = await o.call('GET', '/limits', { headers: { 'svc-fault': 'limit=concurrent' } })
    assertRefused(injected, 403, 'REQUEST_LIMIT_EXCEEDED', REFUSED)
  })
})

test('a call whose time is up while it waits is answered with 503', async () => {
  const o = await openOrg({ settings: { allowFaults: 'headers', callSeconds: '1' } })
  const answer = await o.call('GET', '/sobjects/Account', { headers: { 'svc-fault': 'latency=60000' } })
  const message = 'Your request was running for too long, and has been stopped.'
  assertRefused(answer, 503, 'REQUEST_RUNNING_TOO_LONG', message)
})
