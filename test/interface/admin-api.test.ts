import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { setupRoutes } from '../../src/admin/setup-routes.ts'
import { Sessions } from '../../src/auth/tokens/sessions.ts'
import { systemClock } from '../../src/base/clock.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { createUser } from '../support/create-user.ts'
import { makeAnswer, openOrg, type TestOrg } from '../support/org.ts'

let org: TestOrg

before(async () => {
  org = await openOrg()
})

const get = async (path: string, token = org.token) =>
  makeAnswer(
    await org.server.inject({ method: 'GET', url: path, headers: { authorization: `Bearer ${token}` } }),
  )

for (const { method, path } of setupRoutes({} as never)) {
  test(`${method} /setup${path} answers 401 without a token`, async () => {
    const url = `/setup${path.replaceAll(/:(\w+)/g, 'x')}`
    const answer = makeAnswer(
      await org.server.inject({ method, url, ...(method !== 'GET' && { payload: '{}' }) }),
    )
    assertRefused(answer, 401, 'INVALID_SESSION_ID', 'Session expired or invalid')
  })
}

test('an org is named by its id, its name, or as the current one', async () => {
  for (const name of [org.org.id, org.org.id.slice(0, 15), org.org.name.toUpperCase(), 'current']) {
    const { status, body } = await get(`/setup/orgs/${name}`)
    assert.equal(status, 200)
    assert.equal(body.id, org.org.id)
  }
})

test('a token does not open another org', async () => {
  const other = await openOrg()
  for (const path of ['', '/schema', '/snapshots']) {
    const answer = await get(`/setup/orgs/${org.org.id}${path}`, other.token)
    assertRefused(answer, 404, 'NOT_FOUND', /another org/)
  }
  const { body } = await get('/setup/orgs', other.token)
  assert.deepEqual(
    body.map(({ id, name }: { id: string; name: string }) => ({ id, name })),
    [{ id: other.org.id, name: 'Test' }],
  )
})

test('only administrators may call the admin API', async () => {
  const profile = await org.create('Profile', { Name: 'Plain', PermissionsApiEnabled: true })
  const userId = await createUser(org, 'plain', { ProfileId: profile })
  const given = { org: org.org, clientId: org.clientId, userId, scopes: ['api'], grantType: 'test' }
  const token = await new Sessions(org.db, () => systemClock, 7200).issue(given)
  assertRefused(await get('/setup/orgs/current', token), 403, 'INSUFFICIENT_ACCESS', /administrator/)
})
