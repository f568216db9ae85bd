import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { STANDARD_OBJECTS } from '../../src/standard/standard-objects.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow, type Person } from '../support/people.ts'

/* Why somebody may, or may not, do something with a record. */

let o: TestOrg
let owner: Person
let reader: Person
let account: string

interface Verdict {
  readonly what: string
  readonly allowed: boolean
  readonly because: readonly string[]
}

async function why(person: Person, record: string): Promise<Record<string, Verdict>> {
  const path = `/setup/orgs/current/why?user=${person.id}&record=${record}`
  const { status, body, text } = await o.call('GET', path)
  assert.equal(status, 200, text)
  return Object.fromEntries(body.verdicts.map((verdict: Verdict) => [verdict.what, verdict]))
}

before(async () => {
  o = await openOrg()
  const sharing = 'private' as const
  await o.services.runtimes.of(o.org).snapshots.deploy(o.db, {
    objects: STANDARD_OBJECTS.filter(({ name }) => name === 'Account').map((object) => ({
      ...object,
      sharing,
    })),
    mode: 'keep',
  })
  const role = await o.create('UserRole', { Name: 'Seller' })
  owner = await addPerson(o, 'owner', { UserRoleId: role })
  reader = await addPerson(o, 'reader')
  await allow(o, owner.setId, 'Account', 'Create', 'Edit')
  account = await owner.org.create('Account', { Name: 'Acme' })
})

test('a missing permission is reported first', async () => {
  const { see } = await why(reader, account)
  assert.deepEqual(see, {
    what: 'see',
    allowed: false,
    because: ['Neither the profile nor a permission set of reader grants Read on Account'],
  })
})

test('an owner is named as the owner, with what is missing for a delete', async () => {
  const { see, edit, delete: remove } = await why(owner, account)
  assert.deepEqual(edit, {
    what: 'edit',
    allowed: true,
    because: ['The profile Profile of owner grants Edit on Account', 'owner owns it'],
  })
  assert.equal(see!.allowed, true)
  assert.deepEqual(see!.because[0], 'Another right that owner has on Account brings Read with it')
  assert.deepEqual(remove!.because, [
    'Neither the profile nor a permission set of owner grants Delete on Account',
  ])
})

test('a record of somebody else is explained by its owner, its sharing and the shares that there are', async () => {
  await allow(o, reader.setId, 'Account', 'Edit')
  const closed = await why(reader, account)
  assert.deepEqual(closed.see!.because.slice(1), [
    'Account is private: records are seen by their owners, those above them, and whom they are shared with',
    'Its owner is owner, whose role is Seller',
    'None of this reaches reader',
  ])
  const group = await o.create('Group', { Name: 'Readers', Type: 'Regular' })
  await o.create('GroupMember', { GroupId: group, UserOrGroupId: reader.id })
  await o.create('AccountShare', { AccountId: account, UserOrGroupId: group, AccountAccessLevel: 'Read' })
  const { see, edit } = await why(reader, account)
  assert.equal(see!.allowed, true)
  assert.equal(see!.because.at(-1), 'It is shared with the group Readers, of which reader is a member (Read)')
  assert.equal(edit!.allowed, false)
  assert.ok(
    edit!.because.includes(
      'It is shared with the group Readers, of which reader is a member (Read, which is not enough)',
    ),
  )
})

test('a detail is explained by its parent', async () => {
  await allow(o, reader.setId, 'Note', 'Edit')
  await allow(o, owner.setId, 'Note', 'Create')
  const note = await owner.org.create('Note', { Title: 'Hello', ParentId: account })
  const { see, edit } = await why(reader, note)
  assert.deepEqual(see!.because.slice(1, 2), [`It goes with Account "Acme" (${account})`])
  assert.deepEqual([see!.allowed, edit!.allowed], [true, false])
})

test('a record in the recycle bin is edited by nobody', async () => {
  const gone = await o.create('Account', { Name: 'Gone' })
  await o.call('DELETE', `/sobjects/Account/${gone}`)
  const body = (await o.call('GET', `/setup/orgs/current/why?user=${o.userId}&record=${gone}`)).body
  const edit = body.verdicts.find(({ what }: Verdict) => what === 'edit')
  assert.equal(edit.allowed, false)
  assert.equal(edit.because.at(-1), 'It is in the recycle bin')
})

for (const [what, query, status, code, message] of [
  ['no user', 'record=001OB00000000001AA', 400, 'MISSING_ARGUMENT', 'The parameter user is required'],
  ['no record', 'user=x', 404, 'NOT_FOUND', 'There is no user x'],
  ['a user that is not there', 'user=nobody&record=x', 404, 'NOT_FOUND', 'There is no user nobody'],
] as const) {
  test(`a question with ${what} is refused`, async () => {
    assertRefused(await o.call('GET', `/setup/orgs/current/why?${query}`), status, code, message)
  })
}

test('a record that is not there is refused', async () => {
  for (const record of ['x', '001OB0000000000AAA', 'zzzOB0000000000AAA']) {
    const answer = await o.call('GET', `/setup/orgs/current/why?user=admin@objectry.test&record=${record}`)
    assertRefused(answer, 404, 'NOT_FOUND', 'There is no such record')
  }
})
