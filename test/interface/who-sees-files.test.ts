import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fetchRecords, queryPath } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow, type Person } from '../support/people.ts'
import { standardObject } from '../support/standard-object.ts'

/* Files, notes and attachments are no way around the records that they hang on. */

let o: TestOrg
let owner: Person
let stranger: Person
let account: string
let version: string
let file: string

const OBJECTS = ['Account', 'Attachment', 'ContentDocument', 'ContentDocumentLink', 'ContentVersion', 'Note']

const publish = async (by: TestOrg, fields: object = {}) => {
  const id = await by.create('ContentVersion', {
    ...{ Title: 'Contract', PathOnClient: 'contract.txt', VersionData: 'aGVsbG8=' },
    ...fields,
  })
  const [made] = await fetchRecords(by, `SELECT ContentDocumentId FROM ContentVersion WHERE Id = '${id}'`)
  return { id, file: made!.ContentDocumentId as string }
}

const fetchBytes = (person: Person, id: string) =>
  person.call('GET', `/sobjects/ContentVersion/${id}/VersionData`)

const link = (person: Person, ShareType: string, LinkedEntityId = account, ContentDocumentId = file) =>
  person.call('POST', '/sobjects/ContentDocumentLink', {
    body: { ContentDocumentId, LinkedEntityId, ShareType },
  })

const share = (AccountAccessLevel: string) =>
  o.create('AccountShare', { AccountId: account, UserOrGroupId: stranger.id, AccountAccessLevel })

const unshare = (id: string) => o.call('DELETE', `/sobjects/AccountShare/${id}`)

before(async () => {
  o = await openOrg()
  await o.services.runtimes.of(o.org).snapshots.deploy(o.db, {
    objects: [{ ...standardObject('Account'), sharing: 'private' }],
    mode: 'keep',
    allowDestructive: true,
  })
  owner = await addPerson(o, 'owner')
  stranger = await addPerson(o, 'stranger')
  for (const { setId } of [owner, stranger]) {
    for (const object of OBJECTS) {
      await allow(o, setId, object, 'Create', 'Edit', 'Delete', 'ViewAllFields', 'EditAllFields')
    }
  }
  account = await owner.org.create('Account', { Name: 'Hidden' })
  ;({ id: version, file } = await publish(owner.org, { FirstPublishLocationId: account }))
})

describe('the file of a record that somebody does not see', () => {
  test('does not exist for other users: not its bytes, its versions, nor its links', async () => {
    assert.equal((await fetchBytes(owner, version)).text, 'hello')
    assert.equal((await fetchBytes(stranger, version)).status, 404)
    for (const from of [
      'ContentVersion',
      'ContentDocument',
      `ContentDocumentLink WHERE ContentDocumentId = '${file}'`,
    ]) {
      assert.deepEqual(await fetchRecords(stranger.org, `SELECT Id FROM ${from}`), [], from)
    }
    const { body } = await stranger.call('GET', queryPath('SELECT COUNT() FROM ContentVersion'))
    assert.equal(body.totalSize, 0)
  })

  test('is not written by other users, gets no version of theirs, and is linked nowhere', async () => {
    const path = `/sobjects/ContentVersion/${version}`
    const missing = [404, 'INVALID_CROSS_REFERENCE_KEY', 'invalid cross reference id'] as const
    assertRefused(await stranger.call('PATCH', path, { body: { Title: 'x' } }), ...missing)
    assertRefused(await stranger.call('DELETE', `/sobjects/ContentDocument/${file}`), ...missing)
    const wrong = [400, 'INVALID_CROSS_REFERENCE_KEY', 'invalid cross reference id'] as const
    const body = { PathOnClient: 'x', VersionData: 'eA==', ContentDocumentId: file }
    assertRefused(await stranger.call('POST', '/sobjects/ContentVersion', { body }), ...wrong)
    assertRefused(await link(stranger, 'C', stranger.id), ...wrong)
  })

  test('is seen, and no more, by whom the record is shared with', async () => {
    const shared = await share('Edit')
    assert.equal((await fetchBytes(stranger, version)).text, 'hello')
    const insufficient = [
      400,
      'INSUFFICIENT_ACCESS_OR_READONLY',
      'insufficient access rights on object id',
    ] as const
    const rename = () => stranger.call('PATCH', `/sobjects/ContentDocument/${file}`, { body: { Title: 'x' } })
    assertRefused(await rename(), ...insufficient)
    assertRefused(
      await link(stranger, 'C', stranger.id),
      400,
      'INSUFFICIENT_ACCESS_ON_CROSS_REFERENCE_ENTITY',
      'insufficient access rights on cross-reference id',
    )
    assertRefused(await stranger.call('DELETE', `/sobjects/ContentDocument/${file}`), ...insufficient)
    await unshare(shared)
    assert.equal((await fetchBytes(stranger, version)).status, 404)
  })
})

test('a collaborator edits a file; an inferred link lets those edit it who edit the record', async () => {
  const own = await publish(owner.org)
  const rename = () =>
    stranger.call('PATCH', `/sobjects/ContentDocument/${own.file}`, { body: { Title: 'Renamed' } })
  const first = await link(owner, 'I', account, own.file)
  const read = await share('Read')
  assertRefused(await rename(), 400, 'INSUFFICIENT_ACCESS_OR_READONLY', /insufficient/)
  const edit = await share('Edit')
  assert.equal((await rename()).status, 204)
  assert.equal((await owner.call('DELETE', `/sobjects/ContentDocumentLink/${first.body.id}`)).status, 204)
  assert.equal((await rename()).status, 404)
  await link(owner, 'C', stranger.id, own.file)
  assert.equal((await rename()).status, 204)
  for (const id of [read, edit]) await unshare(id)
})

