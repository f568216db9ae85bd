import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '../../src/base/clock.ts'
import { sql } from '../../src/base/sql.ts'
import { readConfig } from '../../src/config/config.ts'
import { quotaSql } from '../../src/quota/quota.sql.ts'
import { deploySchema } from '../../src/schema/change/deploy.ts'
import { assemble } from '../../src/server/assemble.ts'
import { besideCalls } from '../../src/storage/database/connection-guard.ts'
import { openEngine } from '../../src/storage/open-engine.ts'
import { loadOrgs } from '../../src/storage/orgs/orgs.ts'
import { accountId, makeAccounts, writeAccounts } from '../support/account-rows.sql.ts'
import { ask } from '../support/ask.ts'
import { onPostgres, sharedEngine } from '../support/engine.ts'
import { makeAnswer, openOrg } from '../support/org.ts'
import { makeOwnDatabase, type OwnDatabase } from '../support/own-database.ts'
import { openProxy } from '../support/pausable-proxy.ts'
import { PROJECT_SCHEMA } from '../support/project-schema.ts'
import { SECRETS } from '../support/secrets.ts'
import { credentialsIn, fetchToken, type ServerProcess, startServer } from '../support/server-process.ts'

/* Two server processes on one PostgreSQL. */

describe('two servers on one database', { skip: !onPostgres }, () => {
  let database: OwnDatabase
  let servers: ServerProcess[]
  let token: string

  before(async () => {
    database = await makeOwnDatabase(process.env.TEST_DATABASE_URL!, 'two')
    const variables = { DATABASE_URL: database.url, OBJECTRY_POOL_SIZE: '4' }
    servers = await Promise.all([startServer(variables), startServer(variables)])
    const credentials = servers.flatMap((server) => credentialsIn(server.greeting) ?? [])
    token = await fetchToken(servers[0]!.address, credentials[0]!)
  })
  after(async () => {
    for (const server of servers) await server.end('SIGTERM')
    await database.drop()
  })

  async function call(server: ServerProcess, method: string, path: string, body?: unknown) {
    const url = path.startsWith('/services') ? path : `/services/data/v64.0${path}`
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'svc-query-options': 'batchSize=200',
    }
    const response = await fetch(server.address + url, {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
    })
    // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
    return { status: response.status, body: (await response.json()) as any }
  }

  const create = async (i: number) => {
    const { status, body } = await call(servers[i % 2]!, 'POST', '/sobjects/Account', {
      Name: `account ${i}`,
    })
    assert.equal(status, 201)
    return body.id as string
  }

  test('that start at the same moment make one org and one connected app between them', async () => {
    const shown = servers.map((server) => credentialsIn(server.greeting)).filter((c) => c !== undefined)
    assert.equal(shown.length, 1)
    const { body } = await call(servers[1]!, 'GET', '/query?q=SELECT+Id+FROM+Organization')
    assert.equal(body.totalSize, 1)
  })

  test('never give an id twice', async () => {
    const ids: string[] = []
    for (let from = 0; from < 600; from += 50) {
      ids.push(...(await Promise.all(Array.from({ length: 50 }, (_, i) => create(from + i)))))
    }
    assert.equal(new Set(ids).size, 600)
  })

  test('see what the other one wrote at once', async () => {
    for (let i = 0; i < 10; i++) {
      const id = await create(i)
      const { status } = await call(servers[(i + 1) % 2]!, 'GET', `/sobjects/Account/${id}`)
      assert.equal(status, 200)
    }
  })

  test('serve each any page of a result, whichever ran the query', async () => {
    for (const text of ['SELECT+Id+FROM+Account', 'SELECT+Id+FROM+Account+ORDER+BY+Name']) {
      const { body: whole } = await call(servers[0]!, 'GET', '/query?q=SELECT+COUNT()+FROM+Account')
      const ids: string[] = []
      let path: string | undefined = `/query?q=${text}`
      for (let i = 0; path !== undefined; i++) {
        const { body } = await call(servers[i % 2]!, 'GET', path)
        ids.push(...body.records.map((record: { Id: string }) => record.Id))
        path = body.nextRecordsUrl
      }
      assert.equal(ids.length, whole.totalSize)
      assert.equal(new Set(ids).size, ids.length)
    }
  })

  test('count refused requests for tokens together, exactly, however many come at once', async () => {
    const form = { grant_type: 'client_credentials', client_id: 'nobody of two', client_secret: 'x' }
    const guess = async (i: number) => {
      const url = `${servers[i % 2]!.address}/services/oauth2/token`
      const { status } = await fetch(url, { method: 'POST', body: new URLSearchParams(form) })
      return status
    }
    const statuses = await Promise.all(Array.from({ length: 150 }, (_, i) => guess(i)))
    assert.equal(statuses.filter((status) => status === 400).length, 60)
    assert.equal(statuses.filter((status) => status === 429).length, 90)
  })

  test('are never kept waiting by one whose connections are silent', async () => {
    const proxy = await openProxy(database.url)
    const third = await startServer({ DATABASE_URL: proxy.url, OBJECTRY_POOL_SIZE: '4' })
    const observer = await openEngine({ databaseUrl: database.url, poolSize: 1, data: 'memory' })
    const open = sql`select count(*) as number from pg_stat_activity
                     where datname = current_database() and state like 'idle in transaction%'`
    let opened = 0
    try {
      assert.equal((await call(third, 'GET', '/sobjects')).status, 200)
      // It writes down what it has counted within a second, and never learns that it has.
      proxy.swallowAnswers()
      for (let round = 0; round < 60; round++) {
        opened += (await observer.db.query<{ number: number }>(open))[0]!.number
        await sleep(50)
      }
      assert.equal(opened, 0)
    } finally {
      await third.end('SIGKILL')
      proxy.close()
      await observer.close()
    }
  })

  test('read on while no calls can be counted, and count them afterwards', async () => {
    const locker = await openEngine({ databaseUrl: database.url, poolSize: 1, data: 'memory' })
    const [org] = await loadOrgs(locker.db)
    const used = () =>
      locker.db.query<{ used: number }>(
        quotaSql.used({ orgId: org!.id, clientId: undefined }, Math.floor(Date.now() / 60_000)),
      )
    const query = '/query?q=SELECT+Id+FROM+Account+LIMIT+1'
    const read = async (server: ServerProcess) => (await call(server, 'GET', query)).status
    // The servers write their counts down once they rest.
    await sleep(3000)
    const before = (await used())[0]!.used
    const statuses: number[] = []
    await locker.db.transaction(async (tx) => {
      await tx.query(sql`lock table objectry.call_ledger in exclusive mode`)
      for (let round = 0; round < 20; round++) {
        statuses.push(...(await Promise.all(servers.map(read))))
        await sleep(100)
      }
      const write = await call(servers[0]!, 'POST', '/sobjects/Account', { Name: 'not now' })
      assert.deepEqual([write.status, write.body[0].errorCode], [503, 'SERVER_UNAVAILABLE'])
    })
    assert.deepEqual(new Set(statuses), new Set([200]))
    while ((await used())[0]!.used < before + statuses.length) await sleep(100)
    assert.equal((await used())[0]!.used, before + statuses.length)
    await locker.close()
  })

  test('know within a second what another process deployed', async () => {
    for (const server of servers)
      assert.equal((await call(server, 'GET', '/sobjects/Project__c')).status, 404)
    const deployer = await openEngine({ databaseUrl: database.url, poolSize: 2, data: 'memory' })
    const [org] = await loadOrgs(deployer.db)
    await deploySchema(deployer.db, org!, { objects: PROJECT_SCHEMA })
    await deployer.close()
    await sleep(1000)
    for (const server of servers) {
      const { body } = await call(server, 'POST', '/sobjects/Project__c', { Name: 'P', Hours__c: 1.5 })
      assert.equal(body.success, true, JSON.stringify(body))
    }
  })
})

