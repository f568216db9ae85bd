import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createConnection, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openEngine } from '../../src/storage/open-engine.ts'
import { onPostgres } from '../support/engine.ts'
import { makeOwnDatabase } from '../support/own-database.ts'

/* PgBouncer between a server and PostgreSQL. */

const PROGRAM = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((path) => existsSync(path))

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

const accepts = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = createConnection(port, '127.0.0.1')
    socket.once('connect', () => socket.destroy())
    socket.once('error', () => resolve(false))
    socket.once('close', () => resolve(true))
  })

/** Opens a database by way of PgBouncer. */
async function openThrough(mode: string): Promise<void> {
  const { url, drop } = await makeOwnDatabase(process.env.TEST_DATABASE_URL!, `pooler_${mode}`)
  const target = new URL(url)
  const port = await findFreePort()
  const folder = mkdtempSync(join(tmpdir(), 'objectry-pooler-'))
  chmodSync(folder, 0o755)
  const file = join(folder, 'pgbouncer.ini')
  const { hostname, username, password } = target
  const reaches = `host=${hostname} port=${target.port || 5432} user=${username}${password && ` password=${password}`}`
  writeFileSync(
    file,
    `[databases]\n* = ${reaches}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\nauth_type = any\npool_mode = ${mode}\nunix_socket_dir =\n`,
  )
  // It does not run as root.
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const child = spawn(PROGRAM!, [...user, file], { stdio: 'ignore' })
  try {
    while (!(await accepts(port))) await sleep(50)
    target.hostname = '127.0.0.1'
    target.port = String(port)
    const engine = await openEngine({ databaseUrl: target.href, poolSize: 2, data: 'memory' })
    await engine.close()
  } finally {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true })
    await drop()
  }
}

describe('a connection pooler', {
  skip:
    (!onPostgres && 'the embedded engine has none') ||
    (PROGRAM === undefined && 'PgBouncer is not installed'),
}, () => {
  for (const mode of ['transaction', 'statement']) {
    test(`that gives sessions to several connections in turn (${mode}) is refused at the start`, async () => {
      await assert.rejects(
        openThrough(mode),
        /^Error: DATABASE_URL leads to a connection pooler .* pool_mode = session/,
      )
    })
  }

  test('that keeps sessions is used', () => openThrough('session'))
})
