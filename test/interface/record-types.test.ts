import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { assertRefused } from '../support/assert-refused.ts'
import { fetchSteps } from '../support/deploying.ts'
import { type Answer, openOrg, type TestOrg } from '../support/org.ts'

let o: TestOrg
let types: Record<string, string>
let foreign: string

before(async () => {
  o = await openOrg()
  const list = ['S', 'M', 'L']
  await fetchSteps(o, {
    Box__c: {
      fields: {
        Free__c: { type: 'picklist', values: list },
        Size__c: { type: 'picklist', values: list, restricted: true },
        Tags__c: { type: 'multipicklist', values: list, restricted: true },
        Level__c: { type: 'picklist', values: [{ value: 'M', default: true }, 'S'], required: true },
        Land__c: { type: 'picklist', values: ['DE', 'FR'] },
        City__c: {
          type: 'picklist',
          restricted: true,
          controller: 'Land__c',
          values: [
            { value: 'Berlin', validFor: ['DE'], default: true },
            { value: 'Paris', validFor: ['FR'] },
            'Nowhere',
          ],
        },
        Hall__c: { type: 'picklist', controller: 'Land__c', values: [{ value: 'Römer', validFor: ['DE'] }] },
        Open__c: { type: 'boolean' },
        Key__c: { type: 'string', length: 20, externalId: true, unique: true },
        Lid__c: {
          type: 'picklist',
          restricted: true,
          controller: 'Open__c',
          values: [
            { value: 'None', validFor: ['true'] },
            { value: 'Flat', validFor: ['false'] },
          ],
        },
      },
      recordTypes: {
        Plain: { default: true },
        Small: { picklists: { Size__c: ['S'], tags__c: ['S', 'M'], Free__c: ['S'] } },
        Strict: { picklists: { Level__c: ['S'] } },
        Gone: { inactive: true },
      },
    },
    Lid__c: { recordTypes: { Round: null } },
    Bare__c: {},
  })
  types = {}
  for (const object of ['Box__c', 'Lid__c']) {
    for (const info of (await o.call('GET', `/sobjects/${object}/describe`)).body.recordTypeInfos) {
      types[info.developerName] = info.recordTypeId
    }
  }
  foreign = types.Round!
})

const create = (body: object) => o.call('POST', '/sobjects/Box__c', { body })
const update = (id: string, body: object) => o.call('PATCH', `/sobjects/Box__c/${id}`, { body })
const read = async (id: string) => (await o.call('GET', `/sobjects/Box__c/${id}`)).body

const notAllowed = (answer: Answer, field: string, label: string, value: string) =>
  assertRefused(
    answer,
    400,
    'INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST',
    `${label}: bad value for restricted picklist field: ${value}`,
    [field],
  )

const notValid = (answer: Answer, id: string) =>
  assertRefused(
    answer,
    400,
    'INVALID_CROSS_REFERENCE_KEY',
    `Record Type ID: this ID value isn't valid for the user: ${id}`,
    ['RecordTypeId'],
  )

