import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkDataAccess, findSiteOrg, identifyGuest } from '../../src/http/middleware/authenticate.ts'
import { loadSchema } from '../../src/http/middleware/load-schema.ts'
import { pipeline } from '../../src/http/pipeline/pipeline.ts'

test('a middleware that comes before what it needs does not compile', () => {
  const guest = pipeline()
    .use(findSiteOrg({} as never))
    .use(identifyGuest)
  assert.ok(guest.use(loadSchema))
  // @ts-expect-error no org is known yet
  assert.ok(pipeline().use(loadSchema))
  // @ts-expect-error a guest has no token whose scopes could be checked
  assert.ok(guest.use(checkDataAccess))
  // @ts-expect-error the schema is not loaded yet
  assert.ok(guest.handle(({ schema }) => ({ status: schema.version })))
})
