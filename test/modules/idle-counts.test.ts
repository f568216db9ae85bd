import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { makeApiVersion } from '../../src/base/api-version.ts'
import { systemClock } from '../../src/base/clock.ts'
import { QuotaStore } from '../../src/quota/quota-store.ts'
import { openOrg } from '../support/org.ts'
import { until } from '../support/until.ts'

describe('counts of an org without calls', async () => {
  const o = await openOrg()
  const store = new QuotaStore({
    db: o.db,
    clockOf: () => systemClock,
    limit: 3,
    eventLimits: { delivered: 10, published: 10 },
    maxLongCalls: 5,
    longCalls: () => 0,
    isRunning: () => false,
    budgetOf: async () => undefined,
    idleMs: 0,
  })
  after(() => store.close())
  const count = () =>
    store.count({ org: o.org, clientId: undefined, version: makeApiVersion(64), onlyReads: false })

  test('take no memory, and go on where they were', async () => {
    await count()
    await count()
    assert.equal(await store.takeEvents(o.org, 'published', 8), 8)
    await until(() => store.size === 0)
    await count()
    await assert.rejects(async () => count(), /TotalRequests Limit exceeded/)
    assert.equal(await store.takeEvents(o.org, 'published', 8), 2)
    await until(() => store.size === 0)
  })
})
