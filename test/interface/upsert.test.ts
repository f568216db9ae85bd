import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fetchRecords } from '../support/ask.ts'
import { assertRefused, NO_KEY, NO_RESOURCE } from '../support/assert-refused.ts'
import { fetchSteps } from '../support/deploying.ts'
import { assertValues } from '../support/derived.ts'
import { HIERARCHY_SCHEMA } from '../support/hierarchy-schema.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson } from '../support/people.ts'
import { addPrices } from '../support/prices.ts'
import { SPECIMEN, TICKET } from '../support/specimen-schema.ts'

let org: TestOrg

before(async () => {
  org = await openOrg()
  await org.deploy([SPECIMEN, TICKET, ...HIERARCHY_SCHEMA])
})

const upsert = (path: string, body: unknown = {}) =>
  org.call('PATCH', `/sobjects/Specimen__c/${path}`, { body })
const read = async (id: string, object = 'Specimen__c') =>
  (await org.call('GET', `/sobjects/${object}/${id}`)).body

describe('an upsert whose key no record has', () => {
  test('creates the record: 201 with created true, its address, and the key in it', async () => {
    const answer = await upsert('Key__c/new-1', { Text__c: 'a' })
    assert.equal(answer.status, 201)
    const { id } = answer.body
    assert.deepEqual(answer.body, { id, success: true, errors: [], created: true })
    assert.equal(answer.headers.location, `/services/data/v64.0/sobjects/Specimen__c/${id}`)
    const { Key__c, Text__c, Raised__c, OwnerId } = await read(id)
    assert.deepEqual([Key__c, Text__c, Raised__c, OwnerId], ['new-1', 'a', true, org.userId])
  })

  test('creates in every version, with the same body', async () => {
    for (const version of ['31.0', '45.0', '46.0', '68.0']) {
      const path = `/services/data/v${version}/sobjects/Specimen__c/Key__c/v-${version}`
      const answer = await org.call('PATCH', path, { body: {} })
      assert.equal(answer.status, 201)
      assert.equal(answer.body.created, true)
    }
  })

  test('keeps the key as it was written, encoded characters and all', async () => {
    for (const value of ['a/b c', 'plus+sign', '日本 😀', 'x.json', '100%']) {
      const answer = await upsert(`Key__c/${encodeURIComponent(value)}`)
      assert.equal(answer.status, 201)
      assert.equal((await read(answer.body.id)).Key__c, value)
    }
  })

  test('creates again when only a deleted record has the key', async () => {
    const first = (await upsert('Key__c/phoenix')).body.id
    await org.call('DELETE', `/sobjects/Specimen__c/${first}`)
    const again = await upsert('Key__c/phoenix')
    assert.equal(again.status, 201)
    assert.notEqual(again.body.id, first)
  })

  test('never creates with updateOnly=true', async () => {
    assertRefused(
      await upsert('Key__c/only?updateOnly=true', { Text__c: 'a' }),
      404,
      'NOT_FOUND',
      NO_RESOURCE,
    )
    assertRefused(await upsert('Loose__c/only?updateOnly=TRUE'), 404, 'NOT_FOUND', NO_RESOURCE)
    assert.equal((await org.call('GET', '/sobjects/Specimen__c/Key__c/only')).status, 404)
  })

  test('creates when updateOnly is anything but true', async () => {
    for (const value of ['false', '', '1', 'yes']) {
      assert.equal((await upsert(`Key__c/only-${value}?updateOnly=${value}`)).status, 201)
    }
  })

  test('needs the required fields; nothing is created without them', async () => {
    assertRefused(
      await org.call('PATCH', '/sobjects/Contact/Email/new@example.com', { body: { FirstName: 'Ada' } }),
      400,
      'REQUIRED_FIELD_MISSING',
      'Required fields are missing: [LastName]',
      ['LastName'],
    )
  })

  test('refuses a key that the field cannot hold', async () => {
    assertRefused(
      await upsert(`Key__c/${'x'.repeat(101)}`),
      400,
      'STRING_TOO_LONG',
      /^Key: data value too large: x+ \(max length=100\)$/,
      ['Key__c'],
    )
    assertRefused(
      await upsert('Ordinal__c/3000000000', { Text__c: 'a' }),
      400,
      'NUMBER_OUTSIDE_VALID_RANGE',
      'Ordinal: value outside of valid range on numeric field: 3000000000',
      ['Ordinal__c'],
    )
    for (const path of ['Numeral__c/ten', 'Key__c/%00', 'Key__c/%20', 'Ordinal__c/1.5']) {
      assertRefused(await upsert(path, { Text__c: 'a' }), 404, 'NOT_FOUND', NO_RESOURCE)
    }
  })

  test('refuses a key that nobody may write', async () => {
    assertRefused(
      await org.call('PATCH', '/sobjects/Ticket__c/Name/T-99999', { body: {} }),
      400,
      'INVALID_FIELD_FOR_INSERT_UPDATE',
      /fields: Name\. /,
      ['Name'],
    )
  })
})

