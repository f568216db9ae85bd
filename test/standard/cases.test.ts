import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fetchRecords } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { assertValues } from '../support/derived.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow, allowField } from '../support/people.ts'

/* Values and records that a case gets beside its own fields. */

describe('a case', () => {
  let o: TestOrg
  before(async () => {
    o = await openOrg()
  })
  const listComments = async (id: string) => {
    const comments = await fetchRecords(
      o,
      `SELECT CommentBody, IsPublished FROM CaseComment WHERE ParentId = '${id}' ORDER BY Id`,
    )
    return comments.map(({ CommentBody, IsPublished }) => [CommentBody, IsPublished])
  }

  test('that is written with a comment gets it as a record, and reads as empty', async () => {
    const id = await o.create('Case', { Subject: 'S', Comments: 'a' })
    await assertValues(o, 'Case', id, { Subject: 'S', Comments: null })
    const { status } = await o.call('PATCH', `/sobjects/Case/${id}`, { body: { Comments: 'b' } })
    assert.equal(status, 204)
    await o.call('PATCH', `/sobjects/Case/${id}`, { body: { Comments: null, Subject: 'T' } })
    await assertValues(o, 'Case', id, { Subject: 'T', Comments: null })
    assert.deepEqual(await listComments(id), [
      ['a', false],
      ['b', false],
    ])
  })

  test('is changed by whoever writes, changes or deletes a comment', async () => {
    const id = await o.create('Case', { Subject: 'S' })
    const person = await addPerson(o, 'commenter')
    await allow(o, person.setId, 'Case', 'Read', 'Edit')
    await allow(o, person.setId, 'CaseComment', 'Read', 'Create', 'Edit', 'Delete')
    await allowField(o, person.setId, 'CaseComment.CommentBody', 'Edit')
    const isOf = async (user: string) => {
      const [row] = await fetchRecords(
        o,
        `SELECT LastModifiedById, LastModifiedDate, SystemModstamp FROM Case WHERE Id = '${id}'`,
      )
      assert.equal(row!.LastModifiedById, user)
      assert.equal(row!.LastModifiedDate, row!.SystemModstamp)
    }
    const rename = async () => {
      await o.call('PATCH', `/sobjects/Case/${id}`, { body: { Subject: 'T' } })
      await isOf(o.userId)
    }
    const comment = await person.org.create('CaseComment', { ParentId: id, CommentBody: 'a' })
    await isOf(person.id)
    await rename()
    await person.call('PATCH', `/sobjects/CaseComment/${comment}`, { body: { CommentBody: 'b' } })
    await isOf(person.id)
    await rename()
    await person.call('DELETE', `/sobjects/CaseComment/${comment}`)
    await isOf(person.id)
  })

  test('of a list has its own comment, and the others have none', async () => {
    const records = [{ Comments: 'x' }, {}, { Comments: 'z' }].map((fields) => ({
      attributes: { type: 'Case' },
      Subject: 'L',
      ...fields,
    }))
    const { body } = await o.call('POST', '/composite/sobjects', { body: { records } })
    const comments = await Promise.all(body.map(({ id }: { id: string }) => listComments(id)))
    assert.deepEqual(comments, [[['x', false]], [], [['z', false]]])
  })

  test('has the business hours of the org', async () => {
    const [{ Id } = {}] = await fetchRecords(o, 'SELECT Id FROM BusinessHours WHERE IsDefault = true')
    const id = await o.create('Case', { Subject: 'S' })
    const [found] = await fetchRecords(
      o,
      `SELECT BusinessHoursId, BusinessHours.Name FROM Case WHERE Id = '${id}' AND BusinessHours.IsDefault = true`,
    )
    assert.deepEqual(
      [found!.BusinessHoursId, (found!.BusinessHours as { Name: string }).Name],
      [Id, 'Default'],
    )
    const given = await o.call('PATCH', `/sobjects/Case/${id}`, { body: { BusinessHoursId: Id } })
    assert.equal(given.status, 204, given.text)
    const unknown = `${String(Id).slice(0, 12)}zzz`
    const wrong = await o.call('PATCH', `/sobjects/Case/${id}`, { body: { BusinessHoursId: unknown } })
    assertRefused(wrong, 400, 'INVALID_CROSS_REFERENCE_KEY', 'invalid cross reference id', [])
    const none = await o.call('PATCH', `/sobjects/Case/${id}`, { body: { BusinessHoursId: null } })
    assert.equal(none.status, 400, none.text)
  })
})
