import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fetchRecords } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, type Person } from '../support/people.ts'
import { writeDeployment } from '../support/trigger-files.ts'
import { SECRET } from '../support/webhooks.ts'

const DEPLOYMENT = {
  'resources/hello.ts': "export default { path: '/hello/:name', GET() {}, DELETE() {} }",
  'resources/another.ts': "export default { path: '/another', GET: () => 'another' }",
  'resources/hook.ts': `import { webhook } from 'objectry'
    export default webhook({ path: '/hook', secret: ${JSON.stringify(SECRET)}, object: 'Event__c' })`,
  'resources/od d.ts': "export default { path: '/odd', GET: () => 'odd' }",
}

const RESOURCES = '/setup/orgs/current/resources'

describe('custom resources in the admin API', () => {
  let o: TestOrg
  let person: Person

  const list = async (): Promise<Record<string, unknown>[]> => (await o.call('GET', RESOURCES)).body
  const change = (verb: string) => (resource: string, to?: string) =>
    o.call('POST', `${RESOURCES}/${encodeURIComponent(resource)}/${verb}`, {
      body: to === undefined ? undefined : { to },
    })
  const [open, close] = [change('open'), change('close')]
  const openTo = async (name: string) => (await list()).find((one) => one.name === name)!.openTo
  const grants = (resource: string) =>
    fetchRecords(o, `SELECT Id FROM SetupEntityAccess WHERE ResourceName = '${resource}'`)

  before(async () => {
    o = await openOrg({ deployment: writeDeployment(DEPLOYMENT) })
    person = await addPerson(o, 'caller')
  })

  test('are listed by name, with their path, their verbs and whether they receive webhooks', async () => {
    const found = (await list()).map(({ openTo, ...rest }) => {
      assert.deepEqual(openTo, [])
      return rest
    })
    assert.deepEqual(found, [
      { name: 'another', path: '/another', verbs: ['GET'], isReceiver: false },
      { name: 'hello', path: '/hello/:name', verbs: ['GET', 'DELETE'], isReceiver: false },
      { name: 'hook', path: '/hook', verbs: ['POST'], isReceiver: true },
      { name: 'od d', path: '/odd', verbs: ['GET'], isReceiver: false },
    ])
  })

  test('are opened to a profile and closed again, which takes effect at once', async () => {
    const status = async () => (await person.call('GET', '/services/customrest/another')).status
    assert.equal(await status(), 403)
    assert.equal((await open('another', 'PROFILE of caller')).status, 204)
    assert.equal(await status(), 200)
    assert.deepEqual(await openTo('another'), ['Profile of caller'])
    assert.equal((await close('another', person.profileId)).status, 204)
    assert.equal(await status(), 403)
    assert.deepEqual(await openTo('another'), [])
  })

  test('are opened to a permission set by its name, its label or its id', async () => {
    const id = await o.create('PermissionSet', { Name: 'Integrations', Label: 'All Integrations' })
    await o.create('PermissionSetAssignment', { PermissionSetId: id, AssigneeId: person.id })
    const status = async () => (await person.call('GET', '/services/customrest/odd')).status
    for (const named of ['integrations', 'all INTEGRATIONS', id, id.slice(0, 15)]) {
      assert.equal((await open('od d', named)).status, 204)
      assert.equal(await status(), 200)
      assert.deepEqual(await openTo('od d'), ['Integrations'])
      assert.equal((await close('od d', named)).status, 204)
      assert.equal(await status(), 403)
    }
  })

  test('are opened to the guest unless somebody else is named', async () => {
    assert.equal((await open('hello')).status, 204)
    assert.deepEqual(await openTo('hello'), ['Guest'])
    const guest = await o.services.runtimes.of(o.org).callers.guest()
    assert.equal(guest?.access.opens('hello'), true)
    assert.equal((await close('hello')).status, 204)
    assert.deepEqual(await openTo('hello'), [])
  })

  test('are opened to the profile of the guest whatever it is called', async () => {
    const [guest] = await fetchRecords(o, "SELECT ProfileId FROM User WHERE UserType = 'Guest'")
    const path = `/sobjects/Profile/${guest!.ProfileId}`
    assert.equal((await o.call('PATCH', path, { body: { Name: 'Everybody' } })).status, 204)
    assert.equal((await open('hello')).status, 204)
    assert.deepEqual(await openTo('hello'), ['Everybody'])
    await close('hello')
    await o.call('PATCH', path, { body: { Name: 'Guest' } })
  })

  test('that are open already stay open, by one record', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 5 }, async () => (await open('hook', 'Guest')).status),
    )
    assert.deepEqual(statuses, [204, 204, 204, 204, 204])
    assert.equal((await grants('hook')).length, 1)
    assert.equal((await open('hook', 'Profile of caller')).status, 204)
    assert.deepEqual(await openTo('hook'), ['Guest', 'Profile of caller'])
    assert.equal((await close('hook', 'Guest')).status, 204)
    assert.equal((await close('hook', 'Guest')).status, 204)
    assert.deepEqual(await openTo('hook'), ['Profile of caller'])
  })

  test('that the deployment has no longer can be closed', async () => {
    const { setId } = person
    await o.create('SetupEntityAccess', { ParentId: setId, ResourceName: 'gone' })
    assert.equal((await close('gone', 'Profile of caller')).status, 204)
    assert.deepEqual(await grants('gone'), [])
  })

  test('that there are not are refused with the names of those that there are', async () => {
    const message = 'The deployment has no resource Hello. There are another, hello, hook, od d'
    assertRefused(await open('Hello'), 404, 'NOT_FOUND', message)
    assertRefused(await open('a\0b'), 404, 'NOT_FOUND', /^The deployment has no resource ab\. There are/)
    assert.equal((await close('a\0b')).status, 204)
  })

  test('are opened to nobody that there is not, or of whom there are two', async () => {
    const none = /^There is no profile or permission set Nobody\. There are .*Guest, .*Profile of caller/
    for (const verb of [open, close]) {
      assertRefused(await verb('hello', 'Nobody'), 400, 'INVALID_INPUT', none, ['to'])
    }
    await o.create('PermissionSet', { Name: 'Guest', Label: 'Guests' })
    const several =
      'Several profiles or permission sets are called Guest: say the id of the one that is meant'
    assertRefused(await open('hello', 'Guest'), 400, 'INVALID_INPUT', several, ['to'])
    assert.equal((await open('hello', 'Guests')).status, 204)
    assert.equal((await open('hello')).status, 204)
  })

  test('are opened by what a body may say, and nothing else', async () => {
    const path = `${RESOURCES}/hello/open`
    for (const body of [{ too: 'Guest' }, { to: 3 }, [], null]) {
      assertRefused(await o.call('POST', path, { body }), 400, 'JSON_PARSER_ERROR', /at \[line:1/)
    }
  })

  test('are empty on a server without a deployment', async () => {
    const bare = await openOrg()
    assert.deepEqual((await bare.call('GET', RESOURCES)).body, [])
    const answer = await bare.call('POST', `${RESOURCES}/hello/open`)
    assertRefused(answer, 404, 'NOT_FOUND', 'The deployment has no resource hello. It has none')
  })
})