test('a former owner of a file does not see it by having owned it', async () => {
  const own = await publish(owner.org)
  const body = { OwnerId: stranger.id }
  const path = `/sobjects/ContentDocument/${own.file}`
  assert.equal((await owner.call('PATCH', path, { body })).status, 204)
  assert.equal((await fetchBytes(owner, own.id)).status, 404)
  assert.equal((await fetchBytes(stranger, own.id)).status, 200)
})

test('a user who can edit a record removes a file of others from it, not from the people who have it', async () => {
  const other = await publish(stranger.org)
  const shared = await share('Edit')
  const { id } = (await link(stranger, 'V', account, other.file)).body
  await link(stranger, 'V', owner.id, other.file)
  const links = await fetchRecords(
    owner.org,
    `SELECT Id, LinkedEntityId FROM ContentDocumentLink WHERE ContentDocumentId = '${other.file}'`,
  )
  const withOwner = links.find(({ LinkedEntityId }) => LinkedEntityId === owner.id)!.Id
  const remove = async (one: string) =>
    (await owner.call('DELETE', `/sobjects/ContentDocumentLink/${one}`)).status
  assert.equal(await remove(withOwner as string), 400)
  assert.equal(await remove(id), 204)
  await unshare(shared)
})

test('users who may view all files, or all versions, need no links', async () => {
  const viewer = await addPerson(o, 'viewer')
  await allow(o, viewer.setId, 'ContentVersion', 'Read')
  assert.equal((await fetchBytes(viewer, version)).status, 404)
  await allow(o, viewer.setId, 'ContentDocument', 'ViewAllRecords')
  assert.equal((await fetchBytes(viewer, version)).text, 'hello')
})

test('attachments go with their record, their bytes too', async () => {
  const fields = { Name: 'a', ParentId: account, Body: 'aGVsbG8=' }
  const id = await owner.org.create('Attachment', fields)
  const path = `/sobjects/Attachment/${id}`
  assert.equal((await owner.call('GET', `${path}/Body`)).text, 'hello')
  assert.equal((await stranger.call('GET', `${path}/Body`)).status, 404)
  assert.equal((await stranger.call('GET', path)).status, 404)
  assert.equal((await stranger.call('POST', '/sobjects/Attachment', { body: fields })).status, 400)
})

test('private notes and attachments are their owners, also where others see the record', async () => {
  const shared = await share('Edit')
  for (const [object, fields] of [
    ['Attachment', { Name: 'a', Body: 'aGVsbG8=' }],
    ['Note', { Title: 'a' }],
  ] as const) {
    const id = await owner.org.create(object, { ...fields, ParentId: account, IsPrivate: true })
    const path = `/sobjects/${object}/${id}`
    assert.equal((await owner.call('GET', path)).status, 200)
    assert.equal((await stranger.call('GET', path)).status, 404)
    assert.deepEqual(await fetchRecords(stranger.org, `SELECT Id FROM ${object} WHERE Id = '${id}'`), [])
    assert.equal((await o.call('GET', path)).status, 200)
    await owner.call('PATCH', path, { body: { IsPrivate: false } })
    assert.equal((await stranger.call('GET', path)).status, 200)
  }
  await unshare(shared)
})

test('why explains that a user sees a file or not', async () => {
  const why = async (person: Person) => {
    const { body } = await o.call('GET', `/setup/orgs/current/why?user=${person.id}&record=${file}`)
    return body.verdicts[0]
  }
  assert.equal((await why(owner)).allowed, true)
  const { allowed, because } = await why(stranger)
  assert.equal(allowed, false)
  assert.deepEqual(because.slice(1), [
    'ContentDocument is seen by its owner, those above, and where a link puts it',
    'Its owner is owner, who has no role',
    `A link (I) puts it at User ${owner.id}, which is not enough`,
    `A link (V) puts it at Account ${account}, which is not enough`,
    'None of this reaches stranger',
  ])
})

test('an org opens all files, or shares single ones, by the sharing of ContentDocument', async () => {
  const sharing = (level: 'private' | 'read') =>
    o.services.runtimes.of(o.org).snapshots.deploy(o.db, {
      objects: [{ ...standardObject('ContentDocument'), sharing: level }],
      mode: 'keep',
      allowDestructive: true,
    })
  await sharing('private')
  assert.equal((await fetchBytes(stranger, version)).status, 404)
  const fields = { ContentDocumentId: file, UserOrGroupId: stranger.id, ContentDocumentAccessLevel: 'Read' }
  await o.create('ContentDocumentShare', fields)
  assert.equal((await fetchBytes(stranger, version)).status, 200)
  const other = await publish(owner.org)
  assert.equal((await fetchBytes(stranger, other.id)).status, 404)
  await sharing('read')
  assert.equal((await fetchBytes(stranger, other.id)).status, 200)
  const rename = { body: { Title: 'x' } }
  assert.equal((await stranger.call('PATCH', `/sobjects/ContentDocument/${other.file}`, rename)).status, 400)
})
