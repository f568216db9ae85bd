import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { ON_EMBEDDED } from '../support/engine.ts'
import { runCommand } from '../support/run-command.ts'

test('objectry --version prints the version of the package', ON_EMBEDDED, async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  for (const flag of ['--version', '-V']) {
    assert.deepEqual(await runCommand([flag], {}), { code: 0, out: `${version}\n`, error: '' })
  }
})
