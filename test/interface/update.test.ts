import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { assertRefused, NO_KEY, NO_RESOURCE } from '../support/assert-refused.ts'
import { createUser } from '../support/create-user.ts'
import { HIERARCHY_SCHEMA } from '../support/hierarchy-schema.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { SPECIMEN } from '../support/specimen-schema.ts'
import { thisSecond } from '../support/this-second.ts'

let org: TestOrg
let now = thisSecond()

before(async () => {
  org = await openOrg({ clock: () => now })
  await org.deploy([SPECIMEN, ...HIERARCHY_SCHEMA])
})

const patch = (path: string, body: unknown) => org.call('PATCH', `/sobjects/${path}`, { body })
const read = async (object: string, id: string) => (await org.call('GET', `/sobjects/${object}/${id}`)).body
const later = () => {
  now = new Date(now.getTime() + 60_000)
}

describe('an update', () => {
  test('answers 204 without a body and changes only the members of the body', async () => {
    const id = await org.create('Account', { Name: 'Acme', Phone: '1', Site: 'HQ' })
    const answer = await patch(`account/${id.slice(0, 15)}`, { PHONE: '2', NumberOfEmployees: '12' })
    assert.equal(answer.status, 204)
    assert.equal(answer.text, '')
    assert.equal(answer.headers['content-type'], undefined)
    const { Name, Phone, Site, NumberOfEmployees } = await read('Account', id)
    assert.deepEqual([Name, Phone, Site, NumberOfEmployees], ['Acme', '2', 'HQ', 12])
  })

  test('clears a field by null, by an empty and by a blank text', async () => {
    for (const Phone of [null, '', '  ']) {
      const id = await org.create('Account', { Name: 'Acme', Phone: '1' })
      assert.equal((await patch(`Account/${id}`, { Phone })).status, 204)
      assert.equal((await read('Account', id)).Phone, null)
    }
  })

  test('makes a boolean false by null', async () => {
    const id = await org.create('Specimen__c', { Flag__c: true })
    await patch(`Specimen__c/${id}`, { Flag__c: null, Raised__c: null })
    const { Flag__c, Raised__c } = await read('Specimen__c', id)
    assert.deepEqual([Flag__c, Raised__c], [false, false])
  })

  test('moves the time of the last change and keeps that of the creation', async () => {
    const id = await org.create('Account', { Name: 'Acme' })
    const before = await read('Account', id)
    assert.equal(before.CreatedDate, `${now.toISOString().slice(0, 19)}.000+0000`)
    later()
    await patch(`Account/${id}`, { Phone: '2' })
    const after = await read('Account', id)
    assert.equal(after.CreatedDate, before.CreatedDate)
    assert.equal(after.LastModifiedDate, `${now.toISOString().slice(0, 19)}.000+0000`)
    assert.equal(after.SystemModstamp, after.LastModifiedDate)
  })

  test('with an empty body changes nothing, not even the time of the last change', async () => {
    const id = await org.create('Account', { Name: 'Acme' })
    const before = await read('Account', id)
    later()
    assert.equal((await patch(`Account/${id}`, {})).status, 204)
    assert.equal((await patch(`Account/${id}`, { attributes: { type: 'Account' } })).status, 204)
    assert.deepEqual(await read('Account', id), before)
  })

  test('may give a unique field the value that it has already', async () => {
    const id = await org.create('Specimen__c', { Key__c: 'same' })
    assert.equal((await patch(`Specimen__c/${id}`, { Key__c: 'SAME' })).status, 204)
    assert.equal((await read('Specimen__c', id)).Key__c, 'SAME')
  })

  test('may give the record to another user', async () => {
    const id = await org.create('Account', { Name: 'Acme' })
    const other = await createUser(org, 'other')
    assert.equal((await patch(`Account/${id}`, { OwnerId: other.slice(0, 15) })).status, 204)
    assert.equal((await read('Account', id)).OwnerId, other)
  })

  test('may move a detail that is reparentable to another master', async () => {
    const house = await org.create('House__c', {})
    const [from, to] = [
      await org.create('Room__c', { House__c: house }),
      await org.create('Room__c', { House__c: house }),
    ]
    const chair = await org.create('Chair__c', { Room__c: from })
    assert.equal((await patch(`Chair__c/${chair}`, { Room__c: to })).status, 204)
    assert.equal((await read('Chair__c', chair)).Room__c, to)
  })

  test('comes by POST with _HttpMethod=PATCH, and by PATCH X/Id/{id} with a body', async () => {
    const id = await org.create('Account', { Name: 'Acme' })
    const posted = await org.call('POST', `/sobjects/Account/${id}?_HttpMethod=PATCH`, {
      body: { Phone: '3' },
    })
    assert.equal(posted.status, 204)
    assert.equal((await read('Account', id)).Phone, '3')
    const byKey = await patch(`Account/Id/${id.slice(0, 15)}`, { Phone: '4' })
    assert.equal(byKey.status, 200)
    assert.deepEqual(byKey.body, { id, success: true, errors: [], created: false })
    const old = await org.call('PATCH', `/services/data/v45.0/sobjects/Account/Id/${id}`, {
      body: { Phone: '5' },
    })
    assert.deepEqual([old.status, old.text], [204, ''])
    assert.equal((await read('Account', id)).Phone, '5')
  })
})

