import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { readConfig } from '../../src/config/config.ts'
import { type Objectry, start } from '../../src/server/main.ts'
import { ON_EMBEDDED } from '../support/engine.ts'
import { runCommand } from '../support/run-command.ts'
import { makeDataFolder } from '../support/server-process.ts'

/* Commands of clusters on a database that is none. `test/cluster` runs them on one. */

describe('a database that is no cluster', ON_EMBEDDED, () => {
  const folder = makeDataFolder()
  const run = (...args: string[]) => runCommand(args, { OBJECTRY_DATA: folder.data })
  let server: Objectry

  before(async () => {
    server = await start(readConfig({}, { data: folder.data, port: '0', sitePort: '0', logLevel: 'silent' }))
  })
  after(async () => {
    await server.stop()
    folder.remove()
  })

  for (const args of [
    ['cluster', 'status'],
    ['cluster', 'rebalance'],
    ['cluster', 'drain', 'worker-1:5432'],
    ['org', 'move', 'Objectry', '--to', 'worker-1:5432'],
  ]) {
    test(`objectry ${args.slice(0, 2).join(' ')} says so`, async () => {
      const { code, out, error } = await run(...args)
      assert.deepEqual([code, out], [1, ''])
      assert.match(error, /^INVALID_OPERATION: The database is no cluster: .*run-on-a-cluster\.md/)
    })
  }

  test('objectry org list has no nodes', async () => {
    const [org] = JSON.parse((await run('org', 'list', '--json')).out)
    assert.deepEqual(Object.keys(org), ['id', 'name', 'upgrade'])
  })
})
