import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { assertRefused, NO_KEY, NO_RESOURCE } from '../support/assert-refused.ts'
import { HIERARCHY_SCHEMA } from '../support/hierarchy-schema.ts'
import { openOrg, type TestOrg } from '../support/org.ts'

let org: TestOrg

before(async () => {
  org = await openOrg()
  await org.deploy(HIERARCHY_SCHEMA)
})

const remove = (path: string) => org.call('DELETE', `/sobjects/${path}`)
const read = (object: string, id: string) => org.call('GET', `/sobjects/${object}/${id}`)
const isThere = async (object: string, id: string) => (await read(object, id)).status === 200

describe('a delete', () => {
  test('answers 204 without a body, and the record is gone', async () => {
    const id = await org.create('Account', { Name: 'Acme' })
    const answer = await remove(`account/${id.slice(0, 15)}`)
    assert.deepEqual([answer.status, answer.text], [204, ''])
    assertRefused(await read('Account', id), 404, 'NOT_FOUND', NO_RESOURCE)
  })

  test('may say that it sends JSON and send none, or come by POST with _HttpMethod', async () => {
    const [one, two] = [
      await org.create('Account', { Name: 'a' }),
      await org.create('Account', { Name: 'b' }),
    ]
    const headers = { 'content-type': 'application/json' }
    assert.equal((await org.call('DELETE', `/sobjects/Account/${one}`, { headers })).status, 204)
    assert.equal((await org.call('POST', `/sobjects/Account/${two}?_HttpMethod=DELETE`)).status, 204)
    assert.equal(await isThere('Account', two), false)
  })

  test('a second time says that the record is deleted; of one that never was, that it does not exist', async () => {
    const id = await org.create('Account', { Name: 'Acme' })
    await remove(`Account/${id}`)
    assertRefused(await remove(`Account/${id}`), 404, 'ENTITY_IS_DELETED', 'entity is deleted')
    const never = `${id.slice(0, 14)}z`
    assertRefused(
      await remove(`Account/${never}`),
      404,
      'INVALID_CROSS_REFERENCE_KEY',
      'invalid cross reference id',
    )
  })

  test('names a segment that is no id of the object', async () => {
    for (const segment of ['-1', org.userId, '001000000000001AAB']) {
      assertRefused(await remove(`Account/${segment}`), 404, 'NOT_FOUND', NO_KEY(segment))
    }
  })

  test('frees the unique values of the record', async () => {
    const house = () => org.create('House__c', { Plate__c: 'free' })
    await remove(`House__c/${await house()}`)
    assert.equal((await remove(`House__c/${await house()}`)).status, 204)
  })

  test('ignores conditions and a body', async () => {
    const id = await org.create('Account', { Name: 'Acme' })
    const headers = { 'if-unmodified-since': 'Sat, 01 Jan 2000 00:00:00 GMT', 'content-type': 'text/plain' }
    assert.equal((await org.call('DELETE', `/sobjects/Account/${id}`, { headers, text: '{]' })).status, 204)
  })

  test('of records that only the platform removes is refused with 403', async () => {
    assertRefused(
      await remove(`User/${org.userId}`),
      403,
      'INSUFFICIENT_ACCESS',
      'Records of User are not deletable',
    )
  })
})

describe('a delete by key', () => {
  test('removes the one record that has it', async () => {
    const id = await org.create('House__c', { Plate__c: 'B 1/2' })
    assert.equal((await remove('House__c/plate__c/b%201%2F2')).status, 204)
    assert.equal(await isThere('House__c', id), false)
    assertRefused(await remove('House__c/Plate__c/B%201%2F2'), 404, 'NOT_FOUND', NO_RESOURCE)
  })

  test('removes no record when several have the key, and lists them with 300', async () => {
    const ids = [
      await org.create('House__c', { Plate__c: 'two' }),
      await org.create('House__c', { Plate__c: 'two' }),
    ]
    const answer = await remove('House__c/Plate__c/two')
    assert.equal(answer.status, 300)
    assert.deepEqual(
      answer.body,
      ids.map((id) => `/services/data/v64.0/sobjects/House__c/${id}`),
    )
    for (const id of ids) assert.equal(await isThere('House__c', id), true)
  })

  test('takes Id as key', async () => {
    const id = await org.create('House__c', {})
    assert.equal((await remove(`House__c/Id/${id}`)).status, 204)
    assertRefused(await remove('House__c/Name__c/x'), 404, 'NOT_FOUND', NO_KEY('Name__c'))
  })
})

