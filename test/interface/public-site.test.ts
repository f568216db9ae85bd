import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { fetchRecords } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { type Answer, makeAnswer, openOrg, type Sent, type TestOrg } from '../support/org.ts'
import { addPerson } from '../support/people.ts'
import { writeDeployment } from '../support/trigger-files.ts'
import { EVENT_OBJECT, makeSignature, SECRET, untilStatus } from '../support/webhooks.ts'

// docs/reference/api/custom-resources.md#public-site

const DEPLOYMENT = {
  'resources/open.ts': `export default { path: '/open/*',
    GET: (_request, org) => org.userId,
    POST: ({ body }, org) => org.create('Lead', [body]),
    async PUT({ body }, org) { return (await org.query(body.query)).length } }`,
  'resources/closed.ts': "export default { path: '/closed', GET: () => 'closed' }",
  'resources/hook.ts': `import { webhook } from 'objectry'
    export default webhook({ path: '/hook', secret: ${JSON.stringify(SECRET)}, eventId: 'id', object: 'Event_Log__c', retries: [] })`,
  'resources/hook-as.ts': `import { webhook } from 'objectry'
    export default webhook({ path: '/hook-as', secret: ${JSON.stringify(SECRET)}, eventId: 'id', object: 'Event_Log__c', retries: [],
      runAs: 'admin@objectry.test' })`,
}

const HOST = `${randomUUID()}.example.com`

/** Lets a profile call custom resources. */
async function openTo(o: TestOrg, profile: string, ...resources: readonly string[]): Promise<void> {
  const where = `WHERE IsOwnedByProfile = true AND Profile.Name = '${profile}'`
  const [set] = await fetchRecords(o, `SELECT Id FROM PermissionSet ${where}`)
  for (const ResourceName of resources)
    await o.create('SetupEntityAccess', { ParentId: set!.Id, ResourceName })
}

