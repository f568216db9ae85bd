import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { readConfig } from '../../src/config/config.ts'
import { type Objectry, start } from '../../src/server/main.ts'
import { ON_EMBEDDED } from '../support/engine.ts'
import { runCommand } from '../support/run-command.ts'
import { makeDataFolder } from '../support/server-process.ts'

describe('objectry why', ON_EMBEDDED, () => {
  const folder = makeDataFolder()
  const run = (...args: string[]) => runCommand(args, { OBJECTRY_DATA: folder.data })
  let server: Objectry
  let record: string

  before(async () => {
    server = await start(readConfig({}, { data: folder.data, port: '0', sitePort: '0', logLevel: 'silent' }))
    const found = await run('query', '--format', 'json', 'SELECT Id FROM Pricebook2')
    record = JSON.parse(found.out)[0].Id
  })
  after(async () => {
    await server.stop()
    folder.remove()
  })

  test('tells what a user can do with a record, each with its reasons', async () => {
    const { code, out } = await run('why', 'admin@objectry.local', record)
    assert.equal(code, 0)
    const because = (what: string) =>
      `admin@objectry.local can ${what} it:\n  - Administrator has ModifyAllData.\n`
    assert.equal(
      out,
      `Pricebook2 "Standard Price Book" (${record})\n\n${['see', 'edit', 'delete'].map(because).join('\n')}`,
    )
  })

  test('says so when there is no such user', async () => {
    const { code, error } = await run('why', 'nobody', record)
    assert.equal(code, 1)
    assert.match(error, /There is no user nobody/)
  })
})
