import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { pino } from 'pino'
import { WITH_DATABASE_TRIGGERS } from '../support/engine.ts'
import { letFail, OTHER_FAILURE } from '../support/failing-table.sql.ts'
import { makeAnswer, openOrg, type TestOrg } from '../support/org.ts'

type Line = Readonly<Record<string, unknown>>

let o: TestOrg
let lines: Line[] = []

before(async () => {
  const log = pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) })
  o = await openOrg({ log, settings: { slowStatementMilliseconds: '1' } })
  await o.server.listen({ host: '127.0.0.1', port: 0 })
})
after(() => o.server.close())

/** Returns the lines that are logged while the work is done. */
async function loggedBy<T>(work: () => Promise<T>) {
  lines = []
  const answer = await work()
  // The reply is there before its line.
  while (!lines.some(({ msg }) => msg === 'request')) await new Promise(setImmediate)
  const called = (name: string) => lines.filter(({ msg }) => msg === name)
  return { answer, requests: called('request'), slow: called('slow statement'), failures: called('failure') }
}

const findRoute = async (work: () => Promise<unknown>) => (await loggedBy(work)).requests[0]!.route

describe('the log', () => {
  test('has one line for a request: what it was, what became of it, and what it cost', async () => {
    const id = await o.create('Account', { Name: 'Logged' })
    const path = `/services/data/v64.0/sobjects/Account/${id}`
    const { answer, requests } = await loggedBy(() => o.call('GET', `${path}?fields=Name`))
    const [{ level, time, pid, hostname, milliseconds, ...line }] = requests as [Line]
    assert.equal(typeof milliseconds, 'number')
    assert.deepEqual(requests.slice(1), [])
    assert.deepEqual(line, {
      id: answer.headers['x-request-id'],
      method: 'GET',
      path,
      route: '/sobjects/:object/:id',
      status: 200,
      statements: 1,
      msg: 'request',
    })
  })

  test('calls a request as the client did, if that is a plain name, and the reply does too', async () => {
    const call = (id: string) => o.call('GET', '/sobjects', { headers: { 'x-request-id': id } })
    for (const id of ['a', 'order-17_b.2', 'x'.repeat(64)]) {
      const { answer, requests } = await loggedBy(() => call(id))
      assert.deepEqual([answer.headers['x-request-id'], requests[0]!.id], [id, id])
    }
    for (const id of ['', 'two words', 'x'.repeat(65), 'ü', '"}']) {
      const { answer, requests } = await loggedBy(() => call(id))
      assert.match(String(requests[0]!.id), /^[0-9a-f]{8}-[0-9a-z]+$/)
      assert.equal(answer.headers['x-request-id'], requests[0]!.id)
    }
  })

  test('knows the route behind every endpoint, and a path without one as unknown', async () => {
    const get = (url: string) => async () => makeAnswer(await o.server.inject({ url }))
    assert.equal(await findRoute(get('/services/oauth2/token')), '/services/oauth2/token')
    assert.equal(await findRoute(get('/login')), '/login')
    assert.equal(await findRoute(get('/nowhere/at/all')), 'unknown')
    assert.equal(await findRoute(() => o.call('GET', '/nothing/of/this/name')), 'unknown')
    assert.equal(await findRoute(() => o.call('GET', '/services/customrest/nothing')), 'unknown')
    assert.equal(await findRoute(() => o.call('POST', '/composite', { body: {} })), '/composite')
  })

  test('has a line for a slow statement: whose it was and its text, none of its values', async () => {
    const Name = 'a name that nobody else has'
    const records = Array.from({ length: 200 }, () => ({ attributes: { type: 'Account' }, Name }))
    const { slow, requests } = await loggedBy(() =>
      o.call('POST', '/composite/sobjects', { body: { records } }),
    )
    const insert = slow.find(({ text }) => /insert into \S*account/.test(String(text)))
    assert.ok(insert, JSON.stringify(slow))
    assert.deepEqual([insert.id, insert.level], [requests[0]!.id, 40])
    for (const { text, milliseconds } of slow) {
      assert.ok((milliseconds as number) >= 1)
      assert.ok((text as string).length <= 2000)
      assert.ok(!(text as string).includes(Name))
    }
  })

  test('tells with a failure which request it was', WITH_DATABASE_TRIGGERS, async () => {
    await letFail(o, 'account', { code: OTHER_FAILURE, at: 'write', times: 1 })
    const { requests, failures } = await loggedBy(() =>
      o.call('POST', '/sobjects/Account', { body: { Name: 'fail' } }),
    )
    assert.equal(requests[0]!.status, 500)
    assert.deepEqual(
      failures.map(({ id }) => id),
      [requests[0]!.id],
    )
  })

  test('cuts a long message of a failure', WITH_DATABASE_TRIGGERS, async () => {
    await letFail(o, 'account', { code: OTHER_FAILURE, at: 'write', times: 1, length: 50_000 })
    const { failures } = await loggedBy(() => o.call('POST', '/sobjects/Account', { body: { Name: 'fail' } }))
    const [{ failure, stack }] = failures as [Line]
    assert.match(String(failure), /^on purpose\.+$/)
    assert.equal(String(failure).length, 2000)
    assert.ok(String(stack).length < 10_000)
    assert.match(String(stack), /\n +at /)
  })
})
