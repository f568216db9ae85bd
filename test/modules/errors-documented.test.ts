import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { ERROR_CODES } from '../../src/base/error-codes.ts'
import { codeIn, tableRows } from './documented-tables.ts'

const documented = tableRows('reference/errors.md').map(([code, status, when, what]) => ({
  code: codeIn(code!),
  status: Number(status),
  when,
  what,
}))

test('every error code stands on the reference page once, with its status, when it happens and what to do', () => {
  const page = Object.fromEntries(documented.map(({ code, status }) => [code, status]))
  assert.deepEqual(page, ERROR_CODES)
  assert.equal(documented.length, Object.keys(ERROR_CODES).length)
  for (const { code, when, what } of documented) assert.ok(when && what, code)
})

test('every error code can be met: some file throws it', () => {
  const source = globSync('src/**/*.ts')
    .filter((path) => !path.endsWith('error-codes.ts'))
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n')
  const unused = Object.keys(ERROR_CODES).filter((code) => !source.includes(`'${code}'`))
  assert.deepEqual(unused, [])
})