describe('an upsert whose key one record has', () => {
  test('updates it: 200 with created false since 46.0, 204 without a body before', async () => {
    const { id } = (await upsert('Key__c/one', { Text__c: 'a' })).body
    const answer = await upsert('key__c/ONE', { Text__c: 'b' })
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body, { id, success: true, errors: [], created: false })
    assert.equal(answer.headers.location, undefined)
    const old = await org.call('PATCH', '/services/data/v45.0/sobjects/Specimen__c/Key__c/one', {
      body: { Text__c: 'c' },
    })
    assert.deepEqual([old.status, old.text], [204, ''])
    const { Text__c, Key__c } = await read(id)
    assert.deepEqual([Text__c, Key__c], ['c', 'one'])
  })

  test('does so with updateOnly, with an empty body, and by keys that need not be unique', async () => {
    const { id } = (await upsert('Loose__c/one', { Key__c: 'one-more' })).body
    for (const path of ['Loose__c/one', 'Loose__c/one?updateOnly=true', 'Key__c/one-more?updateOnly=true']) {
      for (const body of [{}, { Text__c: path.slice(0, 40) }]) {
        const answer = await upsert(path, body)
        assert.deepEqual([answer.status, answer.body.id], [200, id])
      }
    }
  })

  test('takes a plus sign for a blank when only that exists', async () => {
    const { id } = (await upsert('Key__c/two%20words')).body
    assert.equal((await upsert('Key__c/two+words', { Text__c: 'a' })).body.id, id)
  })

  test('tells keys apart by case when the field does', async () => {
    const lower = (await upsert('Exact__c/abc')).body.id
    const upper = await upsert('Exact__c/ABC')
    assert.equal(upper.status, 201)
    assert.notEqual(upper.body.id, lower)
  })

  test('works by number', async () => {
    const { id } = (await upsert('Numeral__c/42')).body
    assert.equal((await upsert('Numeral__c/42.0', { Text__c: 'a' })).body.id, id)
    assert.equal((await read(id)).Numeral__c, 42)
  })

  test('does not empty required fields', async () => {
    const account = await org.create('Account', { Name: 'Acme' })
    const path = `/sobjects/Contact/Email/upsert@example.com`
    assert.equal((await org.call('PATCH', path, { body: { LastName: 'A', AccountId: account } })).status, 201)
    assertRefused(
      await org.call('PATCH', path, { body: { LastName: null } }),
      400,
      'REQUIRED_FIELD_MISSING',
      'Required fields are missing: [LastName]',
      ['LastName'],
    )
  })
})

