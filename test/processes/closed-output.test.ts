import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { readConfig } from '../../src/config/config.ts'
import { type Objectry, start } from '../../src/server/main.ts'
import { spawnCommand } from '../support/command-process.ts'
import { ON_EMBEDDED } from '../support/engine.ts'
import { COMMAND, ENVIRONMENT, makeDataFolder, V8_FLAGS } from '../support/server-process.ts'

describe('output that cannot be written', ON_EMBEDDED, () => {
  const folder = makeDataFolder()
  const variables = { OBJECTRY_DATA: folder.data }
  let server: Objectry

  before(async () => {
    server = await start(readConfig({}, { data: folder.data, port: '0', sitePort: '0', logLevel: 'silent' }))
  })
  after(async () => {
    await server.stop()
    folder.remove()
  })

  const commands: readonly (readonly string[])[] = [
    ['--help'],
    ['completion', 'bash'],
    ['init', join(folder.data, '../project')],
    ['versions'],
    ['user', 'list'],
    ['job', 'runs'],
    ['bulk', 'list', '--json'],
    ['org', 'create', 'Second'],
    ['snapshot', 'save', 'start'],
    ['schema', 'export', '--json'],
    ['recompute', 'Account'],
    ['query', 'SELECT Name FROM User'],
    ['export', '--object', 'User'],
    ['types'],
  ]
  for (const args of commands) {
    test(`a reader that leaves is no failure of ${args.slice(0, 2).join(' ')}`, async () => {
      const child = spawnCommand(args, variables)
      child.stdout!.destroy()
      const [[code], error] = await Promise.all([once(child, 'exit'), text(child.stderr!)])
      assert.equal(code, 0, error)
      assert.doesNotMatch(error, /EPIPE|\n {4}at /)
    })
  }

  test('a full disk is, and is told once', {
    skip: !existsSync('/dev/full') && 'no such device',
  }, async () => {
    for (const args of [
      ['user', 'list'],
      ['query', 'SELECT Name FROM User'],
    ]) {
      const full = openSync('/dev/full', 'w')
      const child = spawn(process.execPath, [...V8_FLAGS, COMMAND, ...args], {
        env: { ...ENVIRONMENT, ...variables },
        stdio: ['ignore', full, 'pipe'],
      })
      closeSync(full)
      const [[code], error] = await Promise.all([once(child, 'exit'), text(child.stderr!)])
      assert.deepEqual([code, error], [1, 'ENOSPC: no space left on device, write\n'])
    }
  })
})
