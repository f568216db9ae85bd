import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { assertRefused } from '../support/assert-refused.ts'
import { HIERARCHY_SCHEMA } from '../support/hierarchy-schema.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { SPECIMEN } from '../support/specimen-schema.ts'

let org: TestOrg
let account: string
let contact: string

before(async () => {
  org = await openOrg()
  await org.deploy([SPECIMEN, ...HIERARCHY_SCHEMA])
  account = await org.create('Account', { Name: 'Acme' })
  contact = await org.create('Contact', { LastName: 'King', Email: 'ada@example.com' })
})

const create = (object: string, body: unknown) => org.call('POST', `/sobjects/${object}`, { body })
const specimen = (body: unknown) => create('Specimen__c', body)
const read = async (object: string, id: string) => (await org.call('GET', `/sobjects/${object}/${id}`)).body

async function stored(body: unknown): Promise<{ Account__c: string | null; Target__c: string | null }> {
  const answer = await specimen(body)
  assert.equal(answer.status, 201, answer.text)
  return read('Specimen__c', answer.body.id)
}

describe('a parent named by its id', () => {
  test('is stored with 18 characters, whichever form came', async () => {
    assert.equal((await stored({ Account__c: account })).Account__c, account)
    assert.equal((await stored({ Account__c: account.slice(0, 15) })).Account__c, account)
    const lowerCheck = account.slice(0, 15) + account.slice(15).toLowerCase()
    assert.equal((await stored({ Account__c: lowerCheck })).Account__c, account)
  })

  test('is not set when it is null or an empty text', async () => {
    assert.equal((await stored({ Account__c: null })).Account__c, null)
    assert.equal((await stored({ Account__c: ' ' })).Account__c, null)
  })

  test('may be of any type that a polymorphic field allows', async () => {
    assert.equal((await stored({ Target__c: contact })).Target__c, contact)
    assert.equal((await stored({ Target__c: account })).Target__c, account)
  })

  test('must be an id, of an object that the field points to', async () => {
    for (const value of [
      contact,
      'INVALID',
      '-1',
      `${account.slice(0, 15)}XXX`,
      'zzz000000000001AAA',
      '\u0000',
    ]) {
      const message = `Account: id value of incorrect type: ${value}`
      assertRefused(await specimen({ Account__c: value }), 400, 'MALFORMED_ID', message, ['Account__c'])
    }
    const message = `Target: id value of incorrect type: ${org.userId}`
    assertRefused(await specimen({ Target__c: org.userId }), 400, 'MALFORMED_ID', message, ['Target__c'])
  })

  test('must be there', async () => {
    const never = `${account.slice(0, 14)}z`
    for (const body of [{ Account__c: never }, { Target__c: never }]) {
      assertRefused(await specimen(body), 400, 'INVALID_CROSS_REFERENCE_KEY', 'invalid cross reference id')
    }
    const id = await org.create('Specimen__c', {})
    const answer = await org.call('PATCH', `/sobjects/Specimen__c/${id}`, { body: { Account__c: never } })
    assertRefused(answer, 400, 'INVALID_CROSS_REFERENCE_KEY', 'invalid cross reference id')
  })

  test('must not be deleted', async () => {
    const gone = await org.create('Account', { Name: 'Gone' })
    await org.call('DELETE', `/sobjects/Account/${gone}`)
    for (const body of [{ Account__c: gone }, { Target__c: gone }]) {
      assertRefused(await specimen(body), 400, 'ENTITY_IS_DELETED', 'entity is deleted')
    }
    const id = await org.create('Specimen__c', { Text__c: 'kept' })
    const answer = await org.call('PATCH', `/sobjects/Specimen__c/${id}`, {
      body: { Account__c: gone, Text__c: 'changed' },
    })
    assertRefused(answer, 400, 'ENTITY_IS_DELETED', 'entity is deleted')
    assert.equal((await read('Specimen__c', id)).Text__c, 'kept')
  })

  test('is refused before a missing required field is', async () => {
    assertRefused(
      await create('Contact', { AccountId: 'garbage' }),
      400,
      'MALFORMED_ID',
      'Account ID: id value of incorrect type: garbage',
      ['AccountId'],
    )
  })
})

