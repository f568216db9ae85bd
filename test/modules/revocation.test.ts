import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { hashToken } from '../../src/auth/oauth/token-text.ts'
import { revokeClient, revokeFamily, revokeOrg, revokeSession } from '../../src/auth/tokens/revoke.ts'
import { Sessions } from '../../src/auth/tokens/sessions.ts'
import { systemClock } from '../../src/base/clock.ts'
import { sql } from '../../src/base/sql.ts'
import type { Db } from '../../src/storage/database/db.ts'
import { openOrg, type TestOrg } from '../support/org.ts'

/* Two processes know a token; one of them takes it away. Each has sessions of its own and nothing else in common. */

/** A database that counts its queries. */
function counted(db: Db): { db: Db; requested: () => number } {
  let count = 0
  const query: Db['query'] = (statement) => {
    count++
    return db.query(statement)
  }
  return { db: { ...db, query, afterCommit: (task) => db.afterCommit(task) }, requested: () => count }
}

const given = ({ org, userId, clientId }: TestOrg) => ({
  ...{ org, userId, clientId, scopes: ['api'], grantType: 'test', family: `family-${org.id}` },
})

describe('a token that one process takes away', () => {
  for (const [what, take] of [
    ['itself', (o: TestOrg, token: string) => revokeSession(o.db, hashToken(token))],
    ['with its family', (o: TestOrg) => revokeFamily(o.db, { ...o, family: `family-${o.org.id}` })],
    ['with its app', (o: TestOrg) => revokeClient(o.db, o.org, o.clientId)],
    ['with its org', (o: TestOrg) => revokeOrg(o.db, o.org)],
  ] as const) {
    test(`${what} is refused by the other one within a second`, async () => {
      const o = await openOrg()
      const [one, other] = [
        new Sessions(o.db, () => systemClock, 60),
        new Sessions(o.db, () => systemClock, 60),
      ]
      const token = await one.issue(given(o))
      for (const sessions of [one, other]) assert.equal((await sessions.find(token))?.userId, o.userId)
      await take(o, token)
      await sleep(1000)
      for (const sessions of [one, other]) assert.equal(await sessions.find(token), undefined)
    })
  }

  test('is noticed although its transaction took a while to be seen', async () => {
    const o = await openOrg()
    const sessions = new Sessions(o.db, () => systemClock, 60)
    const token = await sessions.issue(given(o))
    await sessions.find(token)
    const late = sql`insert into objectry.revocation (token_hash, revoked_at)
                     values (${hashToken(token)}, clock_timestamp() - interval '1 hour')`
    await o.db.query(sql`delete from objectry.session where token_hash = ${hashToken(token)}`)
    await o.db.query(late)
    await sleep(600)
    assert.equal(await sessions.find(token), undefined)
  })
})

test('a token that is taken away while it is looked up is refused, however late the answer of the database comes', async () => {
  const o = await openOrg()
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const { promise: read, resolve: hasRead } = Promise.withResolvers<void>()
  let isFirst = true
  const query: Db['query'] = async (statement) => {
    const rows = await o.db.query(statement)
    if (isFirst && statement.text.includes('from objectry.session session')) {
      isFirst = false
      hasRead()
      await held
    }
    return rows as never
  }
  const sessions = new Sessions({ ...o.db, query }, () => systemClock, 60)
  const token = await sessions.issue(given(o))
  const finding = sessions.find(token)
  await read
  await revokeSession(o.db, hashToken(token))
  sessions.expectRevocations()
  // Somebody else's call learns of it.
  await sessions.find('another token')
  release()
  assert.equal(await finding, undefined)
  assert.equal(await sessions.find(token), undefined)
})

test('a token whose session is gone is refused when its use is stored', async () => {
  const o = await openOrg()
  let now = Date.now()
  const sessions = new Sessions(o.db, () => () => new Date(now), 60)
  const token = await sessions.issue(given(o))
  assert.equal((await sessions.find(token))?.userId, o.userId)
  await o.db.query(sql`delete from objectry.session where token_hash = ${hashToken(token)}`)
  now += 40_000
  assert.equal(await sessions.find(token), undefined)
})

test('a known token costs no question to the database but one for all of them every half second', async () => {
  const o = await openOrg()
  const { db, requested } = counted(o.db)
  const sessions = new Sessions(db, () => systemClock, 60)
  const token = await sessions.issue(given(o))
  await sessions.find(token)
  // The sweep after a token was given does not count.
  await sleep(300)
  const [before, began] = [requested(), performance.now()]
  let found = 0
  while (performance.now() - began < 1200) {
    for (let i = 0; i < 1000; i++) if ((await sessions.find(token)) !== undefined) found++
  }
  const max = Math.ceil((performance.now() - began) / 500)
  assert.ok(found >= 1000)
  assert.ok(requested() - before >= 1 && requested() - before <= max, `${requested() - before} questions`)
})

test('a token that another process has used meanwhile is not taken for an expired one', async () => {
  const o = await openOrg()
  let time = Date.now()
  const clock = () => new Date(time)
  const [one, other] = [new Sessions(o.db, () => clock, 100), new Sessions(o.db, () => clock, 100)]
  const token = await one.issue(given(o))
  await one.find(token)
  time += 80_000
  assert.ok(await other.find(token))
  time += 80_000
  assert.ok(await one.find(token))
})

test('revocations are forgotten after a day', async () => {
  const o = await openOrg()
  await o.db.query(sql`insert into objectry.revocation (token_hash, revoked_at)
                       values ('old', clock_timestamp() - interval '25 hours'), ('new', clock_timestamp())`)
  await new Sessions(o.db, () => systemClock, 60).issue(given(o))
  const left = () =>
    o.db.query(sql`select token_hash as hash from objectry.revocation where token_hash in ('old', 'new')`)
  for (let tries = 0; tries < 50 && (await left()).length > 1; tries++) await sleep(20)
  assert.deepEqual(await left(), [{ hash: 'new' }])
  await o.db.query(sql`delete from objectry.revocation where token_hash = 'new'`)
})
