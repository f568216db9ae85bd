import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sql } from '../../src/base/sql.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { openOrg, type Sent, type TestOrg } from '../support/org.ts'
import { addPerson } from '../support/people.ts'

/* Values that a client keeps for its user. (docs/reference/api/metadata.md#preferences) */

let o: TestOrg

before(async () => {
  o = await openOrg()
})

const put = (name: string, body: unknown, headers?: Sent['headers']) =>
  o.call('PUT', `/preferences/${name}`, { body, headers })

describe('a preference', () => {
  test('is any JSON value, and comes back as it was', async () => {
    for (const value of [{ a: [1, null, { b: 'ü"\\\n\u0000\ud800' }] }, [], 'text', 12.5, true, null, '']) {
      const written = await put('some.value', value)
      assert.equal(written.status, 204, written.text)
      const { status, body } = await o.call('GET', '/preferences/some.value')
      assert.deepEqual([status, body], [200, value])
    }
    const { body } = await o.call('GET', '/preferences')
    assert.deepEqual(body, { preferences: { 'some.value': '' } })
    assert.equal((await o.call('DELETE', '/preferences/some.value')).status, 204)
    for (const method of ['GET', 'DELETE'])
      assertRefused(
        await o.call(method, '/preferences/some.value'),
        404,
        'NOT_FOUND',
        'There is no preference of that name',
      )
  })

  test('has a name of letters, digits, dots, underscores and hyphens', async () => {
    for (const name of ['a', 'A.b_c-9', 'x'.repeat(80), '__proto__', '...'])
      assert.equal((await put(name, 1)).status, 204, name)
    for (const name of ['x'.repeat(81), 'a%20b', 'a%2Fb', '%00', '%F0%9F%98%80', '%ff'])
      assert.equal((await put(name, 1)).status >= 400 && (await put(name, 1)).status < 500, true, name)
    assert.equal((await o.call('GET', '/preferences/a%00')).status, 404)
    const { text } = await o.call('GET', '/preferences')
    assert.match(text, /"__proto__":1/)
  })

  test('that was changed meanwhile is not overwritten by who knows the old one', async () => {
    const first = await put('shared', { by: 'first' })
    const etag = String(first.headers.etag)
    const read = await o.call('GET', '/preferences/shared')
    assert.equal(read.headers.etag, etag)
    const known = await o.call('GET', '/preferences/shared', { headers: { 'if-none-match': etag } })
    assert.equal(known.status, 304)
    assert.equal((await put('shared', { by: 'second' }, { 'if-match': etag })).status, 204)
    const late = await put('shared', { by: 'first' }, { 'if-match': etag })
    assertRefused(late, 412, 'PRECONDITION_FAILED', 'The preference was changed meanwhile')
    assert.deepEqual((await o.call('GET', '/preferences/shared')).body, { by: 'second' })
    assert.equal((await put('shared', 1, { 'if-none-match': '*' })).status, 412)
    assert.equal((await put('new.one', 1, { 'if-match': etag })).status, 412)
    assert.equal((await put('new.one', 1, { 'if-none-match': '*' })).status, 204)
    const remove = await o.call('DELETE', '/preferences/shared', { headers: { 'if-match': etag } })
    assert.equal(remove.status, 412)
  })

  test('that two windows write with the same knowledge is written by one of them', async () => {
    const etag = String((await put('race', 0)).headers.etag)
    const statuses = await Promise.all(
      [1, 2, 3].map(async (value) => (await put('race', value, { 'if-match': etag })).status),
    )
    assert.deepEqual(statuses.sort(), [204, 412, 412])
  })

  test('belongs to its user alone', async () => {
    await put('mine', 'admin')
    const person = await addPerson(o, 'keeper')
    const { body } = await person.call('GET', '/preferences')
    assert.deepEqual(body, { preferences: {} })
    assert.equal((await person.call('GET', '/preferences/mine')).status, 404)
    assert.equal((await person.call('PUT', '/preferences/mine', { body: 'theirs' })).status, 204)
    assert.equal((await o.call('GET', '/preferences/mine')).body, 'admin')
  })
})

test('a user keeps no more than 500 preferences of 64 kB and 4 MB', async () => {
  const own = await openOrg()
  const write = (name: string, body: unknown) => own.call('PUT', `/preferences/${name}`, { body })
  assert.equal((await write('large', 'x'.repeat(64 * 1024 - 2))).status, 204)
  assertRefused(
    await write('larger', 'x'.repeat(64 * 1024 - 1)),
    400,
    'JSON_PARSER_ERROR',
    /at most 65536 bytes/,
  )
  assert.equal((await own.call('PUT', '/preferences/none')).status, 400)
  const table = sql.id(own.org.schemaName, '_preference')
  await own.db.query(
    sql`insert into ${table} (user_id, name, value) select ${own.userId}, 'n' || n, 'null' from generate_series(1, 499) n`,
  )
  assertRefused(await write('one.more', 1), 400, 'STORAGE_LIMIT_EXCEEDED', /at most 500 preferences/)
  assert.equal((await write('n1', 2)).status, 204)
  await own.db.query(
    sql`update ${table} set value = ${JSON.stringify('x'.repeat(60_000))} where name <> 'n1'`,
  )
  assertRefused(await write('n1', 3), 400, 'STORAGE_LIMIT_EXCEEDED', /at most 500 preferences/)
})
