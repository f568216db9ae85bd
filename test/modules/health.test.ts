import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sql } from '../../src/base/sql.ts'
import { readConfig } from '../../src/config/config.ts'
import { start } from '../../src/server/main.ts'
import type { Engine } from '../../src/storage/database/db.ts'
import { openEngine } from '../../src/storage/open-engine.ts'
import { onPostgres, sharedEngine } from '../support/engine.ts'
import { makeAnswer, openOrg, type TestOrg } from '../support/org.ts'
import { makeOwnDatabase } from '../support/own-database.ts'
import { openProxy } from '../support/pausable-proxy.ts'

let o: TestOrg
let engine: Engine

before(async () => {
  o = await openOrg()
  engine = await sharedEngine()
})

async function fetchStatus(url: string, server = o.server): Promise<[number, unknown]> {
  const { status, body } = makeAnswer(await server.inject({ url }))
  return [status, body]
}

/** Asks until the answer is the expected one, or half a minute has passed. */
async function becomes(expected: unknown, ask: () => Promise<unknown>): Promise<void> {
  const end = Date.now() + 30_000
  let answer = await ask()
  while (JSON.stringify(answer) !== JSON.stringify(expected) && Date.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    answer = await ask()
  }
  assert.deepEqual(answer, expected)
}

const ALIVE = [200, { status: 'ok' }]
const READY = [200, { status: 'ready' }]
const SILENT = [503, { status: 'the database does not answer' }]

/** Opens transactions and keeps them open; gives the function that ends them. */
async function holdTransactions(count: number): Promise<() => Promise<void>> {
  const release = Promise.withResolvers<void>()
  const first = Promise.withResolvers<void>()
  const held = Array.from({ length: count }, () =>
    engine.db.transaction(async (tx) => {
      await tx.query(sql`select 1`)
      first.resolve()
      await release.promise
    }),
  )
  await first.promise
  return async () => {
    release.resolve()
    await Promise.all(held)
  }
}

describe('/healthz and /readyz', () => {
  test('/readyz answers for one org, by id or name, and does not say which orgs there are', async () => {
    for (const named of [o.org.id, o.org.name, 'nobody', '00D000000000zzz', '\0', ''])
      assert.deepEqual(await fetchStatus(`/readyz?org=${encodeURIComponent(named)}`), READY)
  })

  test('answer without a token, on the port of the site too, and are never cached', async () => {
    for (const server of [o.server, o.site]) {
      for (const [url, status] of [
        ['/healthz', 'ok'],
        ['/readyz', 'ready'],
      ] as const) {
        const answer = makeAnswer(await server.inject({ url }))
        assert.deepEqual([answer.status, answer.body], [200, { status }])
        assert.equal(answer.headers['cache-control'], 'no-store')
        const head = await server.inject({ method: 'HEAD', url })
        assert.deepEqual([head.statusCode, head.body], [200, ''])
      }
    }
  })

  test('a transaction that holds the connection of the embedded engine makes it not ready', {
    skip: onPostgres && 'PostgreSQL has a connection for each',
  }, async () => {
    const release = await holdTransactions(1)
    try {
      await becomes(SILENT, () => fetchStatus('/readyz'))
      assert.deepEqual(await fetchStatus('/healthz'), ALIVE)
    } finally {
      await release()
    }
    await becomes(READY, () => fetchStatus('/readyz'))
  })
})

describe('on PostgreSQL', { skip: !onPostgres && 'the embedded engine has one connection' }, () => {
  const serverUrl = process.env.TEST_DATABASE_URL!

  test('a pool without a free connection leaves the server ready', async () => {
    const release = await holdTransactions(64)
    try {
      const { promise: later, resolve } = Promise.withResolvers<void>()
      setTimeout(resolve, 1500)
      assert.deepEqual(await fetchStatus('/readyz'), READY)
      await later
      assert.deepEqual(await fetchStatus('/readyz'), READY)
    } finally {
      await release()
    }
  })

  test('a database that is read-only is not ready', async () => {
    const database = await makeOwnDatabase(serverUrl, 'health_read_only')
    try {
      await engine.db.query(
        sql`alter database ${sql.id(new URL(database.url).pathname.slice(1))} set default_transaction_read_only = on`,
      )
      const other = await openEngine({ databaseUrl: database.url, poolSize: 1, data: 'memory' })
      assert.equal(await other.checkReadiness(), 'the database is read-only')
      await other.close()
    } finally {
      await database.drop()
    }
  })

  test('a server whose database is gone lives, is not ready, and is ready again when it is back', async () => {
    const database = await makeOwnDatabase(serverUrl, 'health_gone')
    const proxy = await openProxy(database.url)
    try {
      const settings = {
        databaseUrl: proxy.url,
        port: '0',
        sitePort: 'off',
        logLevel: 'silent',
        poolSize: '2',
      }
      const secretKey = Buffer.alloc(32, 'key').toString('base64')
      const objectry = await start(readConfig({}, { ...settings, secretKey }))
      const ask = async (path: string) => {
        const response = await fetch(objectry.address + path)
        return [response.status, await response.json()]
      }
      try {
        assert.deepEqual(await ask('/readyz'), READY)
        for (let round = 0; round < 2; round++) {
          proxy.pause()
          await becomes(SILENT, () => ask('/readyz'))
          assert.deepEqual(await ask('/healthz'), ALIVE)
          const answers = await Promise.all(Array.from({ length: 20 }, () => ask('/readyz')))
          for (const answer of answers) assert.deepEqual(answer, SILENT)
          proxy.resume()
          await becomes(READY, () => ask('/readyz'))
        }
      } finally {
        await objectry.stop()
      }
    } finally {
      proxy.close()
      await database.drop()
    }
  })
})
