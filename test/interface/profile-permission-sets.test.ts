import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fetchNames } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow, type Person } from '../support/people.ts'

describe('the permission set of a profile', () => {
  let o: TestOrg
  let person: Person
  before(async () => {
    o = await openOrg()
    person = await addPerson(o, 'ann')
    await allow(o, person.setId, 'Account', 'Read')
  })

  test('is not deleted by itself', async () => {
    const PermissionSetId = await o.create('PermissionSet', { Name: 'Own', Label: 'Own' })
    const path = `/sobjects/PermissionSet/${person.setId}`
    assertRefused(await o.call('DELETE', path), 400, 'INSUFFICIENT_ACCESS_OR_READONLY', /with the profile/)
    const list = await o.call('DELETE', `/composite/sobjects?ids=${person.setId},${PermissionSetId}`)
    assert.deepEqual(
      list.body.map(({ success }: { success: boolean }) => success),
      [false, true],
    )
    assert.equal((await person.call('GET', '/query?q=SELECT+Id+FROM+Account')).status, 200)
  })

  test('is not assigned, and stays with its profile', async () => {
    const own = { PermissionSetId: person.setId, AssigneeId: o.userId }
    const body = {
      records: [own, own].map((one) => ({ attributes: { type: 'PermissionSetAssignment' }, ...one })),
    }
    const { body: answers } = await o.call('POST', '/composite/sobjects', { body })
    for (const { errors } of answers) {
      assert.equal(errors[0].statusCode, 'FIELD_INTEGRITY_EXCEPTION')
      assert.deepEqual(errors[0].fields, ['PermissionSetId'])
    }
    const moved = await o.call('PATCH', `/sobjects/PermissionSet/${person.setId}`, {
      body: { ProfileId: person.profileId },
    })
    assertRefused(moved, 400, 'INVALID_FIELD_FOR_INSERT_UPDATE', /ProfileId/, ['ProfileId'])
  })

  test('goes with its profile', async () => {
    const profile = await o.create('Profile', { Name: 'Short' })
    const where = `PermissionSet WHERE ProfileId = '${profile}'`
    assert.equal((await fetchNames(o, where)).length, 1)
    assert.equal((await o.call('DELETE', `/sobjects/Profile/${profile}`)).status, 204)
    assert.deepEqual(await fetchNames(o, where), [])
  })
})
