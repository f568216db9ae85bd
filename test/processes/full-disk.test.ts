import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { findPostgres, PostgresCluster } from '../soak/faults/postgres-cluster.ts'
import { diskFull } from '../soak/faults/small-disk.ts'
import { onPostgres } from '../support/engine.ts'
import { credentialsIn, fetchToken, type ServerProcess, startServer } from '../support/server-process.ts'
import { mountSmallDisk } from '../support/small-disk.ts'

/* PostgreSQL without space, in a cluster of its own. */

const FULL = { status: 'the disk of the database is full' }

test('a full disk of PostgreSQL refuses writes; reads, descriptions and tokens go on', {
  skip: !onPostgres,
}, async (t) => {
  const programs = findPostgres()
  if (programs === undefined) return t.skip('the programs of a PostgreSQL server are not installed')
  const disk = mountSmallDisk(160)
  if (disk === undefined) return t.skip('mounting a small disk is not permitted')
  const logFolder = mkdtempSync(join(tmpdir(), 'objectry-log-'))
  const cluster = await PostgresCluster.start(programs, disk.folder, logFolder)
  const filling = diskFull(disk)
  const servers: ServerProcess[] = []
  try {
    const variables = { DATABASE_URL: cluster.url() }
    servers.push(await startServer(variables), await startServer(variables))
    const [server, other] = servers as [ServerProcess, ServerProcess]
    const credentials = credentialsIn(server.greeting)!
    let token = await fetchToken(server.address, credentials)
    const call = async (method: string, path: string, body?: unknown, { address } = server) => {
      const response = await fetch(address + path, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: body === undefined ? null : JSON.stringify(body),
      })
      // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
      return { status: response.status, body: (await response.json()) as any }
    }
    const create = (name: string) =>
      call('POST', '/services/data/v64.0/sobjects/Account', { Name: name, Description: name.repeat(3000) })
    const QUERY = '/services/data/v64.0/query?q=SELECT+Name+FROM+Account+ORDER+BY+Name'
    const READS = [QUERY, '/services/data/v64.0/sobjects/Contact/describe', '/services/oauth2/userinfo']
    const acknowledged: string[] = ['a0']
    // The table is made with its first use.
    assert.equal((await create('a0')).status, 201)
    await filling.begin()
    for (let refused = 0; refused < 20; ) {
      const { status, body } = await create(`a${acknowledged.length}`)
      if (status === 201) acknowledged.push(`a${acknowledged.length}`)
      else refused++
      if (status !== 201) assert.deepEqual([status, body[0].errorCode], [503, 'SERVER_UNAVAILABLE'])
    }
    // Leases end, and the tables of tokens have no place left.
    for (let round = 0; round < 80; round++) {
      token = await fetchToken(server.address, credentials)
      for (const path of READS) assert.equal((await call('GET', path)).status, 200, path)
      await sleep(50)
    }
    const { status, body } = await create('b')
    assert.deepEqual([status, body[0].errorCode], [503, 'SERVER_UNAVAILABLE'])
    assert.equal(body[0].message, 'The disk of the database is full: nothing was written.')
    assert.deepEqual(await call('GET', '/readyz'), { status: 503, body: FULL })
    await filling.end()
    while ((await call('GET', '/readyz')).status !== 200) await sleep(100)
    // It was issued when it could not be stored.
    while ((await call('GET', QUERY)).status !== 401) await sleep(100)
    token = await fetchToken(server.address, credentials)
    assert.equal((await create('c')).status, 201)
    const { records } = (await call('GET', QUERY)).body
    assert.deepEqual(
      records.map(({ Name }: { Name: string }) => Name),
      [...acknowledged, 'c'].sort(),
    )
    assert.equal((await call('GET', QUERY, undefined, other)).status, 200)
    for (const one of servers) assert.equal((await one.end('SIGTERM')).code, 0)
  } finally {
    for (const one of servers) await one.end('SIGKILL')
    await filling.end().catch(() => {})
    await cluster.stop()
    disk.remove()
    rmSync(logFolder, { recursive: true })
  }
})