describe('what hangs on a deleted record', () => {
  test('goes with it when it is a detail, over all levels', async () => {
    const house = await org.create('House__c', {})
    const room = await org.create('Room__c', { House__c: house })
    const chair = await org.create('Chair__c', { Room__c: room })
    const other = await org.create('Chair__c', {
      Room__c: await org.create('Room__c', { House__c: await org.create('House__c', {}) }),
    })
    assert.equal((await remove(`House__c/${house}`)).status, 204)
    assert.equal(await isThere('Room__c', room), false)
    assert.equal(await isThere('Chair__c', chair), false)
    assert.equal(await isThere('Chair__c', other), true)
    assertRefused(await remove(`Room__c/${room}`), 404, 'ENTITY_IS_DELETED', 'entity is deleted')
  })

  test('goes with it where the standard objects say so: contacts of an account, notes of both', async () => {
    const account = await org.create('Account', { Name: 'Acme' })
    const contact = await org.create('Contact', { LastName: 'King', AccountId: account })
    const note = await org.create('Note', { Title: 'n', ParentId: contact })
    await remove(`Account/${account}`)
    assert.equal(await isThere('Contact', contact), false)
    assert.equal(await isThere('Note', note), false)
  })

  test('loses its lookup, in every field that points there, and nothing else', async () => {
    const [house, other] = [await org.create('House__c', {}), await org.create('House__c', {})]
    const both = await org.create('Letter__c', { Name: 'both', Sender__c: house, Receiver__c: house })
    const one = await org.create('Letter__c', { Sender__c: other, Receiver__c: house })
    const annex = await org.create('House__c', { Annex__c: house })
    await remove(`House__c/${house}`)
    const letters = [(await read('Letter__c', both)).body, (await read('Letter__c', one)).body]
    assert.deepEqual(
      letters.map((letter) => [letter.Sender__c, letter.Receiver__c]),
      [
        [null, null],
        [other, null],
      ],
    )
    assert.equal(letters[0].Name, 'both')
    assert.equal((await read('House__c', annex)).body.Annex__c, null)
  })

  test('goes with it when one of its lookups says so, whatever the others say', async () => {
    const house = await org.create('House__c', {})
    const letter = await org.create('Letter__c', { Sender__c: house, Archive__c: house })
    await remove(`House__c/${house}`)
    assert.equal(await isThere('Letter__c', letter), false)
  })

  test('may forbid the delete; then nothing is deleted, cleared or changed', async () => {
    const house = await org.create('House__c', {})
    const lease = await org.create('Lease__c', { House__c: house })
    const room = await org.create('Room__c', { House__c: house })
    const letter = await org.create('Letter__c', { Sender__c: house })
    const before = (await read('House__c', house)).body
    assertRefused(
      await remove(`House__c/${house}`),
      400,
      'DELETE_FAILED',
      /^Your attempt to delete a0\w+ could not be completed because it is associated with the following Leases\.: \S+$/,
    )
    assert.deepEqual((await read('House__c', house)).body, before)
    assert.equal(await isThere('Room__c', room), true)
    assert.equal((await read('Letter__c', letter)).body.Sender__c, house)
    await remove(`Lease__c/${lease}`)
    assert.equal((await remove(`House__c/${house}`)).status, 204)
  })

  test('forbids the delete of the queue that owns it', async () => {
    const queue = await org.create('Group', { Name: 'Owners', DeveloperName: 'Owners', Type: 'Queue' })
    const owned = await org.create('Case', { Subject: 'owned', OwnerId: queue })
    assertRefused(
      await remove(`Group/${queue}`),
      400,
      'DELETE_FAILED',
      /associated with the following cases\.: \d+$/,
    )
    await org.call('PATCH', `/sobjects/Case/${owned}`, { body: { OwnerId: org.userId } })
    assert.equal((await remove(`Group/${queue}`)).status, 204)
  })

  test('forbids nothing when it goes too', async () => {
    const house = await org.create('House__c', {})
    const lease = await org.create('Lease__c', { House__c: house, Owner_House__c: house })
    assert.equal((await remove(`House__c/${house}`)).status, 204)
    assert.equal(await isThere('Lease__c', lease), false)
  })

  test('may hang on itself', async () => {
    const house = await org.create('House__c', {})
    await org.call('PATCH', `/sobjects/House__c/${house}`, { body: { Annex__c: house } })
    assert.equal((await remove(`House__c/${house}`)).status, 204)
  })
})
