import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setupRoutes } from '../../src/admin/setup-routes.ts'
import { ROUTES } from '../../src/resources/routes.ts'
import { codeIn, tableRows } from './documented-tables.ts'

/** Method and path of every line of the page's tables that has them. */
const documented = tableRows('reference/resources.md')
  .filter(([method]) => /^[A-Z]+$/.test(method!))
  .map(([method, path]) => `${method} ${codeIn(path!)}`)

test('every route is on the reference page, and no other path of the data API', () => {
  const outside = [
    '/services/',
    '/cometd/',
    '/id/',
    '/healthz',
    '/readyz',
    '/metrics',
    '/setup/',
    '/.well-known/',
  ]
  const data = documented.filter((line) => !outside.some((start) => line.includes(` ${start}`)))
  assert.deepEqual(data.sort(), ROUTES.map(({ method, path }) => `${method} ${path}`).sort())
})

test('every route of the admin API is on the reference page, and no other path below it', () => {
  const setup = documented.filter((line) => line.includes(' /setup/'))
  const routes = setupRoutes({} as never).map(({ method, path }) => `${method} /setup${path}`)
  assert.deepEqual(setup.sort(), routes.sort())
})
