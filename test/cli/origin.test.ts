import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { readConfig } from '../../src/config/config.ts'
import { type Objectry, start } from '../../src/server/main.ts'
import { ON_EMBEDDED } from '../support/engine.ts'
import { runCommand } from '../support/run-command.ts'
import { makeDataFolder } from '../support/server-process.ts'

/* `objectry origin` as people run it. */

describe('objectry origin', ON_EMBEDDED, () => {
  const folder = makeDataFolder()
  const run = (...args: string[]) => runCommand(['origin', ...args], { OBJECTRY_DATA: folder.data })
  let server: Objectry

  before(async () => {
    server = await start(
      readConfig({}, { data: folder.data, port: '0', sitePort: 'off', logLevel: 'silent' }),
    )
  })
  after(async () => {
    await server.stop()
    folder.remove()
  })

  test('lets pages of an origin call and takes it back, which a server notices at once', async () => {
    const status = async () => {
      const headers = { origin: 'https://app.example.com' }
      return (await fetch(`${server.address}/services/data`, { headers })).status
    }
    assert.equal((await run('list')).out, 'No origin is allowed but those of the server itself.\n')
    assert.equal(await status(), 403)
    const allowed = await run('allow', 'https://app.example.com')
    assert.equal(allowed.out, 'Pages of https://app.example.com may call.\n')
    assert.equal(await status(), 200)
    assert.equal((await run('list')).out, 'https://app.example.com\n')
    assert.equal((await run('remove', 'https://app.example.com')).code, 0)
    assert.equal(await status(), 403)
    const wrong = await run('allow', '*')
    assert.deepEqual([wrong.code, /An origin is like/.test(wrong.error)], [1, true])
  })
})
