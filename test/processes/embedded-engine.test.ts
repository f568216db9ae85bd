import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, renameSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../../src/config/config.ts'
import { type Objectry, start } from '../../src/server/main.ts'
import { loadOrgs } from '../../src/storage/orgs/orgs.ts'
import { ON_EMBEDDED } from '../support/engine.ts'
import { makeDataFolder, SECRET_KEY } from '../support/server-process.ts'
import { makeSlow } from '../support/slow-table.sql.ts'
import { mountSmallDisk } from '../support/small-disk.ts'

/* The embedded engine: what takes long or breaks in it stops nobody else. */

interface Answer {
  readonly status: number
  readonly body: ReturnType<typeof JSON.parse>
}

interface Running extends Objectry {
  call(method: string, path: string, body?: object): Promise<Answer>
}

async function withServer(
  settings: Parameters<typeof readConfig>[1],
  work: (server: Running) => Promise<void>,
): Promise<void> {
  const flags = { port: '0', sitePort: '0', logLevel: 'silent', ...settings }
  const server = await start(readConfig(SECRET_KEY, flags))
  try {
    const token = await server.issueToken()
    const call = async (method: string, path: string, body?: object) => {
      const answer = await fetch(`${server.address}/services/data/v64.0${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: body ? JSON.stringify(body) : null,
      })
      const text = await answer.text()
      return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
    }
    await work({ ...server, call })
  } finally {
    await server.stop()
  }
}

async function withFolder(work: (data: string) => Promise<void>): Promise<void> {
  const { data, remove } = makeDataFolder()
  try {
    await work(data)
  } finally {
    remove()
  }
}

async function makeAccountsSlow({ engine }: Objectry, seconds: number): Promise<void> {
  const [org] = await loadOrgs(engine.db)
  await makeSlow({ org: org!, db: engine.db }, 'account', seconds)
}

const create = ({ call }: Running, Name: string, Description?: string) =>
  call('POST', '/sobjects/Account', { Name, Description })

const fetchStatus = async ({ address }: Objectry, path: string) => (await fetch(address + path)).status

async function fetchNames({ call }: Running): Promise<readonly string[]> {
  const soql = 'SELECT Name FROM Account ORDER BY Name'
  const { body } = await call('GET', `/query?q=${encodeURIComponent(soql)}`)
  return body.records.map(({ Name }: { Name: string }) => Name)
}

const statusesOf = (answers: readonly Answer[]) => answers.map(({ status }) => status)

describe('a statement that takes too long', ON_EMBEDDED, () => {
  test('is ended after OBJECTRY_STATEMENT_SECONDS; others wait for it, and nothing acknowledged is lost', () =>
    withFolder((data) =>
      withServer({ data, statementSeconds: '2' }, async (server) => {
        await makeAccountsSlow(server, 60)
        const before = await Promise.all(['a', 'b'].map((name) => create(server, name)))
        const slow = create(server, 'slow')
        await sleep(300)
        const during = await Promise.all(['c', 'd'].map((name) => create(server, name)))
        const { status, body } = await slow
        assert.deepEqual([status, body[0].errorCode], [400, 'QUERY_TIMEOUT'])
        assert.deepEqual(statusesOf([...before, ...during]), [201, 201, 201, 201])
        assert.deepEqual(await fetchNames(server), ['a', 'b', 'c', 'd'])
        assert.equal(await server.stop(), 'finished')
      }),
    ))

  test('is ended with its call', () =>
    withFolder((data) =>
      withServer({ data, callSeconds: '1' }, async (server) => {
        await makeAccountsSlow(server, 60)
        const { status, body } = await create(server, 'slow')
        assert.deepEqual([status, body[0].errorCode], [503, 'REQUEST_RUNNING_TOO_LONG'])
        assert.equal((await create(server, 'a')).status, 201)
        assert.deepEqual(await fetchNames(server), ['a'])
      }),
    ))

  test('in memory goes on, because its end would lose all data: its call and others are answered', () =>
    withServer({ data: 'memory', statementSeconds: '1', connectionSeconds: '1' }, async (server) => {
      await makeAccountsSlow(server, 5)
      const slow = await create(server, 'slow')
      assert.equal(slow.status, 503)
      assert.match(slow.body[0].message, /its outcome is unknown/)
      const { status, body } = await create(server, 'refused')
      assert.deepEqual([status, body[0].errorCode], [503, 'SERVER_UNAVAILABLE'])
      const health = ['/healthz', '/readyz'].map((path) => fetchStatus(server, path))
      assert.deepEqual(await Promise.all(health), [200, 503])
      while ((await fetchStatus(server, '/readyz')) !== 200) await sleep(100)
      assert.equal((await create(server, 'a')).status, 201)
      assert.deepEqual(await fetchNames(server), ['a', 'slow'])
    }))

  test('does not hold the event loop', () =>
    withServer({ data: 'memory' }, async (server) => {
      await makeAccountsSlow(server, 2)
      let isDone = false
      const slow = create(server, 'slow').finally(() => {
        isDone = true
      })
      await sleep(300)
      assert.deepEqual([await fetchStatus(server, '/healthz'), isDone], [200, false])
      assert.equal((await slow).status, 201)
    }))
})

test(
  'a data folder that is removed is answered with 503, and no other database is made in its place',
  {
    ...ON_EMBEDDED,
  },
  () =>
    withFolder((data) =>
      withServer({ data }, async (server) => {
        assert.equal((await create(server, 'a')).status, 201)
        renameSync(join(data, 'database'), join(data, 'elsewhere'))
        while ((await create(server, 'b')).status === 201) await sleep(100)
        assert.equal(await fetchStatus(server, '/readyz'), 503)
        assert.equal((await create(server, 'c')).status, 503)
        assert.equal(existsSync(join(data, 'database')), false)
        renameSync(join(data, 'elsewhere'), join(data, 'database'))
        while ((await fetchStatus(server, '/readyz')) !== 200) await sleep(100)
        assert.equal((await fetchNames(server))[0], 'a')
      }),
    ),
)

test('a disk with too little space for the log is answered with 503 until it has space again; reads go on', {
  ...ON_EMBEDDED,
}, async (t) => {
  const disk = mountSmallDisk(160)
  if (disk === undefined) return t.skip('mounting a small disk is not permitted')
  const { data: prepared, remove } = makeDataFolder()
  const data = join(disk.folder, 'data')
  try {
    await cp(prepared, data, { recursive: true })
    await withServer({ data }, async (server) => {
      const filler = join(disk.folder, 'filler')
      const { bavail, bsize } = statfsSync(disk.folder)
      // The engine does not end a statement for which it cannot make the next segment of its log, which takes 16 MB.
      writeFileSync(filler, Buffer.alloc(bavail * bsize - 27 * 1024 ** 2))
      const acknowledged: string[] = []
      const statuses = new Set<number>()
      for (let n = 100; n < 400; n++) {
        const { status } = await create(server, String(n), randomBytes(12_000).toString('base64'))
        statuses.add(status)
        if (status === 201) acknowledged.push(String(n))
      }
      assert.deepEqual([...statuses].sort(), [201, 503])
      assert.deepEqual(await fetchNames(server), acknowledged)
      const health = ['/healthz', '/readyz'].map((path) => fetchStatus(server, path))
      assert.deepEqual(await Promise.all(health), [200, 503])
      rmSync(filler)
      while ((await fetchStatus(server, '/readyz')) !== 200) await sleep(100)
      assert.equal((await create(server, '999')).status, 201)
      assert.deepEqual(await fetchNames(server), [...acknowledged, '999'])
      assert.equal(await server.stop(), 'finished')
    })
  } finally {
    remove()
    disk.remove()
  }
})