describe('an update is refused and changes nothing', () => {
  /** The record after the call is the record before it. */
  async function refused(object: string, id: string, body: unknown, check: (answer: never) => void) {
    const before = await read(object, id)
    later()
    check((await patch(`${object}/${id}`, body)) as never)
    assert.deepEqual(await read(object, id), before)
  }

  test('when it writes what only the platform sets; all such fields are named', async () => {
    const id = await org.create('Contact', { LastName: 'King' })
    const body = {
      Phone: '1',
      IsDeleted: true,
      CreatedDate: '2020-01-01T00:00:00Z',
      Name: 'x',
      MailingAddress: {},
    }
    await refused('Contact', id, body, (answer) =>
      assertRefused(
        answer,
        400,
        'INVALID_FIELD_FOR_INSERT_UPDATE',
        'Unable to create/update fields: IsDeleted, CreatedDate, Name, MailingAddress. Please check the security settings of this field and verify that it is read/write for your profile or permission set.',
        ['IsDeleted', 'CreatedDate', 'Name', 'MailingAddress'],
      ),
    )
  })

  test('when it writes what is only set at creation', async () => {
    const account = await org.create('Account', { Name: 'Acme' })
    const note = await org.create('Note', { Title: 'n', ParentId: account })
    await refused('Note', note, { ParentId: account }, (answer) =>
      assertRefused(answer, 400, 'INVALID_FIELD_FOR_INSERT_UPDATE', /fields: ParentId\. /, ['ParentId']),
    )
    const house = await org.create('House__c', { Plate__c: 'AB 12' })
    const room = await org.create('Room__c', { House__c: house })
    for (const body of [{ House__c: house }, { House__r: { Plate__c: 'AB 12' } }, { House__r: null }]) {
      await refused('Room__c', room, body, (answer) =>
        assertRefused(answer, 400, 'INVALID_FIELD_FOR_INSERT_UPDATE', /fields: House__c\. /, ['House__c']),
      )
    }
  })

  test('when it has an Id, the right one too', async () => {
    const id = await org.create('Account', { Name: 'Acme' })
    await refused('Account', id, { Id: id, Phone: '1' }, (answer) =>
      assertRefused(
        answer,
        400,
        'INVALID_FIELD',
        'The Id field should not be specified in the sobject data.',
      ),
    )
  })

  test('when it empties required fields; all of them are named', async () => {
    const opportunity = { Name: 'Deal', StageName: 'Prospecting', CloseDate: '2026-01-31' }
    const id = await org.create('Opportunity', opportunity)
    await refused('Opportunity', id, { Name: ' ', CloseDate: null, Amount: 1 }, (answer) =>
      assertRefused(answer, 400, 'REQUIRED_FIELD_MISSING', 'Required fields are missing: [Name, CloseDate]', [
        'Name',
        'CloseDate',
      ]),
    )
  })

  test('when another record has the unique value', async () => {
    const holder = await org.create('Specimen__c', { Key__c: 'taken' })
    const id = await org.create('Specimen__c', { Key__c: 'own' })
    await refused('Specimen__c', id, { Key__c: 'TAKEN', Text__c: 'x' }, (answer) =>
      assertRefused(
        answer,
        400,
        'DUPLICATE_VALUE',
        `duplicate value found: Key__c duplicates value on record with id: ${holder.slice(0, 15)}`,
      ),
    )
  })
})

describe('an update of a record that is not there', () => {
  test('tells a deleted one from one that never was', async () => {
    const gone = await org.create('Account', { Name: 'Gone' })
    await org.call('DELETE', `/sobjects/Account/${gone}`)
    const never = `${gone.slice(0, 14)}z`
    for (const body of [{ Phone: '1' }, {}]) {
      assertRefused(await patch(`Account/${gone}`, body), 404, 'ENTITY_IS_DELETED', 'entity is deleted')
      assertRefused(
        await patch(`Account/${never}`, body),
        404,
        'INVALID_CROSS_REFERENCE_KEY',
        'invalid cross reference id',
      )
      assertRefused(await patch(`Account/Id/${never}`, body), 404, 'NOT_FOUND', NO_RESOURCE)
      assertRefused(await patch(`Account/Id/${gone}`, body), 404, 'NOT_FOUND', NO_RESOURCE)
    }
  })

  test('names a segment that is no id of the object', async () => {
    for (const segment of ['-1', org.userId, '001']) {
      assertRefused(await patch(`Account/${segment}`, { Phone: '1' }), 404, 'NOT_FOUND', NO_KEY(segment))
      assertRefused(await patch(`Account/Id/${segment}`, { Phone: '1' }), 404, 'NOT_FOUND', NO_KEY(segment))
    }
  })
})
