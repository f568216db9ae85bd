import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/base/sql.ts'
import { ON_EMBEDDED } from '../support/engine.ts'
import { openTemplateCopy } from '../support/template.ts'

/* On the embedded engine all work takes turns; PostgreSQL has separate connections for urgent work. */

test(
  'urgent work goes first, but however much there is of it, others get one of five turns',
  ON_EMBEDDED,
  async () => {
    // One of its own: others would have turns in between.
    const { engine, drop } = await openTemplateCopy(undefined)
    const urgent = engine.reserved({ reported: (error) => error })
    const order: string[] = []
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const holding = engine.db.transaction(() => held)
    const waiting = (name: string, db: typeof urgent) =>
      db.query(sql`select`).then(() => {
        order.push(name)
      })
    const others = ['first', 'second'].map((name) => waiting(name, engine.db))
    const crowd = Array.from({ length: 12 }, () => waiting('urgent', urgent))
    release()
    await Promise.all([holding, ...others, ...crowd])
    const run = Array(4).fill('urgent')
    await engine.close()
    await drop()
    assert.deepEqual(order, [...run, 'first', ...run, 'second', ...run])
  },
)
