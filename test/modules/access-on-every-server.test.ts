import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { findAdministrator } from '../../src/auth/users/users.ts'
import { systemClock } from '../../src/base/clock.ts'
import { readConfig } from '../../src/config/config.ts'
import { assemble } from '../../src/server/assemble.ts'
import { findOrg } from '../../src/storage/orgs/orgs.ts'
import { AT_ONCE, openBayeux } from '../support/bayeux-client.ts'
import { ownEngine } from '../support/engine.ts'
import { type Answer, makeAnswer, openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow, allowField, type Person } from '../support/people.ts'
import { SECRETS } from '../support/secrets.ts'

/* Two servers in front of one org: what one of them writes decides what the other one allows, within a second. */

let o: TestOrg
let person: Person
let account: string
let other: ReturnType<typeof assemble>
let ask: (path: string) => Promise<Answer>
/** Asks the other server. */
let askWith: (token: string, path: string) => Promise<Answer>

before(async () => {
  const engine = await ownEngine()
  o = await openOrg({ engine })
  person = await addPerson(o, 'watched')
  account = await o.create('Account', { Name: 'Acme', Industry: 'Energy' })
  const config = readConfig({}, { logLevel: 'silent' })
  other = assemble(engine, config, systemClock, SECRETS)
  const token = other.services.sessions.issueUnstored(o.org, person.id)
  askWith = async (token, path) => {
    const url = `/services/data/v64.0${path}`
    const headers = { authorization: `Bearer ${token}` }
    return makeAnswer(await other.server.inject({ method: 'GET', url, headers }))
  }
  ask = (path) => askWith(token, path)
})

test('a grant, a field, and their ends', async () => {
  const read = () => ask(`/sobjects/Account/${account}`)
  assert.equal((await read()).status, 404)
  const right = await allow(o, person.setId, 'Account', 'Read')
  await sleep(1000)
  const seen = await read()
  assert.deepEqual([seen.status, 'Industry' in seen.body], [200, false])
  await allowField(o, person.setId, 'Account.Industry')
  await sleep(1000)
  assert.equal((await read()).body.Industry, 'Energy')
  await o.call('DELETE', `/sobjects/ObjectPermissions/${right}`)
  await sleep(1000)
  assert.equal((await read()).status, 404)
})

test('a grant by a deployment, and its end', async () => {
  const read = () => ask(`/sobjects/Account/${account}`)
  const deploy = async (objects: object) => {
    const profiles = { 'Profile of watched': { system: ['ApiEnabled'], objects } }
    const { status } = await o.call('PUT', '/setup/orgs/current/schema', { body: { mode: 'keep', profiles } })
    assert.equal(status, 200)
    await sleep(1000)
  }
  await deploy({ Account: ['read'] })
  assert.equal((await read()).status, 200)
  await deploy({})
  assert.equal((await read()).status, 404)
})

test('a topic: what the other server writes is told, and nothing of what it writes after the end of the topic', async () => {
  const topic = { Name: 'Servers', Query: 'SELECT Id, Name FROM Account', ApiVersion: 64 }
  const id = await o.create('PushTopic', topic)
  const client = await openBayeux(o)
  assert.equal((await client.subscribe('/topic/Servers')).successful, true)
  const token = other.services.sessions.issueUnstored(o.org, o.userId)
  const createThere = async (Name: string) => {
    const url = '/services/data/v64.0/sobjects/Account'
    const headers = { authorization: `Bearer ${token}` }
    const { statusCode } = await other.server.inject({ method: 'POST', url, headers, payload: { Name } })
    assert.equal(statusCode, 201)
  }
  await sleep(1000)
  await createThere('First')
  const setActive = (IsActive: boolean) =>
    o.call('PATCH', `/sobjects/PushTopic/${id}`, { body: { IsActive } })
  assert.equal((await setActive(false)).status, 204)
  await sleep(1000)
  await createThere('Second')
  assert.equal((await setActive(true)).status, 204)
  await sleep(1000)
  await createThere('Third')
  const replies = await client.connect(AT_ONCE)
  assert.deepEqual(
    replies.flatMap(({ data }) => data?.sobject.Name ?? []),
    ['First', 'Third'],
  )
})

test('somebody who was deactivated', async () => {
  assert.equal((await ask('/sobjects')).status, 200)
  await o.call('PATCH', `/sobjects/User/${person.id}`, { body: { IsActive: false } })
  await sleep(1000)
  assert.equal((await ask('/sobjects')).status, 401)
})

test('an org that was deleted: its tokens are refused, also those that are not stored', async () => {
  const made = await o.call('POST', '/setup/orgs', { body: { name: 'Deleted' } })
  assert.equal(made.status, 201, made.text)
  const org = await findOrg(o.db, made.body.id)
  const administrator = await findAdministrator(o.db, org!)
  const token = other.services.sessions.issueUnstored(org!, administrator!.id)
  assert.equal((await askWith(token, '/limits')).status, 200)
  assert.equal((await o.call('DELETE', `/setup/orgs/${org!.id}`)).status, 204)
  // The other server looks for deleted orgs every five seconds.
  await sleep(5100)
  for (let time = 0; time < 2; time++) {
    const { status, body } = await askWith(token, '/limits')
    assert.deepEqual([status, body[0].errorCode], [401, 'INVALID_SESSION_ID'])
  }
})