describe('a parent named by a key of its own', () => {
  test('is found by one external id or lookup field, without case', async () => {
    const house = await org.create('House__c', { Plate__c: 'P-1' })
    const room = await create('Room__c', { house__R: { PLATE__c: 'p-1' } })
    assert.equal(room.status, 201, room.text)
    assert.equal((await read('Room__c', room.body.id)).House__c, house)
    const standard = await create('Contact', { LastName: 'x', Account: { Name: 'ACME' } })
    assert.equal((await read('Contact', standard.body.id)).AccountId, account)
    assert.equal((await stored({ Account__r: { Id: account.slice(0, 15) } })).Account__c, account)
  })

  test('counts as given where the parent is required', async () => {
    await org.create('House__c', { Plate__c: 'P-2' })
    assert.equal((await create('Room__c', { House__r: { Plate__c: 'P-2' } })).status, 201)
    assertRefused(
      await create('Contact', { Account: { Name: 'nobody' } }),
      400,
      'REQUIRED_FIELD_MISSING',
      'Required fields are missing: [LastName]',
      ['LastName'],
    )
  })

  test('works in an update, and null clears the lookup', async () => {
    const id = await org.create('Specimen__c', {})
    const patch = (body: unknown) => org.call('PATCH', `/sobjects/Specimen__c/${id}`, { body })
    assert.equal((await patch({ Account__r: { Name: 'Acme' } })).status, 204)
    assert.equal((await read('Specimen__c', id)).Account__c, account)
    assert.equal((await patch({ Account__r: null })).status, 204)
    assert.equal((await read('Specimen__c', id)).Account__c, null)
  })

  test('that nobody has is refused', async () => {
    for (const value of ['A-17', null, 17, true, '\u0000', 'x'.repeat(300)]) {
      const message = `Foreign key external ID: ${String(value).slice(0, 255)} not found for field Plate__c in entity House__c`
      assertRefused(await create('Room__c', { House__r: { Plate__c: value } }), 400, 'INVALID_FIELD', message)
    }
  })

  test('of a deleted record is nobody’s', async () => {
    const gone = await org.create('House__c', { Plate__c: 'gone' })
    await org.call('DELETE', `/sobjects/House__c/${gone}`)
    const message = 'Foreign key external ID: gone not found for field Plate__c in entity House__c'
    assertRefused(await create('Room__c', { House__r: { Plate__c: 'gone' } }), 400, 'INVALID_FIELD', message)
  })

  test('that several have is refused, and they are listed', async () => {
    const ids = [
      await org.create('House__c', { Plate__c: 'dup' }),
      await org.create('House__c', { Plate__c: 'dup' }),
    ]
    assertRefused(
      await create('Room__c', { House__r: { Plate__c: 'dup' } }),
      400,
      'INVALID_FIELD',
      `More than one record found for external id field: [${ids.join(', ')}]`,
    )
  })

  test('must be exactly one key of that object', async () => {
    const cases: [object, string][] = [
      [{}, ''],
      [{ attributes: { type: 'House__c' } }, ''],
      [{ Plate__c: 'a', Name: 'b' }, 'Plate__c, Name'],
      [{ Annex__c: 'a' }, 'Annex__c'],
      [{ Nothing__c: 'a' }, 'Nothing__c'],
      [JSON.parse('{"__proto__":"a"}'), '__proto__'],
    ]
    for (const [parent, named] of cases) {
      const message = `A related House__c is named by exactly one external ID or lookup field, not by: [${named}]`
      assertRefused(await create('Room__c', { House__r: parent }), 400, 'INVALID_FIELD', message)
    }
  })

  test('must be an object with a plain value in it', async () => {
    const wrong = (body: unknown) => create('Room__c', body)
    assertRefused(
      await wrong({ House__r: 'P-1' }),
      400,
      'JSON_PARSER_ERROR',
      /^Cannot deserialize instance of reference from VALUE_STRING value P-1 or .* at \[line:1, column:13\]$/,
    )
    assertRefused(
      await wrong({ House__r: [{}] }),
      400,
      'JSON_PARSER_ERROR',
      /^Cannot deserialize instance of reference from START_ARRAY value \[/,
    )
    assertRefused(
      await wrong({ House__r: { Plate__c: { toString: 1 } } }),
      400,
      'JSON_PARSER_ERROR',
      /^Cannot deserialize instance of string from START_OBJECT value \{ or .* at \[line:1, column:25\]$/,
    )
    assertRefused(
      await wrong({ House__r: { Plate__c: [[[]]] } }),
      400,
      'JSON_PARSER_ERROR',
      /^Cannot deserialize instance of string from START_ARRAY value \[/,
    )
  })

  test('of a polymorphic field says which type it is of', async () => {
    const Target__r = { attributes: { type: 'contact' }, Email: 'ADA@example.com' }
    assert.equal((await stored({ Target__r })).Target__c, contact)
    const message = 'The Target__r relationship needs attributes with a type, one of: Account, Contact'
    for (const attributes of [undefined, null, {}, { type: 'User' }, { type: { toString: 1 } }, 'Contact']) {
      const answer = await specimen({ Target__r: { attributes, Email: 'ada@example.com' } })
      assertRefused(answer, 400, 'INVALID_FIELD', message)
    }
  })

  test('cannot be given to a field that is only read', async () => {
    assertRefused(
      await specimen({ CreatedBy: { Username: 'admin@objectry.test' } }),
      400,
      'INVALID_FIELD_FOR_INSERT_UPDATE',
      /fields: CreatedById\. /,
      ['CreatedById'],
    )
  })
})