test('an upsert by a unique key has what follows from an update', async () => {
  const o = await openOrg()
  const keyed = { fields: { Key__c: { type: 'string', externalId: true, unique: true } } } as const
  await fetchSteps(o, { Case: keyed, Opportunity: keyed, Product2: keyed }, { mode: 'keep' })
  const change = async (object: string, body: object) =>
    assert.equal((await o.call('PATCH', `/sobjects/${object}/Key__c/one`, { body })).status, 200)
  const campaign = await o.create('Campaign', { Name: 'Fair' })
  const sale = { StageName: 'Prospecting', CloseDate: '2026-12-31', Amount: 10, CampaignId: campaign }
  const opportunity = await o.create('Opportunity', { Name: 'Big', Key__c: 'one', ...sale })

  // Values derived in the record, and the states that are kept of it.
  const ticket = await o.create('Case', { Subject: 'Help', Key__c: 'one' })
  await change('Case', { Status: 'Closed' })
  await assertValues(o, 'Case', ticket, { IsClosed: true })
  await change('Opportunity', { StageName: 'Closed Won' })
  await assertValues(o, 'Opportunity', opportunity, { IsWon: true, IsClosed: true, Probability: 100 })
  await change('Opportunity', { Amount: 20 })
  const states = `SELECT Amount, StageName FROM OpportunityHistory WHERE OpportunityId = '${opportunity}'`
  assert.equal((await fetchRecords(o, states)).length, 3)
  // Sums in the record above it.
  await assertValues(o, 'Campaign', campaign, { NumberOfOpportunities: 1, AmountAllOpportunities: 20 })
  await change('Opportunity', { CampaignId: null })
  await assertValues(o, 'Campaign', campaign, { NumberOfOpportunities: 0, AmountAllOpportunities: 0 })

  // Copies in other records.
  const product = await o.create('Product2', { Name: 'Saw', Key__c: 'one', IsActive: true })
  const [book] = await fetchRecords(o, 'SELECT Id FROM Pricebook2 WHERE IsStandard = true')
  const price = { Pricebook2Id: book!.Id, Product2Id: product, UnitPrice: 5, IsActive: true }
  const entry = await o.create('PricebookEntry', price)
  await change('Product2', { Name: 'Hammer' })
  await assertValues(o, 'PricebookEntry', entry, { Name: 'Hammer' })
})

test('an upsert by a unique key is refused what an update is refused because of other records', async () => {
  const o = await openOrg()
  const keyed = { fields: { Key__c: { type: 'string', externalId: true, unique: true } } } as const
  await fetchSteps(o, { User: keyed, OrderItem: keyed, CampaignMemberStatus: keyed }, { mode: 'keep' })

  await o.call('PATCH', `/sobjects/User/${o.userId}`, { body: { CommunityNickname: 'First' } })
  const person = await addPerson(o, 'second')
  await o.call('PATCH', `/sobjects/User/${person.id}`, { body: { Key__c: 'one' } })

  const campaign = await o.create('Campaign', { Name: 'Fair' })
  await o.create('CampaignMemberStatus', { CampaignId: campaign, Label: 'Invited', Key__c: 'one' })

  const { book, entry } = await addPrices(o)
  const account = await o.create('Account', { Name: 'Acme' })
  const draft = { AccountId: account, Pricebook2Id: book, EffectiveDate: '2026-05-01', Status: 'Draft' }
  const order = await o.create('Order', draft)
  const line = { OrderId: order, PricebookEntryId: entry, Quantity: 2, UnitPrice: 10, Key__c: 'one' }
  await o.create('OrderItem', line)
  await o.call('PATCH', `/sobjects/Order/${order}`, { body: { Status: 'Activated' } })

  for (const [object, fields, code] of [
    ['User', { CommunityNickname: 'FIRST' }, 'DUPLICATE_COMM_NICKNAME'],
    ['CampaignMemberStatus', { Label: 'Sent' }, 'DUPLICATE_VALUE'],
    ['OrderItem', { Description: 'changed' }, 'ENTITY_IS_LOCKED'],
  ] as const) {
    const one = await o.call('PATCH', `/sobjects/${object}/Key__c/one`, { body: fields })
    assert.deepEqual([one.status, one.body[0].errorCode], [400, code], object)
    const records = [{ attributes: { type: object }, Key__c: 'one', ...fields }]
    const listed = await o.call('PATCH', `/composite/sobjects/${object}/Key__c`, { body: { records } })
    assert.equal(listed.body[0].errors[0].statusCode, code, object)
  }
})

