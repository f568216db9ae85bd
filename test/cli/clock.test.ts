import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { readConfig } from '../../src/config/config.ts'
import { type Objectry, start } from '../../src/server/main.ts'
import { ON_EMBEDDED } from '../support/engine.ts'
import { runCommand } from '../support/run-command.ts'
import { makeDataFolder } from '../support/server-process.ts'

/* `objectry clock` and `objectry versions` as people run them against a server. */

describe('objectry clock', ON_EMBEDDED, () => {
  const folder = makeDataFolder()
  const settings = { data: folder.data, port: '0', sitePort: '0', logLevel: 'silent', allowFaults: 'true' }
  const run = (...args: string[]) => runCommand(args, { OBJECTRY_DATA: folder.data })
  let server: Objectry

  before(async () => {
    server = await start(readConfig({}, settings))
  })
  after(async () => {
    await server.stop()
    folder.remove()
  })

  test('advance and set move it, show tells where it is, reset puts it back', async () => {
    const moved = await run('clock', 'advance', '1d12h')
    assert.deepEqual([moved.code, moved.error], [0, ''])
    assert.match(moved.out, /^\S+Z, 1 day 12 hours ahead of the machine's time\n$/)
    assert.match((await run('clock', 'set', '2028-06-01')).out, /^2028-06-01T00:00:0\dZ, \d+ days/)
    assert.match((await run('clock', 'show')).out, /^2028-06-01T00:0/)
    assert.match((await run('clock', 'reset')).out, /^\S+Z, the machine's time\n$/)
  })

  test('advance says which times it takes', async () => {
    const { code, error } = await run('clock', 'advance', 'tomorrow')
    assert.deepEqual([code, error], [2, 'How far? A time like 90s, 15m, 36h, 2d or 1w, not "tomorrow".\n'])
  })

  test('versions tells who speaks a version and when it retires', async () => {
    const token = await server.issueToken()
    const headers = { authorization: `Bearer ${token}` }
    assert.equal((await fetch(`${server.address}/services/data/v40.0/limits`, { headers })).status, 200)
    const { out } = await run('versions', '--all')
    assert.match(out, /^version {2}release {4,6}support {4}retires {5}calls {2}app {2}last day\n/)
    assert.match(out, /^40\.0 {5}Summer '17 {2}supported {2}2028-06-01 {6}1 {2}- {4}20\d\d-/m)
  })
})
