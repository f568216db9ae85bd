import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeAnswer, openOrg } from '../support/org.ts'

test('a token in the address opens nothing but the identity', async () => {
  const org = await openOrg()
  for (const name of ['oauth_token', 'access_token', 'token', 'sid', 'session_id']) {
    const query = new URLSearchParams({ [name]: org.token })
    for (const [path, status] of [
      ['/services/data/v64.0', 401],
      ['/services/data/v64.0/sobjects', 401],
      ['/services/data/v64.0/query', 401],
      ['/setup/orgs', 401],
      ['/services/oauth2/userinfo', 403],
    ] as const) {
      const { server } = org
      const answer = makeAnswer(await server.inject({ method: 'GET', url: `${path}?${query}` }))
      assert.equal(answer.status, status, `${path} ${name}`)
    }
  }
  const url = `/id/${org.org.id}/${org.userId}?oauth_token=${encodeURIComponent(org.token)}`
  assert.equal((await org.server.inject({ method: 'GET', url })).statusCode, 200)
})
