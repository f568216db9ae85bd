import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fetchNames } from '../support/ask.ts'
import { onPostgres, WITH_DATABASE_TRIGGERS } from '../support/engine.ts'
import { letFail, OTHER_FAILURE } from '../support/failing-table.sql.ts'
import { whileAccountIsLocked } from '../support/locked-account.sql.ts'
import { makeAnswer, openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow, allowField } from '../support/people.ts'
import { countWrites, makeInsertsSlow, makeSlow } from '../support/slow-table.sql.ts'
import { SPECIMEN } from '../support/specimen-schema.ts'

/* Statements that calls share and that take long. */

/** Longer than the embedded engine gives a statement whose time is up. */
const SLOW_SECONDS = 1.3

test(
  'creates of several calls that take the database long together are all answered as alone',
  WITH_DATABASE_TRIGGERS,
  async () => {
    const o = await openOrg()
    await makeSlow(o, 'account', SLOW_SECONDS)
    const names = ['quick', 'slow', 'slow', 'slow']
    const answers = await Promise.all(
      names.map((Name) => o.call('POST', '/sobjects/Account', { body: { Name } })),
    )
    assert.deepEqual(
      answers.map(({ status }) => status),
      names.map(() => 201),
    )
  },
)

test('creates share statements where each statement takes long', {
  skip: WITH_DATABASE_TRIGGERS.skip || (!onPostgres && 'the embedded engine does not end shared statements'),
}, async () => {
  const o = await openOrg()
  await makeInsertsSlow(o, 'account', 0.4)
  const createMany = async (count: number) => {
    const answers = await Promise.all(
      Array.from({ length: count }, (_, n) =>
        o.call('POST', '/sobjects/Account', { body: { Name: `${n}` } }),
      ),
    )
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]))
  }
  await createMany(1)
  const before = await countWrites(o, 'account')
  await createMany(30)
  // The first one is alone, and some may be before all are there.
  const writes = (await countWrites(o, 'account')) - before
  assert.ok(writes <= 10, `${writes} statements for 30 records`)
})

for (const [count, seconds] of [
  [256, 0],
  [64, 0.25],
] as const) {
  test(`of ${count} creates at once of which half have one unique value, one of these is made, and each of the others (statements of ${seconds} s)`, {
    skip:
      seconds > 0 &&
      (WITH_DATABASE_TRIGGERS.skip || (!onPostgres && 'the embedded engine has one connection')),
  }, async () => {
    const o = await openOrg()
    await o.deploy([SPECIMEN])
    const people = await Promise.all(['a', 'b', 'c'].map((name) => addPerson(o, name)))
    for (const { setId } of people) await allow(o, setId, 'Specimen__c', 'Read', 'Create')
    for (const { setId } of people) await allowField(o, setId, 'Specimen__c.Key__c', 'Edit')
    if (seconds > 0) await makeInsertsSlow(o, 'specimen__c', seconds)
    const callers = [o, ...people]
    const isShared = (n: number) => Math.floor(n / callers.length) % 2 === 0
    const answers = await Promise.all(
      Array.from({ length: count }, (_, n) =>
        callers[n % callers.length]!.call('POST', '/sobjects/Specimen__c', {
          body: { Key__c: isShared(n) ? 'shared' : `own ${n}` },
        }),
      ),
    )
    const own = answers.filter((_, n) => !isShared(n))
    assert.deepEqual(new Set(own.map(({ status, text }) => (status === 201 ? 201 : text))), new Set([201]))
    const shared = answers.filter((_, n) => isShared(n))
    assert.equal(shared.filter(({ status }) => status === 201).length, 1)
    for (const { status, body } of shared)
      if (status !== 201) assert.deepEqual([status, body[0].errorCode], [400, 'DUPLICATE_VALUE'])
  })
}

test(
  'creates of several calls of which one makes the database fail are all answered as alone',
  WITH_DATABASE_TRIGGERS,
  async () => {
    const o = await openOrg()
    await letFail(o, 'account', { code: OTHER_FAILURE, at: 'write', times: 1000 })
    const names = Array.from({ length: 12 }, (_, n) => (n % 4 === 2 ? 'fail' : `good ${n}`))
    const answers = await Promise.all(
      names.map((Name) => o.call('POST', '/sobjects/Account', { body: { Name } })),
    )
    assert.deepEqual(
      answers.map(({ status }) => status),
      names.map((name) => (name === 'fail' ? 500 : 201)),
    )
    const good = names.filter((name) => name !== 'fail').sort()
    assert.deepEqual((await fetchNames(o, 'Account')).sort(), good)
  },
)

/** A change whose body arrives when the caller says so. */
function beginChange(o: TestOrg, id: string) {
  const payload = new Readable({ read() {} })
  const headers = { authorization: `Bearer ${o.token}`, 'content-type': 'application/json' }
  const url = `/services/data/v64.0/sobjects/Account/${id}`
  return {
    answer: o.server.inject({ method: 'PATCH', url, headers, payload }).then(makeAnswer),
    finish(body: object) {
      payload.push(JSON.stringify(body))
      payload.push(null)
    },
  }
}

/** Longer than the server looks for calls that ran too long after the last one has ended. */
const QUIET_MS = 600

test('a change that is answered as stopped is not made, although others shared its statement', {
  skip: !onPostgres && 'the embedded engine has one connection',
}, async () => {
  const o = await openOrg({ settings: { callSeconds: '1' } })
  const [held, other] = (await Promise.all(
    ['held', 'other'].map((Name) => o.create('Account', { Name })),
  )) as [string, string]
  await sleep(QUIET_MS)
  const late = beginChange(o, other)
  // Its time is up while the others wait.
  await sleep(850)
  const changeHeld = () => o.call('PATCH', `/sobjects/Account/${held}`, { body: { Name: 'changed' } })
  let first: Promise<unknown> | undefined
  let rest: Promise<unknown> | undefined
  await whileAccountIsLocked(o, held, async () => {
    first = changeHeld()
    await sleep(30)
    late.finish({ Name: 'changed' })
    rest = Promise.all([1, 2, 3, 4].map(changeHeld))
    await sleep(200)
  })
  const { status } = await late.answer
  await Promise.all([first, rest])
  const { body } = await o.call('GET', `/sobjects/Account/${other}?fields=Name`)
  assert.equal(body.Name, status === 503 ? 'other' : 'changed')
})
