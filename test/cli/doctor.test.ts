import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import type { Finding } from '../../src/cli/doctor/finding.ts'
import { readConfig } from '../../src/config/config.ts'
import { start } from '../../src/server/main.ts'
import { ON_EMBEDDED, onPostgres } from '../support/engine.ts'
import { runCommand } from '../support/run-command.ts'
import { makeDataFolder, type Variables } from '../support/server-process.ts'

/** Ports that nobody has to share. */
const FREE_PORTS = { PORT: '0', SITE_PORT: '0' }

interface Examined {
  readonly code: number
  find(check: string): readonly Finding[]
}

async function examine(variables: Variables, ...args: string[]): Promise<Examined> {
  const { code, out, error } = await runCommand(['doctor', '--json', ...args], {
    ...FREE_PORTS,
    ...variables,
  })
  assert.equal(error, '')
  const findings: Finding[] = JSON.parse(out)
  return { code, find: (check) => findings.filter((finding) => finding.check === check) }
}

async function listen(): Promise<{ server: Server; port: string }> {
  // It accepts connections and never says a word.
  const server = createServer(() => {}).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, port: String((server.address() as AddressInfo).port) }
}

describe('objectry doctor', ON_EMBEDDED, () => {
  const { data, remove } = makeDataFolder()
  after(remove)
  const settings = { OBJECTRY_DATA: data }

  test('prints a line for each check, and ends with 0 where there is no problem', async () => {
    const { code, out, error } = await runCommand(['doctor'], { ...FREE_PORTS, ...settings })
    assert.deepEqual([code, error], [0, ''])
    for (const check of ['Objectry', 'Node.js', 'settings', 'secret key', 'data folder', 'disk', 'database'])
      assert.match(out, new RegExp(`^ok +${check} `, 'm'))
    assert.match(out, /\n\n\d+ ok, \d+ warnings?, 0 problems\n$/)
  })

  test('a variable that is no setting is a warning, with the one that was meant', async () => {
    const { code, find } = await examine({ ...settings, OBJECTRY_PUBLIC_ULR: 'x' })
    assert.equal(code, 0)
    assert.deepEqual(find('settings'), [
      {
        check: 'settings',
        status: 'warning',
        message: 'OBJECTRY_PUBLIC_ULR is set, and there is no such setting',
        remedy: 'Did you mean OBJECTRY_PUBLIC_URL?',
      },
    ])
  })

  test('unsafe settings are warnings', async () => {
    const { find } = await examine({ ...settings, HOST: '0.0.0.0', OBJECTRY_ALLOW_FAULTS: 'true' })
    assert.deepEqual(
      find('settings').map(({ status }) => status),
      ['warning', 'warning'],
    )
  })

  test('a wrong setting is a problem, and ends with 1', async () => {
    const { code, find } = await examine({ ...settings, PORT: 'http' })
    assert.equal(code, 1)
    assert.match(find('settings')[0]!.message, /^PORT must be a whole number/)
  })

  test('a port of another program is a problem', async () => {
    const { server, port } = await listen()
    try {
      const { code, find } = await examine({ ...settings, PORT: port })
      assert.equal(code, 1)
      assert.equal(find(`port ${port}`)[0]!.message, 'in use by another program')
    } finally {
      server.close()
    }
  })

  test('a data folder that a server holds is fine', async () => {
    const server = await start(readConfig({}, { data, port: '0', sitePort: '0', logLevel: 'silent' }))
    try {
      const { code, find } = await examine(settings)
      assert.equal(code, 0)
      assert.equal(find('data folder')[0]!.message, `${data}, in use by the server at ${server.address}`)
    } finally {
      await server.stop()
    }
  })

  test('a data folder that cannot be made is a problem', async () => {
    writeFileSync(join(data, 'file'), '')
    const { code, find } = await examine({ OBJECTRY_DATA: join(data, 'file/records') })
    assert.equal(code, 1)
    assert.equal(find('data folder')[0]!.status, 'problem')
  })

  test('a database that does not answer is a problem, and keeps nobody waiting', async () => {
    const { server, port } = await listen()
    try {
      const { code, find } = await examine({ ...settings, DATABASE_URL: `postgres://x@127.0.0.1:${port}/y` })
      assert.equal(code, 1)
      const [finding] = find('database')
      assert.equal(finding!.status, 'problem')
      assert.notEqual(finding!.remedy, null)
    } finally {
      server.close()
    }
  })
})

test('a database of PostgreSQL is examined', { skip: !onPostgres && 'needs PostgreSQL' }, async () => {
  const { code, find } = await examine({ DATABASE_URL: process.env.TEST_DATABASE_URL! })
  assert.equal(code, 0)
  assert.match(find('database')[0]!.message, /^PostgreSQL \d+/)
  for (const check of ['database', 'database rights', 'clock'])
    assert.equal(find(check)[0]!.status, 'ok', check)
})
