import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { assertRefused } from '../support/assert-refused.ts'
import { ingest } from '../support/bulk.ts'
import { askToken, assertOAuthError, fetchTokens, statusWith } from '../support/oauth.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson } from '../support/people.ts'

/* Connected apps as records: made, changed, blocked and deleted like any others, by whoever may manage users. */

let o: TestOrg

const SETTINGS = {
  Name: 'Records',
  Scopes: 'api;refresh_token',
  EnableClientCredentials: true,
  CallbackUrls: 'https://app.example.com/callback\nmyapp://callback',
}

before(async () => {
  o = await openOrg()
})

async function makeApp(): Promise<{ id: string; clientId: string; clientSecret: string }> {
  const id = await o.create('ConnectedApplication', { ...SETTINGS, RunAsUserId: o.userId })
  const { body } = await o.call('GET', `/sobjects/ConnectedApplication/${id}?fields=ConsumerKey`)
  const clientId = body.ConsumerKey
  const rotated = await o.call('POST', `/setup/orgs/current/apps/${clientId}/rotate`)
  return { id, clientId, clientSecret: rotated.body.clientSecret }
}

const credentials = ({ clientId, clientSecret }: Awaited<ReturnType<typeof makeApp>>) => ({
  grant_type: 'client_credentials',
  client_id: clientId,
  client_secret: clientSecret,
})

test('a new record is a client, without a secret until one is made', async () => {
  const app = await makeApp()
  assert.match(app.clientId, /^3MVG9[A-Za-z0-9._]{80}$/)
  const { access_token } = await fetchTokens(o, credentials(app))
  assert.equal(await statusWith(o, access_token), 200)
})

test('a consumer key is taken once, in whatever org', async () => {
  const { body } = await o.call(
    'GET',
    "/query?q=SELECT+ConsumerKey+FROM+ConnectedApplication+WHERE+Name='First+app'",
  )
  const other = await openOrg()
  const taken = { Name: 'Twin', ConsumerKey: body.records[0].ConsumerKey }
  const answer = await other.call('POST', '/sobjects/ConnectedApplication', { body: taken })
  assertRefused(answer, 400, 'DUPLICATE_VALUE', 'There is a client with this consumer key already', [
    'ConsumerKey',
  ])
  const built = { Name: 'Twin', ConsumerKey: 'PlatformCLI' }
  assert.equal((await other.call('POST', '/sobjects/ConnectedApplication', { body: built })).status, 400)
})

/** Answers as a call of a record does. */
async function runJob(operation: string, rows: string): Promise<{ status: number }> {
  const job = await ingest(o, { object: 'ConnectedApplication', operation, lineEnding: 'LF' }, rows)
  return { status: job.state === 'JobComplete' && job.numberRecordsFailed === 0 ? 204 : 500 }
}

for (const [what, change] of [
  [
    'blocked',
    (id: string) => o.call('PATCH', `/sobjects/ConnectedApplication/${id}`, { body: { IsBlocked: true } }),
  ],
  ['blocked through the admin API', (id: string) => o.call('POST', `/setup/orgs/current/apps/${id}/block`)],
  ['deleted', (id: string) => o.call('DELETE', `/sobjects/ConnectedApplication/${id}`)],
  ['deleted by a bulk job', (id: string) => runJob('delete', `Id\n${id}\n`)],
  ['blocked by a bulk job', (id: string) => runJob('update', `Id,IsBlocked\n${id},true\n`)],
] as const) {
  test(`an app that is ${what} gets no token, and its tokens end`, async () => {
    const app = await makeApp()
    const { access_token } = await fetchTokens(o, credentials(app))
    assert.equal(await statusWith(o, access_token), 200)
    assert.equal((await change(app.id)).status, 204)
    assert.equal(await statusWith(o, access_token), 401)
    assertOAuthError(
      await askToken(o, credentials(app)),
      what.startsWith('blocked') ? 'OAUTH_APP_BLOCKED' : 'invalid_client_id',
    )
  })
}

describe('a callback that a browser cannot be sent to is refused', () => {
  for (const url of [
    'not an address',
    'https://app.example.com/#part',
    'javascript:alert(1)',
    'data:text/html,x',
  ]) {
    test(url, async () => {
      const body = { Name: 'Bad', CallbackUrls: `https://fine.example.com\n${url}` }
      const answer = await o.call('POST', '/sobjects/ConnectedApplication', { body })
      const message = `${url} is not a valid redirect address`
      assertRefused(answer, 400, 'FIELD_INTEGRITY_EXCEPTION', message, ['CallbackUrls'])
    })
  }
})

test('they are hidden from users without ViewSetup', async () => {
  const person = await addPerson(o, 'outsider')
  const answer = await person.call('GET', '/query?q=SELECT+Id+FROM+ConnectedApplication')
  assertRefused(answer, 400, 'INVALID_TYPE', /ConnectedApplication/)
  await o.call('PATCH', `/sobjects/Profile/${person.profileId}`, { body: { PermissionsViewSetup: true } })
  assert.equal((await person.call('GET', '/query?q=SELECT+Id+FROM+ConnectedApplication')).status, 200)
  await o.call('PATCH', `/sobjects/Profile/${person.profileId}`, {
    body: { PermissionsCustomizeApplication: true },
  })
  const create = await person.call('POST', '/sobjects/ConnectedApplication', { body: { Name: 'x' } })
  assertRefused(create, 403, 'INSUFFICIENT_ACCESS', 'Records of ConnectedApplication are not createable')
})

test('a record tells no secret', async () => {
  const { id, clientSecret } = await makeApp()
  const { text } = await o.call('GET', `/sobjects/ConnectedApplication/${id}`)
  assert.equal(text.includes(clientSecret), false)
  assert.equal(/secret/i.test(text.replaceAll(/RequireSecretFor\w+/g, '')), false)
})
