import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { InjectOptions } from 'fastify'
import { systemClock } from '../../src/base/clock.ts'
import { readConfig } from '../../src/config/config.ts'
import { assemble } from '../../src/server/assemble.ts'
import { createJob, ingest, setState, untilOver } from '../support/bulk.ts'
import { sharedEngine } from '../support/engine.ts'
import { makeAnswer, openOrg, type TestOrg } from '../support/org.ts'
import { SECRETS } from '../support/secrets.ts'
import { until } from '../support/until.ts'

const TOKEN = 'the-token-of-the-metrics'

let o: TestOrg
/** A server that wants a token for its metrics. */
let guarded: TestOrg['server']

before(async () => {
  o = await openOrg()
  await o.server.listen({ host: '127.0.0.1', port: 0 })
  const config = readConfig({}, { logLevel: 'silent', metricsToken: TOKEN })
  guarded = assemble(await sharedEngine(), config, systemClock, SECRETS).server
})
after(() => o.server.close())

const read = async (server: TestOrg['server'], options: InjectOptions = {}) =>
  makeAnswer(await server.inject({ url: '/metrics', remoteAddress: '127.0.0.1', ...options }))

/** The value of a series of our own. */
async function readNumber(series: string): Promise<number> {
  const { text } = await read(o.server)
  const line = text.split('\n').find((one) => one.startsWith(`${series} `))
  return Number(line?.slice(series.length + 1) ?? 0)
}

describe('/metrics', () => {
  test('counts requests by endpoint, route, method and status, and how long they and their statements took', async () => {
    const id = await o.create('Account', { Name: 'Counted' })
    await o.call('GET', `/sobjects/Account/${id}`)
    await o.call('GET', `/sobjects/Account/${id}`)
    await o.call('GET', '/sobjects/Account/001000000000000AAA')
    const route = 'endpoint="data",route="/sobjects/:object/:id"'
    assert.equal(await readNumber(`objectry_requests_total{${route},method="GET",status="200"}`), 2)
    assert.equal(await readNumber(`objectry_requests_total{${route},method="GET",status="404"}`), 1)
    assert.equal(await readNumber(`objectry_request_seconds_count{${route}}`), 3)
    assert.ok((await readNumber('objectry_statement_seconds_count')) >= 4)
    assert.equal(await readNumber('objectry_running_calls'), 0)
    assert.equal(await readNumber('objectry_failures_total'), 0)
    assert.ok((await readNumber('process_resident_memory_bytes')) > 0)
  })

  test('counts bulk jobs by their ends, their rows by what became of them, and how long chunks took', async () => {
    const insert = { object: 'Account', operation: 'insert' }
    await ingest(o, insert, 'Name\nA\nB\n""\n')
    await ingest(o, insert, 'No__c\nA\n')
    await ingest(o, insert, '')
    const { id } = await createJob(o, insert)
    await setState(o, id, 'Aborted')
    const query = await createJob(
      o,
      { operation: 'query', query: "SELECT Id FROM Account WHERE Name = 'B'" },
      'query',
    )
    await untilOver(o, query.id, 'query')
    const jobs = (kind: string, state: string) =>
      readNumber(`objectry_bulk_jobs_total{kind="${kind}",state="${state}"}`)
    const rows = (kind: string, outcome: string) =>
      readNumber(`objectry_bulk_rows_total{kind="${kind}",outcome="${outcome}"}`)
    await until(async () => (await jobs('query', 'JobComplete')) === 1)
    assert.deepEqual(
      await Promise.all(['JobComplete', 'Failed', 'Aborted'].map((state) => jobs('ingest', state))),
      [2, 1, 1],
    )
    assert.deepEqual(
      [await rows('ingest', 'written'), await rows('ingest', 'failed'), await rows('query', 'read')],
      [2, 1, 1],
    )
    assert.equal(await readNumber('objectry_bulk_chunk_seconds_count{kind="ingest"}'), 1)
    await until(async () => (await readNumber('objectry_bulk_running_jobs')) === 0)
  })

  test('has no series for what clients make up, and names neither orgs nor users', async () => {
    await o.call('GET', '/made/up/by/a/client')
    await o.call('GET', '/sobjects/MadeUp__c/madeup')
    await o.server.inject({ url: '/made-up' })
    await o.server.inject({ url: '/made-up', method: 'PROPFIND' as 'GET' })
    const { text } = await read(o.server)
    assert.match(
      text,
      /objectry_requests_total\{endpoint="data",route="unknown",method="GET",status="404"\} 1\n/,
    )
    assert.match(
      text,
      /objectry_requests_total\{endpoint="none",route="unknown",method="other",status="404"\} 1\n/,
    )
    for (const word of ['made', 'MadeUp', o.org.id, o.org.schemaName, o.userId, o.token]) {
      assert.ok(!text.includes(word), word)
    }
  })

  test('is there for this machine itself, and for nobody else', async () => {
    const { status, headers } = await read(o.server)
    assert.equal(status, 200)
    assert.match(String(headers['content-type']), /^text\/plain; version=0\.0\.4/)
    const nothing = makeAnswer(await o.server.inject({ url: '/nothing' }))
    for (const options of [
      { remoteAddress: '10.0.0.7' },
      { remoteAddress: '2001:db8::1' },
      { headers: { 'x-forwarded-for': '10.0.0.7' } },
      { headers: { forwarded: 'for=10.0.0.7' } },
      { remoteAddress: '10.0.0.7', headers: { authorization: `Bearer ${o.token}` } },
      { method: 'POST' as const },
    ]) {
      const answer = await read(o.server, options)
      assert.deepEqual([answer.status, answer.text], [404, nothing.text], JSON.stringify(options))
    }
    for (const remoteAddress of ['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1']) {
      assert.equal((await read(o.server, { remoteAddress })).status, 200, remoteAddress)
    }
  })

  test('is there only for callers with the token when one is set', async () => {
    const remoteAddress = '10.0.0.7'
    const authorized = (token: string) => ({ remoteAddress, headers: { authorization: `Bearer ${token}` } })
    assert.equal((await read(guarded, authorized(TOKEN))).status, 200)
    for (const options of [{}, authorized('wrong'), authorized(o.token), authorized('')]) {
      assert.equal((await read(guarded, options)).status, 404, JSON.stringify(options))
    }
  })

  test('is not on the public site', async () => {
    assert.equal((await read(o.site)).status, 404)
  })
})