describe('the public site', () => {
  let o: TestOrg
  let guestId: string
  const site = async (method: string, url: string, sent: Sent = {}): Promise<Answer> => {
    const payload = sent.text ?? (sent.body === undefined ? undefined : JSON.stringify(sent.body))
    return makeAnswer(
      await o.site.inject({
        method: method as 'GET',
        url,
        headers: { host: HOST, ...sent.headers },
        ...(payload !== undefined && { payload }),
      }),
    )
  }

  before(async () => {
    o = await openOrg({ deployment: writeDeployment(DEPLOYMENT), host: HOST })
    await o.deploy([EVENT_OBJECT])
    await openTo(o, 'Guest', 'open', 'hook', 'hook-as')
    const [guest] = await fetchRecords(o, "SELECT Id FROM User WHERE UserType = 'Guest'")
    guestId = guest!.Id as string
  })

  test('serves what the profile of the guest may call, in the name of the guest', async () => {
    const answer = await site('GET', '/services/customrest/open/x')
    assert.deepEqual([answer.status, answer.body], [200, guestId])
    assert.equal((await site('GET', '/services/apexrest/open')).body, guestId)
  })

  test('answers 403 for what it may not, before anything else of it is looked at', async () => {
    const message = 'You do not have access to the Apex class named: closed'
    assertRefused(await site('GET', '/services/customrest/closed'), 403, 'FORBIDDEN', message)
    assertRefused(await site('PUT', '/services/customrest/closed'), 403, 'FORBIDDEN', message)
  })

  test('answers 404 for what there is not', async () => {
    const answer = await site('GET', '/services/customrest/nothing')
    assertRefused(answer, 404, 'NOT_FOUND', 'Could not find a match for URL')
  })

  test('has nothing else of the org, for any caller', async () => {
    const authorization = `Bearer ${o.token}`
    const PATHS = [
      ['GET', '/'],
      ['GET', '/services/data'],
      ['GET', '/services/data/v64.0/sobjects'],
      ['GET', '/services/data/v64.0/query?q=SELECT+Id+FROM+Account'],
      ['POST', '/services/oauth2/token'],
      ['GET', '/services/oauth2/authorize'],
      ['GET', '/services/oauth2/userinfo'],
      ['GET', '/setup/orgs'],
      ['GET', `/id/${o.org.id}/${o.userId}`],
      ['GET', '/id/keys'],
      ['GET', '/.well-known/openid-configuration'],
      ['GET', '/login'],
      ['GET', '/services/customrest/../data/v64.0/sobjects'],
      ['GET', '/services/customrest%2f..%2fdata'],
    ] as const
    for (const [method, path] of PATHS) {
      const answer = await site(method, path, { headers: { authorization } })
      assert.equal(answer.status, 404, `${method} ${path}: ${answer.text}`)
      assert.equal(answer.body[0].errorCode, 'NOT_FOUND')
    }
  })

  test('ignores tokens: a caller with one is the guest too', async () => {
    for (const authorization of [`Bearer ${o.token}`, 'Bearer wrong', 'Basic abc']) {
      const answer = await site('GET', '/services/customrest/open/x', { headers: { authorization } })
      assert.equal(answer.body, guestId)
    }
  })

  test('gives the guest no more than was granted: no objects, and none of the people', async () => {
    const created = await site('POST', '/services/customrest/open', { body: { LastName: 'A', Company: 'B' } })
    assertRefused(created, 500, 'APEX_ERROR', /INVALID_TYPE, sObject type 'Lead' is not supported/)
    for (const object of ['Account', 'User', 'Profile', 'PermissionSet', 'WebhookDelivery', 'Organization']) {
      const body = { query: `SELECT Id FROM ${object}` }
      const answer = await site('PUT', '/services/customrest/open', { body })
      assertRefused(answer, 500, 'APEX_ERROR', /INVALID_TYPE/)
    }
  })

  test('takes signed deliveries: 403 without access comes before 401 without a signature', async () => {
    const send = (path: string, signature: string) =>
      site('POST', `/services/customrest/${path}`, {
        text: '{"id":"1"}',
        headers: { 'x-hub-signature-256': signature },
      })
    assert.equal((await send('closed', '')).status, 403)
    assert.equal((await send('hook', '')).status, 401)
    const answer = await send('hook', makeSignature('{"id":"1"}'))
    assert.equal(answer.status, 200)
    const { LastError } = await untilStatus(o, answer.body.id, 'Dead')
    assert.equal(LastError, "INVALID_TYPE: sObject type 'Event_Log__c' is not supported.")
  })

  test('processes a delivery as the user that the receiver names', async () => {
    const text = '{"id":"as"}'
    const headers = { 'x-hub-signature-256': makeSignature(text) }
    const { body } = await site('POST', '/services/customrest/hook-as', { text, headers })
    await untilStatus(o, body.id, 'Done')
    const [record] = await fetchRecords(o, "SELECT CreatedById FROM Event_Log__c WHERE Event_Id__c = 'as'")
    assert.equal(record!.CreatedById, o.userId)
    const [delivery] = await fetchRecords(
      o,
      `SELECT CreatedById FROM WebhookDelivery WHERE Id = '${body.id}'`,
    )
    assert.equal(delivery!.CreatedById, guestId)
  })

  test('is closed when the guest is not active', async () => {
    const host = `closed.${HOST}`
    const other = await openOrg({ deployment: writeDeployment(DEPLOYMENT), host })
    const [guest] = await fetchRecords(other, "SELECT Id FROM User WHERE UserType = 'Guest'")
    await openTo(other, 'Guest', 'open')
    await other.call('PATCH', `/sobjects/User/${guest!.Id}`, { body: { IsActive: false } })
    const answer = makeAnswer(
      await other.site.inject({ url: '/services/customrest/open', headers: { host } }),
    )
    assertRefused(answer, 403, 'FORBIDDEN', 'The site has no guest user')
  })
})

describe('a custom resource on the address of the org', () => {
  test('is open to those whose profile or permission sets name it, and to who may change the application', async () => {
    const o = await openOrg({ deployment: writeDeployment(DEPLOYMENT) })
    assert.equal((await o.call('GET', '/services/customrest/closed')).body, 'closed')
    const { call: callAs, setId } = await addPerson(o, 'ada')
    const call = (name: string) => callAs('GET', `/services/customrest/${name}`)
    const message = 'You do not have access to the Apex class named: closed'
    assertRefused(await call('closed'), 403, 'FORBIDDEN', message)
    await o.create('SetupEntityAccess', { ParentId: setId, ResourceName: 'closed' })
    assert.equal((await call('closed')).body, 'closed')
    assert.equal((await call('open')).status, 403)
  })
})