describe('the record type of a record', () => {
  test('is an active one of its object', async () => {
    const id = await o.create('Box__c', { RecordTypeId: types.Small })
    assert.equal((await read(id)).RecordTypeId, types.Small)
    assert.equal((await update(id, { RecordTypeId: types.Plain!.slice(0, 15) })).status, 204)
    assert.equal((await read(id)).RecordTypeId, types.Plain)
    for (const wrong of [types.Gone!, foreign, `012${types.Small!.slice(3, 12)}zzz${'AAA'}`]) {
      const made = await create({ RecordTypeId: wrong.slice(0, 15) })
      notValid(made, made.body[0].message.slice(-18))
      assert.equal((await update(id, { RecordTypeId: wrong.slice(0, 15) })).status, 400)
    }
    assert.equal((await read(id)).RecordTypeId, types.Plain)
    assertRefused(await create({ RecordTypeId: 'Small' }), 400, 'MALFORMED_ID', /^Record Type ID/, [
      'RecordTypeId',
    ])
    assertRefused(await create({ RecordTypeId: o.userId }), 400, 'MALFORMED_ID', /^Record Type ID/, [
      'RecordTypeId',
    ])
  })

  test('is the default one when none is named, and none when the master or null is', async () => {
    assert.equal((await read(await o.create('Box__c', {}))).RecordTypeId, types.Plain)
    for (const none of [null, '012000000000000AAA', '012000000000000']) {
      const id = await o.create('Box__c', { RecordTypeId: none })
      assert.equal((await read(id)).RecordTypeId, null)
    }
    const id = await o.create('Box__c', {})
    assert.equal((await update(id, { RecordTypeId: '012000000000000AAA' })).status, 204)
    assert.equal((await read(id)).RecordTypeId, null)
  })

  test('may be one that a client made', async () => {
    const made = { Name: 'Made', DeveloperName: 'Made', SobjectType: 'Account' }
    const type = await o.create('RecordType', made)
    const id = await o.create('Account', { Name: 'Acme', RecordTypeId: type })
    assert.equal((await o.call('GET', `/sobjects/Account/${id}`)).body.RecordTypeId, type)
    notValid(await create({ RecordTypeId: type }), type)
    assert.equal(
      (await o.call('PATCH', `/sobjects/RecordType/${type}`, { body: { IsActive: false } })).status,
      204,
    )
    const body = { Name: 'Late', RecordTypeId: type }
    notValid(await o.call('POST', '/sobjects/Account', { body }), type)
  })

  test('is refused by record where several are written', async () => {
    const attributes = { type: 'Box__c' }
    const records = [foreign, types.Small].map((RecordTypeId) => ({ attributes, RecordTypeId }))
    const { body } = await o.call('POST', '/composite/sobjects', { body: { records } })
    assert.deepEqual(
      body.map((one: { success: boolean }) => one.success),
      [false, true],
    )
    assert.equal(body[0].errors[0].statusCode, 'INVALID_CROSS_REFERENCE_KEY')
  })
})

describe('a restricted picklist', () => {
  test('takes values that it has, and of those the ones that the record type offers', async () => {
    notAllowed(await create({ Size__c: 'XL' }), 'Size__c', 'Size', 'XL')
    const id = await o.create('Box__c', { RecordTypeId: types.Small, Size__c: 's', Tags__c: 'M;S' })
    assert.deepEqual([(await read(id)).Size__c, (await read(id)).Tags__c], ['S', 'S;M'])
    notAllowed(await create({ RecordTypeId: types.Small, Size__c: 'M' }), 'Size__c', 'Size', 'M')
    notAllowed(await create({ RecordTypeId: types.Small, Tags__c: 'S;L' }), 'Tags__c', 'Tags', 'L')
    notAllowed(await update(id, { Size__c: 'L' }), 'Size__c', 'Size', 'L')
    assert.equal((await update(id, { Size__c: null })).status, 204)
    assert.equal((await update(id, { Size__c: 'L', RecordTypeId: types.Plain })).status, 204)
  })

  test('keeps its value when the record becomes of another type', async () => {
    const id = await o.create('Box__c', { Size__c: 'L' })
    assert.equal((await update(id, { RecordTypeId: types.Small })).status, 204)
    assert.deepEqual((await read(id)).Size__c, 'L')
    notAllowed(await update(id, { Size__c: 'L' }), 'Size__c', 'Size', 'L')
  })

  test('that is not restricted takes any value, whatever the record type offers', async () => {
    const id = await o.create('Box__c', { RecordTypeId: types.Small, Free__c: 'L' })
    assert.equal((await update(id, { Free__c: 'Other' })).status, 204)
  })

  test('that is required needs a value where the record type does not offer its default', async () => {
    const lacking = await create({ RecordTypeId: types.Strict })
    const message = 'Required fields are missing: [Level__c]'
    assertRefused(lacking, 400, 'REQUIRED_FIELD_MISSING', message, ['Level__c'])
    assert.equal((await create({ RecordTypeId: types.Strict, Level__c: 'S' })).status, 201)
  })

  test('is checked by record where several are written, and the others are written', async () => {
    const [small, plain] = [
      await o.create('Box__c', { RecordTypeId: types.Small }),
      await o.create('Box__c', {}),
    ]
    const records = [small, plain].map((id) => ({ attributes: { type: 'Box__c' }, id, Size__c: 'L' }))
    const { body } = await o.call('PATCH', '/composite/sobjects', { body: { records } })
    assert.equal(body[0].errors[0].statusCode, 'INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST')
    assert.equal(body[1].success, true)
    const gone = await update('a00OB0000zzzzzz', { Size__c: 'L' })
    assert.deepEqual([gone.status, gone.body[0].errorCode], [404, 'INVALID_CROSS_REFERENCE_KEY'])
  })
})

