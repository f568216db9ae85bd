import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { before, describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { SharedBytes } from '../../src/quota/shared-bytes.ts'
import { openOrg, type TestOrg } from '../support/org.ts'

/* The memory of large bodies is bounded in sum. */

const MEGABYTE = 1024 * 1024
const LIMIT = 2 * MEGABYTE
/** So many of the largest bodies fit into the share of an org. */
const SHARE = 3

let o: TestOrg

before(async () => {
  o = await openOrg({ settings: { bodyLimit: String(LIMIT) } })
})

const opening = (name: string) => `{"Name":"${name}"`
const paddingFor = (name: string) => ' '.repeat(LIMIT - opening(name).length - 1)

/** Begins to send a body whose length is known. */
function begin(text: string) {
  const payload = new PassThrough()
  payload.write(text)
  const answer = o.server
    .inject({
      method: 'POST',
      url: '/services/data/v64.0/sobjects/Account',
      headers: {
        authorization: `Bearer ${o.token}`,
        'content-type': 'application/json',
        'content-length': String(LIMIT),
      },
      payload,
    })
    .then(({ statusCode }) => statusCode)
  return { payload, answer }
}

async function areRead(bodies: readonly ReturnType<typeof begin>[]): Promise<void> {
  while (bodies.some(({ payload }) => payload.readableLength > 0)) await setImmediate()
}

const finish = (name: string, { payload, answer }: ReturnType<typeof begin>) => {
  payload.end(`${paddingFor(name)}}`)
  return answer
}

describe('a large body', () => {
  test('waits unread until there is memory for it, and small ones do not', async () => {
    const first = Array.from({ length: SHARE }, () => begin(opening('first')))
    await areRead(first)
    const next = begin(opening('next'))
    assert.equal((await o.call('POST', '/sobjects/Account', { body: { Name: 'small' } })).status, 201)
    assert.ok(next.payload.readableLength > 0)
    assert.equal(await finish('first', first[0]!), 201)
    await areRead([next])
    assert.equal(await finish('next', next), 201)
    for (const body of first.slice(1)) assert.equal(await finish('first', body), 201)
  })

  test('that comes too slowly is refused while others wait', async () => {
    const slow = Array.from({ length: SHARE }, () => begin(opening('slow')))
    await areRead(slow)
    const next = begin(opening('next'))
    assert.equal(await finish('next', next), 201)
    const statuses = await Promise.all(
      slow.map(({ answer }, n) => (n === 0 ? answer : finish('slow', slow[n]!))),
    )
    assert.ok(statuses.includes(503), statuses.join())
    assert.ok(statuses.every((status) => status === 503 || status === 201))
  })

  test('whose client leaves while it waits keeps no memory', async () => {
    const first = Array.from({ length: SHARE }, () => begin(opening('first')))
    await areRead(first)
    const left = begin(opening('left'))
    const gone = left.answer.catch(() => undefined)
    left.payload.destroy(new Error('left'))
    for (const body of first) assert.equal(await finish('first', body), 201)
    await gone
    const all = Array.from({ length: SHARE }, () => begin(opening('all')))
    await areRead(all)
    for (const body of all) assert.equal(await finish('all', body), 201)
  })

  test('is taken in any form: with a length, in pieces, packed', async () => {
    const text = `{"Name":"any"${paddingFor('any')}}`
    const headers = { authorization: `Bearer ${o.token}`, 'content-type': 'application/json' }
    const url = '/services/data/v64.0/sobjects/Account'
    for (let n = 0; n < SHARE * 2; n++) {
      const pieces = new PassThrough()
      pieces.end(text)
      const packed = { ...headers, 'content-encoding': 'gzip' }
      const answers = await Promise.all([
        o.server.inject({ method: 'POST', url, headers, payload: text }),
        o.server.inject({ method: 'POST', url, headers, payload: pieces }),
        o.server.inject({ method: 'POST', url, headers: packed, payload: gzipSync(text) }),
      ])
      assert.deepEqual(
        answers.map(({ statusCode }) => statusCode),
        [201, 201, 201],
      )
    }
  })
})

test('an org whose bodies wait for its share keeps no other org waiting', async () => {
  const received = new SharedBytes(10)
  const never = () => () => {}
  const held = await Promise.all([1, 2, 3].map(() => received.reserve('one', 10, false, never)))
  let hasBegun = false
  const waiting = received.reserve('one', 10, false, never).then((made) => {
    hasBegun = true
    return made
  })
  const other = await received.reserve('other', 10, false, never)
  await setImmediate()
  assert.equal(hasBegun, false)
  other.release()
  held[0]!.release()
  for (const made of [await waiting, ...held.slice(1)]) made.release()
})
