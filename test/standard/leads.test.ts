import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createUser } from '../support/create-user.ts'
import { assertSteps } from '../support/derived.ts'
import { openOrg, type TestOrg } from '../support/org.ts'

/* Leads that their owners have read, or not. */

describe('a lead', () => {
  let o: TestOrg
  let other: string
  before(async () => {
    o = await openOrg()
    other = await createUser(o, 'other')
  })
  const lead = (fields: object = {}) => ({ LastName: 'L', Company: 'C', ...fields })
  const isUnread = (IsUnreadByOwner: boolean) => ({ IsUnreadByOwner })

  test('that its owner creates is read', async () => {
    await assertSteps(o, 'Lead', [
      [lead(), isUnread(false)],
      [{ OwnerId: other }, isUnread(true)],
      [{ Status: 'Working - Contacted' }, isUnread(true)],
      [{ OwnerId: o.userId }, isUnread(false)],
    ])
  })

  test('of somebody else is unread until the owner changes its status', async () => {
    const id = await assertSteps(o, 'Lead', [
      [lead({ OwnerId: other }), isUnread(true)],
      [{ Company: 'D' }, isUnread(true)],
    ])
    const token = o.services.sessions.issueUnstored(o.org, other)
    await o.call('PATCH', `/sobjects/Lead/${id}`, {
      body: { Status: 'Working - Contacted' },
      headers: { authorization: `Bearer ${token}` },
    })
    const { body } = await o.call('GET', `/sobjects/Lead/${id}?fields=IsUnreadByOwner`)
    assert.equal(body.IsUnreadByOwner, false)
  })

  test('has what a write says', async () => {
    await assertSteps(o, 'Lead', [
      [lead({ OwnerId: other, IsUnreadByOwner: false }), isUnread(false)],
      [{ IsUnreadByOwner: true, Status: 'Working - Contacted' }, isUnread(true)],
    ])
  })
})
