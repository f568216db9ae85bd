import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ROUTES } from '../../src/resources/routes.ts'
import { codeIn, tableRows } from './documented-tables.ts'

test('every route stands on the reference page, and no other path of the data door', () => {
  const outside = ['/services/', '/id/', '/healthz']
  const documented = tableRows('reference/resources.md')
    .filter(([method]) => /^[A-Z]+$/.test(method!))
    .map(([method, path]) => `${method} ${codeIn(path!)}`)
    .filter((line) => !outside.some((start) => line.includes(` ${start}`)))
  assert.deepEqual(documented.sort(), ROUTES.map(({ method, path }) => `${method} ${path}`).sort())
})