describe('a dependent picklist', () => {
  test('that is restricted takes a value only beside its controlling value, written or held', async () => {
    const id = await o.create('Box__c', { Land__c: 'FR', City__c: 'Paris' })
    notAllowed(await create({ Land__c: 'FR', City__c: 'Berlin' }), 'City__c', 'City', 'Berlin')
    notAllowed(await create({ City__c: 'Berlin' }), 'City__c', 'City', 'Berlin')
    notAllowed(await update(id, { City__c: 'Berlin' }), 'City__c', 'City', 'Berlin')
    assert.equal((await create({ Land__c: 'FR', City__c: 'Nowhere' })).status, 201)
    assert.equal((await update(id, { City__c: 'Berlin', Land__c: 'DE' })).status, 204)
    assert.equal((await update(id, { Land__c: 'FR' })).status, 204)
    assert.equal((await read(id)).City__c, 'Berlin')
  })

  test('that is restricted is checked in an upsert by a unique key, alone and beside others', async () => {
    await o.create('Box__c', { Key__c: 'k1', Land__c: 'FR' })
    const upsert = (key: string) => `/sobjects/Box__c/Key__c/${key}`
    notAllowed(
      await o.call('PATCH', upsert('k1'), { body: { City__c: 'Berlin' } }),
      'City__c',
      'City',
      'Berlin',
    )
    const compositeRequest = ['k1', 'k2'].map((key) => ({
      method: 'PATCH',
      url: `/services/data/v64.0${upsert(key)}`,
      referenceId: key,
      body: key === 'k1' ? { City__c: 'Berlin' } : { City__c: 'Berlin', Land__c: 'DE' },
    }))
    const { body } = await o.call('POST', '/composite', { body: { compositeRequest } })
    assert.deepEqual(
      body.compositeResponse.map(({ httpStatusCode }: { httpStatusCode: number }) => httpStatusCode),
      [400, 201],
    )
  })

  test('gets its default only beside the value that it is allowed for', async () => {
    const cities = []
    for (const Land__c of ['DE', 'FR', null]) {
      cities.push((await read(await o.create('Box__c', { Land__c }))).City__c)
    }
    assert.deepEqual(cities, ['Berlin', null, null])
  })

  test('may depend on a boolean, which is false when nobody says anything', async () => {
    notAllowed(await create({ Lid__c: 'None' }), 'Lid__c', 'Lid', 'None')
    assert.equal((await create({ Lid__c: 'Flat' })).status, 201)
    assert.equal((await create({ Lid__c: 'None', Open__c: true })).status, 201)
    notAllowed(await create({ Lid__c: 'None', Open__c: null }), 'Lid__c', 'Lid', 'None')
  })

  test('that is not restricted takes any value', async () => {
    assert.equal((await create({ Land__c: 'FR', Hall__c: 'Römer' })).status, 201)
  })
})
