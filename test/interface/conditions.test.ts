import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sql } from '../../src/base/sql.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { thisSecond } from '../support/this-second.ts'

let org: TestOrg
let now = thisSecond()

before(async () => {
  org = await openOrg({ clock: () => now })
})

const CHANGED = 'The record was modified after the given date'
const secondsFromNow = (seconds: number) => new Date(now.getTime() + seconds * 1000).toUTCString()

const get = (id: string, headers: Record<string, string>) =>
  org.call('GET', `/sobjects/Account/${id}`, { headers })
const patch = (id: string, headers: Record<string, string>) =>
  org.call('PATCH', `/sobjects/Account/${id}`, { body: { Phone: '2' }, headers })
const phone = async (id: string) => (await get(id, {})).body.Phone
const account = () => org.create('Account', { Name: 'Acme', Phone: '1' })

describe('If-Modified-Since', () => {
  test('answers a read with 304 unless the record was modified after that second', async () => {
    const id = await account()
    for (const path of [
      `/sobjects/Account/${id}`,
      `/sobjects/Account/Id/${id}`,
      `/sobjects/Account/${id}?fields=Name`,
    ]) {
      const since = (seconds: number) =>
        org.call('GET', path, { headers: { 'if-modified-since': secondsFromNow(seconds) } })
      const kept = await since(0)
      assert.deepEqual([kept.status, kept.text], [304, ''])
      assert.match(String(kept.headers.etag), /^"[\w-]+"$/)
      assert.equal((await since(60)).status, 304)
      assert.equal((await since(-1)).status, 200)
    }
  })

  test('with a text that is no date is ignored', async () => {
    assert.equal((await get(await account(), { 'if-modified-since': 'yesterday' })).status, 200)
  })

  test('of a record that is not there is not found', async () => {
    const id = await account()
    const answer = await get(`${id.slice(0, 14)}z`, { 'if-modified-since': secondsFromNow(0) })
    assert.equal(answer.status, 404)
  })
})

describe('If-Unmodified-Since', () => {
  test('lets an update pass when the record was not modified after that second, and refuses it with 412 otherwise', async () => {
    const id = await account()
    assertRefused(
      await patch(id, { 'if-unmodified-since': secondsFromNow(-1) }),
      412,
      'PRECONDITION_FAILED',
      CHANGED,
    )
    assert.equal(await phone(id), '1')
    assert.equal((await patch(id, { 'if-unmodified-since': secondsFromNow(0) })).status, 204)
    assert.equal(await phone(id), '2')
  })

  test('works for the key Id and for reads too', async () => {
    const id = await account()
    const headers = { 'if-unmodified-since': secondsFromNow(-1) }
    const byKey = await org.call('PATCH', `/sobjects/Account/Id/${id}`, { body: { Phone: '2' }, headers })
    assertRefused(byKey, 412, 'PRECONDITION_FAILED', CHANGED)
    assertRefused(await get(id, headers), 412, 'PRECONDITION_FAILED', CHANGED)
    assert.equal((await get(id, { 'if-unmodified-since': secondsFromNow(0) })).status, 200)
  })

  test('that is no date refuses an update', async () => {
    const id = await account()
    assertRefused(
      await patch(id, { 'if-unmodified-since': 'yesterday' }),
      400,
      'ILLEGAL_QUERY_PARAMETER_VALUE',
      'The header if-unmodified-since holds no date',
    )
    assert.equal(await phone(id), '1')
  })

  test('of a record that is not there tells that', async () => {
    const id = await account()
    const headers = { 'if-unmodified-since': secondsFromNow(0) }
    assert.equal(
      (await patch(`${id.slice(0, 14)}z`, headers)).body[0].errorCode,
      'INVALID_CROSS_REFERENCE_KEY',
    )
    await org.call('DELETE', `/sobjects/Account/${id}`)
    assert.equal((await patch(id, headers)).body[0].errorCode, 'ENTITY_IS_DELETED')
  })
})

describe('the ETag of a record', () => {
  const etag = async (id: string) => String((await get(id, {})).headers.etag)

  test('is the same until the record changes, within a second too', async () => {
    const id = await account()
    const first = await etag(id)
    assert.match(first, /^"[\w-]{8,24}"$/)
    assert.equal(await etag(id), first)
    await patch(id, {})
    const second = await etag(id)
    assert.notEqual(second, first)
    await patch(id, {})
    assert.notEqual(await etag(id), second)
    assert.notEqual(await etag(await account()), second)
  })

  test('is that of its time only: where an org is moved to, transactions have the numbers of others', async () => {
    const ids = [await account(), await account()]
    // One transaction writes both.
    await org.db.query(
      sql`update ${sql.id(org.org.schemaName, 'account')}
          set systemmodstamp = case id when ${ids[0]} then timestamptz '2026-01-01T00:00:01Z' else timestamptz '2026-01-01T00:00:02Z' end
          where id = any(${ids}::text[])`,
    )
    const [first, second] = [await etag(ids[0]!), await etag(ids[1]!)]
    assert.notEqual(first, second)
    assert.equal((await get(ids[0]!, { 'if-none-match': second })).status, 200)
    assert.equal((await patch(ids[0]!, { 'if-match': second })).status, 412)
    assert.equal((await patch(ids[0]!, { 'if-match': first })).status, 204)
  })

  test('with If-None-Match gives 304 on a read and 412 on an update', async () => {
    const id = await account()
    const headers = { 'if-none-match': `"other", W/${await etag(id)}` }
    assert.equal((await get(id, headers)).status, 304)
    assert.equal((await patch(id, headers)).status, 412)
    assert.equal((await get(id, { 'if-none-match': '*' })).status, 304)
    assert.equal((await get(id, { 'if-none-match': '"other"' })).status, 200)
    assert.equal((await patch(id, { 'if-none-match': '"other"' })).status, 204)
  })

  test('with If-None-Match decides a read alone, whatever If-Modified-Since says', async () => {
    const id = await account()
    const read = async (tag: string, seconds: number) =>
      (await get(id, { 'if-none-match': tag, 'if-modified-since': secondsFromNow(seconds) })).status
    const known = await etag(id)
    assert.deepEqual([await read('"other"', 0), await read(known, -1)], [200, 304])
  })

  test('with If-Match lets an update pass only in that state', async () => {
    const id = await account()
    const known = await etag(id)
    assert.equal((await patch(id, { 'if-match': known })).status, 204)
    assertRefused(await patch(id, { 'if-match': known }), 412, 'PRECONDITION_FAILED', CHANGED)
    assert.equal((await get(id, { 'if-match': known })).status, 412)
    assert.equal((await patch(id, { 'if-match': '*' })).status, 204)
  })

  test('lets one of many that count on the same state win', async () => {
    const id = await account()
    const headers = { 'if-match': await etag(id) }
    const answers = await Promise.all(Array.from({ length: 10 }, () => patch(id, headers)))
    const statuses = answers.map((answer) => answer.status).sort()
    assert.deepEqual(statuses, [204, ...Array(9).fill(412)])
  })
})

describe('a time that moves on', () => {
  test('makes an earlier condition fail', async () => {
    const id = await account()
    const read = secondsFromNow(0)
    now = new Date(now.getTime() + 60_000)
    await patch(id, {})
    assert.equal((await get(id, { 'if-modified-since': read })).status, 200)
    assert.equal((await patch(id, { 'if-unmodified-since': read })).status, 412)
  })
})