describe('an upsert whose key several records have', () => {
  test('answers 300 with their addresses and changes nothing', async () => {
    const ids = [
      await org.create('Specimen__c', { Loose__c: 'many' }),
      await org.create('Specimen__c', { Loose__c: 'MANY' }),
    ]
    for (const version of ['64.0', '45.0']) {
      const answer = await org.call(
        'PATCH',
        `/services/data/v${version}/sobjects/Specimen__c/Loose__c/many`,
        {
          body: { Text__c: 'changed' },
        },
      )
      assert.equal(answer.status, 300)
      assert.deepEqual(
        answer.body,
        ids.map((id) => `/services/data/v${version}/sobjects/Specimen__c/${id}`),
      )
    }
    for (const id of ids) assert.equal((await read(id)).Text__c, null)
  })
})

describe('an upsert on an object with fields that only a create may set', () => {
  test('creates with them, whether the key is unique or not', async () => {
    const house = await org.create('House__c', { Plate__c: 'H-1' })
    for (const [path, body] of [
      ['Door__c/d-1', { House__c: house }],
      ['Door__c/d-2', { House__r: { Plate__c: 'H-1' } }],
      ['Mark__c/m-1', { House__c: house, Name: 'Hall' }],
    ] as const) {
      const answer = await org.call('PATCH', `/sobjects/Room__c/${path}`, { body })
      assert.equal(answer.status, 201, answer.text)
      assert.equal((await read(answer.body.id, 'Room__c')).House__c, house)
    }
  })

  test('refuses them when it would update', async () => {
    const house = await org.create('House__c', {})
    for (const path of ['Door__c/d-3', 'Mark__c/m-3']) {
      await org.call('PATCH', `/sobjects/Room__c/${path}`, { body: { House__c: house } })
      assertRefused(
        await org.call('PATCH', `/sobjects/Room__c/${path}`, { body: { House__c: house, Name: 'Hall' } }),
        400,
        'INVALID_FIELD_FOR_INSERT_UPDATE',
        /fields: House__c\. /,
        ['House__c'],
      )
    }
  })
})

describe('an upsert is refused', () => {
  test('when the body has the key field or an Id, even with the same value', async () => {
    for (const [body, field] of [
      [{ Key__c: 'in-body' }, 'Key__c'],
      [{ key__C: null }, 'Key__c'],
      [{ Id: null }, 'Id'],
    ] as const) {
      const message = `The ${field} field should not be specified in the sobject data.`
      assertRefused(await upsert('Key__c/in-body', body), 400, 'INVALID_FIELD', message)
    }
    assert.equal((await org.call('GET', '/sobjects/Specimen__c/Key__c/in-body')).status, 404)
  })

  test('when the field is no key of the object', async () => {
    for (const field of ['Text__c', 'Nothing__c', 'Flag__c']) {
      assertRefused(await upsert(`${field}/x`), 404, 'NOT_FOUND', NO_KEY(field))
    }
  })

  test('when another unique field has a value that is taken, and nothing is created', async () => {
    const holder = (await upsert('Key__c/holder', { Exact__c: 'taken' })).body.id
    assertRefused(
      await upsert('Key__c/newcomer', { Exact__c: 'taken' }),
      400,
      'DUPLICATE_VALUE',
      `duplicate value found: Exact__c duplicates value on record with id: ${holder.slice(0, 15)}`,
    )
    assert.equal((await org.call('GET', '/sobjects/Specimen__c/Key__c/newcomer')).status, 404)
  })

  test('when it has no body, or one that is no record', async () => {
    const empty = 'The HTTP entity body is required, but this request has no entity body.'
    assertRefused(await org.call('PATCH', '/sobjects/Specimen__c/Key__c/e'), 400, 'JSON_PARSER_ERROR', empty)
    assert.equal((await upsert('Key__c/e', [])).status, 400)
  })
})