test('two servers that read a page for the first time at once agree where it ends', {
  skip: !onPostgres,
}, async () => {
  const o = await openOrg()
  const { db } = o
  const { server: other } = assemble(
    await sharedEngine(),
    readConfig({}, { logLevel: 'silent' }),
    systemClock,
    SECRETS,
  )
  const rows = makeAccounts(2000)
  await writeAccounts(
    o,
    rows.filter((_, n) => n % 2 === 0),
  )
  const { nextRecordsUrl } = (
    await ask(o, 'SELECT Id FROM Account', { 'svc-query-options': 'batchSize=200' })
  ).body
  const headers = { authorization: `Bearer ${o.token}` }
  const read = async (server: typeof other) =>
    makeAnswer(await server.inject({ method: 'GET', url: nextRecordsUrl, headers })).body
  const table = sql.id(o.org.schemaName, '_query_page')
  const waiting = sql`select count(*) as number from pg_locks where not granted
                      and relation = ${`"${o.org.schemaName}"."_query_page"`}::text::regclass`
  const untilWaiting = async (number: number) => {
    while ((await db.query<{ number: number }>(waiting))[0]!.number < number) await sleep(5)
  }
  // Both have read their rows and wait to write down where the next page starts; a record came in between.
  const pages = await db.transaction(async (tx) => {
    await tx.query(sql`lock table ${table} in share mode`)
    return besideCalls(async () => {
      const first = read(o.server)
      await untilWaiting(1)
      await writeAccounts(
        o,
        rows.filter(({ id }) => id === accountId(501)),
      )
      const second = read(other)
      await untilWaiting(2)
      return [first, second]
    })
  })
  const [a, b] = await Promise.all(pages)
  await other.close()
  assert.equal(a.nextRecordsUrl, b.nextRecordsUrl)
  const idsOf = (page: typeof a) => page.records.map((record: { Id: string }) => record.Id)
  assert.equal(idsOf(a).at(-1), idsOf(b).at(-1))
  const next = makeAnswer(await o.server.inject({ method: 'GET', url: a.nextRecordsUrl, headers })).body
  // Whoever was first decides; then no record is on both pages and none of those that matched is between them.
  const evens = rows.filter((_, n) => n % 2 === 0).map((row) => row.id)
  for (const page of [a, b]) {
    const matched = [...idsOf(page), ...idsOf(next)].filter((id) => id !== accountId(501))
    assert.deepEqual(matched, evens.slice(200, 200 + matched.length))
    assert.ok(matched.length >= 399)
  }
})
