import assert from 'node:assert/strict'
import { test } from 'node:test'
import { provisionOrg } from '../../src/orgs/provision-org.ts'
import { sharedEngine } from '../support/engine.ts'
import { makeApp } from '../support/make-app.ts'
import { assertOAuthError, postForm } from '../support/oauth.ts'
import { makeAnswer, openOrg } from '../support/org.ts'

/* An org may have a host of its own: there it is reached, and no other one. */

const HOST = 'acme-oauth.localhost'

test('an org with a host of its own is reached there and on this machine; its tokens are given elsewhere too', async () => {
  const { db } = await sharedEngine()
  const { org: acme, userId } = await provisionOrg(
    db,
    'Acme',
    { username: 'admin@acme.test' },
    new Date(),
    HOST,
  )
  const other = await openOrg()
  const { server } = other
  const runsAs = { enableClientCredentials: true, scopes: ['api', 'openid'] }
  const ask = async (where: { db: typeof db; org: typeof acme; userId: string }, host: string) => {
    const client_id = await makeApp(where, { ...runsAs, runAsUserId: where.userId })
    const form = { grant_type: 'client_credentials', client_id, client_secret: 's' }
    return postForm(other, 'token', form, { host })
  }
  const refused = await ask(other, HOST)
  assertOAuthError(refused, 'invalid_grant', 'request not supported on this domain')

  const { body } = await ask({ db, org: acme, userId }, `${HOST}:8080`)
  assert.equal(body.instance_url, `http://${HOST}:8080`)
  assert.equal(body.id, `http://${HOST}:8080/id/${acme.id}/${userId}`)
  const { body: elsewhere } = await ask({ db, org: acme, userId }, 'records.example.com')
  assert.equal(elsewhere.instance_url, `http://${HOST}`)

  const records = async (token: string, at: string, path = '/services/data/v64.0/limits') => {
    const headers = { host: at, authorization: `Bearer ${token}` }
    return (await server.inject({ method: 'GET', url: path, headers })).statusCode
  }
  const token = elsewhere.access_token
  for (const path of ['/services/data/v64.0/limits', '/setup/orgs/current']) {
    for (const at of ['records.example.com', '10.0.0.5:8080'])
      assert.equal(await records(token, at, path), 401)
    for (const at of [HOST, '127.0.0.1:8080', 'localhost', '[::1]:8080']) {
      assert.equal(await records(token, at, path), 200, at)
    }
  }
  assert.equal(await records(other.token, 'records.example.com'), 200)
  assert.equal(await records(other.token, HOST), 401)

  const look = async (path: string, token: string, host: string) => {
    const headers = { host, authorization: `Bearer ${token}` }
    const { status, text } = makeAnswer(await server.inject({ method: 'GET', url: path, headers }))
    return status === 200 ? status : text
  }
  const theirs = `/id/${other.org.id}/${other.userId}`
  assert.equal(await look(theirs, other.token, 'records.example.com'), 200)
  for (const path of [theirs, '/services/oauth2/userinfo']) {
    assert.equal(await look(path, other.token, HOST), 'Bad_OAuth_Token')
  }
  assert.equal(await look('/services/oauth2/userinfo', body.access_token, HOST), 200)
})
