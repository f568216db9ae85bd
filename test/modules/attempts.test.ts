import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type AttemptLimits, passwordRules } from '../../src/auth/attempts/attempt-rules.ts'
import { type Attempt, Attempts } from '../../src/auth/attempts/attempts.ts'
import { sql } from '../../src/base/sql.ts'
import type { Db } from '../../src/storage/database/db.ts'
import { openEngine } from '../../src/storage/open-engine.ts'
import { sharedEngine } from '../support/engine.ts'
import { thisSecond } from '../support/this-second.ts'

/* Attempts that are counted in the database, where the API shows too little of it. */

let db: Db
let now = thisSecond()
const clock = () => now

before(async () => {
  db = (await sharedEngine()).db
})

const rule = (scope: string, address = '192.0.2.1', max = 3) => ({ scope, address, max, seconds: 60 })

async function wrong(attempts: Attempts, rules: Parameters<Attempts['begin']>[0]): Promise<number> {
  const attempt = await attempts.begin(rules)
  await attempt.end(true)
  return attempt.wait
}

const countRows = async (scope: string) =>
  (await db.query(sql`select from objectry.attempt where scope = ${scope}`)).length

describe('attempts', () => {
  test('count over all processes, and the last one that is allowed begins the wait', async () => {
    const [one, other] = [new Attempts(db, clock), new Attempts(db, clock)]
    const rules = [rule('together')]
    assert.deepEqual([await wrong(one, rules), await wrong(other, rules)], [0, 0])
    now = new Date(now.getTime() + 50_000)
    assert.deepEqual([await wrong(one, rules), await wrong(other, rules)], [0, 60])
    now = new Date(now.getTime() + 60_000)
    assert.equal(await wrong(other, rules), 0)
  })

  test('that one rule refuses count toward no other', async () => {
    const attempts = new Attempts(db, clock)
    const [narrow, wide] = [rule('narrow'), rule('wide', '', 5)]
    for (let i = 0; i < 20; i++) await wrong(attempts, [narrow, wide])
    assert.equal(await wrong(attempts, [wide]), 0)
    assert.equal(await wrong(attempts, [wide]), 0)
    assert.equal(await wrong(attempts, [wide]), 60)
  })

  test('from one address, however long, lock a user at no other one', async () => {
    const attempts = new Attempts(db, clock)
    const org = { id: '00DOB0000000001AAA', schemaName: 'org', name: 'Org' }
    const rulesAt = (address: string) =>
      passwordRules({ passwordErrors: 10 } as AttemptLimits, org, 'guessed', { address, isKnown: false })
    for (let minute = 0; minute < 3 * 60; minute += 15) {
      for (let i = 0; i < 40; i++) await wrong(attempts, rulesAt('198.51.100.1'))
      const right = await attempts.begin(rulesAt('203.0.113.9'))
      await right.end(false)
      assert.equal(right.wait, 0, `after ${minute} minutes`)
      now = new Date(now.getTime() + 15 * 60_000)
    }
  })

  test('that begin and do not end keep others waiting, until they do', async () => {
    const attempts = new Attempts(db, clock)
    const rules = [rule('slow', '192.0.2.1', 100)]
    const begun: Attempt[] = []
    for (let i = 0; i < 4; i++) begun.push(await attempts.begin(rules))
    let isFifthIn = false
    const fifth = attempts.begin(rules).then(async (attempt) => {
      isFifthIn = true
      await attempt.end(false)
    })
    // Another address has turns of its own.
    await (await attempts.begin([rule('slow', '192.0.2.2', 100)])).end(false)
    assert.equal(isFifthIn, false)
    for (const attempt of begun) await attempt.end(false)
    await fifth
    assert.equal(isFifthIn, true)
  })

  test('are swept when they are over', async () => {
    const attempts = new Attempts(db, clock)
    await wrong(attempts, [rule('swept')])
    assert.equal(await countRows('swept'), 1)
    now = new Date(now.getTime() + 61_000)
    await wrong(attempts, [rule('sweeper')])
    for (let i = 0; i < 100 && (await countRows('swept')) > 0; i++)
      await wrong(attempts, [rule(`other ${i}`)])
    assert.equal(await countRows('swept'), 0)
  })

  test('are counted by the process alone when the database fails: nobody is let in for ever or kept out', async () => {
    const reported: string[] = []
    const closed = await openEngine({ databaseUrl: undefined, data: 'memory', poolSize: 1 })
    await closed.close()
    const attempts = new Attempts(closed.db, clock, (observation) => {
      if (observation.kind === 'notice') reported.push(observation.message)
    })
    const rules = [rule('alone'), rule('alone', '', 100)]
    for (let i = 0; i < 10; i++) await (await attempts.begin(rules)).end(false)
    const waits = [await wrong(attempts, rules), await wrong(attempts, rules), await wrong(attempts, rules)]
    assert.deepEqual(waits, [0, 0, 0])
    assert.equal(await wrong(attempts, rules), 60)
    now = new Date(now.getTime() + 60_000)
    assert.equal(await wrong(attempts, rules), 0)
    assert.equal(reported.length, 1)
    assert.match(reported[0]!, /^Attempts are counted by this process only: /)
  })
})
