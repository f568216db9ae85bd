import { before, test } from 'node:test'
import { ROUTES } from '../../src/resources/routes.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { makeAnswer, openOrg, type TestOrg } from '../support/org.ts'

let org: TestOrg

before(async () => {
  org = await openOrg()
})

for (const { method, path } of ROUTES) {
  test(`${method} ${path} answers 401 without a token`, async () => {
    const url = `/services/data/v64.0${path.replaceAll(/:(\w+)/g, 'x')}`
    const answer = makeAnswer(
      await org.server.inject({ method, url, ...(method !== 'GET' && { payload: '{}' }) }),
    )
    assertRefused(answer, 401, 'INVALID_SESSION_ID', 'Session expired or invalid')
  })
}
