import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { ask, fetchRecords } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { fetchSteps } from '../support/deploying.ts'
import { assertValues } from '../support/derived.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow, allowField } from '../support/people.ts'
import { addPrices } from '../support/prices.ts'

/* The history of creations and changes of records. */

const TRACKED = { trackHistory: true }

let o: TestOrg
before(async () => {
  o = await openOrg()
  await fetchSteps(
    o,
    {
      Account: {
        ...TRACKED,
        fields: {
          Industry: TRACKED,
          AnnualRevenue: TRACKED,
          NumberOfEmployees: TRACKED,
          Description: TRACKED,
          ParentId: TRACKED,
          BillingAddress: TRACKED,
          Site__c: { type: 'location', ...TRACKED },
          Active__c: { type: 'boolean', ...TRACKED },
          Met__c: { type: 'date', ...TRACKED },
          Called__c: { type: 'datetime', ...TRACKED },
          Tags__c: { type: 'multipicklist', values: ['a', 'b'], ...TRACKED },
          Secret__c: { type: 'encryptedstring', ...TRACKED },
          Untold__c: { type: 'string' },
        },
      },
      OpportunityLineItem: { ...TRACKED, fields: { Quantity: TRACKED } },
      Case: { ...TRACKED, fields: { Status: TRACKED } },
      Attachment: { ...TRACKED, fields: { BodyLength: TRACKED } },
      Project__c: { ...TRACKED, fields: { Stage__c: { type: 'string', ...TRACKED } } },
      Vault__c: { sharing: 'private' },
      Visit__c: {
        ...TRACKED,
        fields: {
          Vault__c: {
            type: 'reference',
            to: 'Vault__c',
            relationship: 'Vault__r',
            children: 'Visits__r',
            ...TRACKED,
          },
        },
      },
    } as never,
    { mode: 'keep' },
  )
})

const ROW = 'Field, DataType, OldValue, NewValue'
const change = async (object: string, id: string, body: object) =>
  assert.equal((await o.call('PATCH', `/sobjects/${object}/${id}`, { body })).status, 204)
const listHistory = async (id: string, asking = o) => {
  const text = `SELECT ${ROW} FROM AccountHistory WHERE AccountId = '${id}' ORDER BY CreatedDate, Id`
  const rows = await fetchRecords(asking, text)
  return rows.map(({ Field, DataType, OldValue, NewValue }) => [Field, DataType, OldValue, NewValue])
}
const CREATED = ['created', 'Text', null, null]

describe('the history of an object', () => {
  test('has what the platform completes beside the values of the caller', async () => {
    const account = await o.create('Account', { Name: 'Files' })
    const file = await o.create('Attachment', { ParentId: account, Name: 'a.txt', Body: 'YWJj' })
    await change('Attachment', file, { Body: 'YWJjZA==' })
    const rows = await fetchRecords(o, `SELECT Field, OldValue, NewValue FROM AttachmentHistory`)
    assert.deepEqual(
      rows.map(({ Field, OldValue, NewValue }) => [Field, OldValue, NewValue]),
      [
        ['created', null, null],
        ['BodyLength', 3, 4],
      ],
    )
  })

  test('has a row for the creation, and one for each changed field of a save', async () => {
    const id = await o.create('Account', { Name: 'A', Industry: 'Energy', Untold__c: 'x' })
    await change('Account', id, {
      Industry: 'Media',
      AnnualRevenue: 12.5,
      NumberOfEmployees: 7,
      Active__c: true,
      Met__c: '2026-01-02',
      Called__c: '2026-01-02T03:04:05Z',
      Untold__c: 'y',
    })
    assert.deepEqual(await listHistory(id), [
      CREATED,
      ['Industry', 'DynamicEnum', 'Energy', 'Media'],
      ['AnnualRevenue', 'Currency', null, 13],
      ['NumberOfEmployees', 'Double', null, 7],
      ['Active__c', 'Boolean', false, true],
      ['Met__c', 'DateOnly', null, '2026-01-02'],
      ['Called__c', 'DateTime', null, '2026-01-02T03:04:05.000+0000'],
    ])
  })

  test('has nothing of a save that changes nothing, or that is refused', async () => {
    const id = await o.create('Account', { Name: 'A', Industry: 'Energy' })
    await change('Account', id, { Industry: 'Energy', Untold__c: 'z' })
    const body = { Industry: 'Media', NumberOfEmployees: 'many' }
    assert.equal((await o.call('PATCH', `/sobjects/Account/${id}`, { body })).status, 400)
    assert.deepEqual(await listHistory(id), [CREATED])
  })

  test('tells a reference by names and by ids', async () => {
    const [one, other] = [
      await o.create('Account', { Name: 'One' }),
      await o.create('Account', { Name: 'Other' }),
    ]
    const id = await o.create('Account', { Name: 'A', ParentId: one })
    await change('Account', id, { ParentId: other })
    assert.deepEqual(await listHistory(id), [
      CREATED,
      ['Parent', 'Text', 'One', 'Other'],
      ['Parent', 'EntityId', one, other],
    ])
  })

  test('has changes of the owner', async () => {
    const id = await o.create('Account', { Name: 'A' })
    const { id: other } = await addPerson(o, 'other')
    await change('Account', id, { OwnerId: other })
    const [, named, ids] = await listHistory(id)
    assert.deepEqual(
      [named!.slice(0, 2), ids],
      [
        ['Owner', 'Text'],
        ['Owner', 'EntityId', o.userId, other],
      ],
    )
    assert.notEqual(named![2], null)
  })

  test('says of long, several and encrypted values only that they changed', async () => {
    const id = await o.create('Account', { Name: 'A' })
    await change('Account', id, { Description: 'long', Tags__c: 'a;b', Secret__c: 'hidden' })
    assert.deepEqual(await listHistory(id), [
      CREATED,
      ['Description', 'TextArea', null, null],
      ['Tags__c', 'MultiEnum', null, null],
      ['Secret__c', 'Text', null, null],
    ])
    const more = await o.create('Account', { Name: 'B', Secret__c: 'hidden' })
    await change('Account', more, { Secret__c: 'hidden', Industry: 'Media' })
    assert.deepEqual(await listHistory(more), [CREATED, ['Industry', 'DynamicEnum', null, 'Media']])
    await change('Account', more, { Secret__c: 'other' })
    await change('Account', more, { Secret__c: null })
    assert.equal((await listHistory(more)).length, 4)
  })

  test('has what the platform writes because of other records', async () => {
    const { book, entry } = await addPrices(o)
    const deal = await o.create('Opportunity', {
      Name: 'D',
      StageName: 'Prospecting',
      CloseDate: '2026-05-10',
    })
    const quote = await o.create('Quote', { Name: 'Q', OpportunityId: deal, Pricebook2Id: book })
    const line = await o.create('QuoteLineItem', {
      QuoteId: quote,
      PricebookEntryId: entry,
      Quantity: 2,
      UnitPrice: 1,
    })
    await change('Opportunity', deal, { SyncedQuoteId: quote })
    await change('QuoteLineItem', line, { Quantity: 3 })
    const rows = await fetchRecords(
      o,
      'SELECT Field, OldValue, NewValue FROM OpportunityLineItemHistory ORDER BY CreatedDate, Id',
    )
    assert.deepEqual(rows, [
      { Field: 'created', OldValue: null, NewValue: null },
      { Field: 'Quantity', OldValue: 2, NewValue: 3 },
    ])
  })

  test('is the same whatever API writes: collections, upserts, GraphQL, lists of different fields', async () => {
    const [a, b] = [await o.create('Account', { Name: 'A' }), await o.create('Account', { Name: 'B' })]
    const records = [
      { attributes: { type: 'Account' }, id: a, Industry: 'Media' },
      { attributes: { type: 'Account' }, id: b, NumberOfEmployees: 3 },
    ]
    await o.call('PATCH', '/composite/sobjects', { body: { records } })
    await o.call('PATCH', `/sobjects/Account/Id/${a}`, { body: { NumberOfEmployees: 4 } })
    const mutation = `mutation { uiapi { AccountUpdate(input: { Id: "${b}", Account: { Industry: "Energy" } }) { success } } }`
    await o.call('POST', '/graphql', { body: { query: mutation } })
    assert.deepEqual((await listHistory(a)).slice(1), [
      ['Industry', 'DynamicEnum', null, 'Media'],
      ['NumberOfEmployees', 'Double', null, 4],
    ])
    assert.deepEqual((await listHistory(b)).slice(1), [
      ['NumberOfEmployees', 'Double', null, 3],
      ['Industry', 'DynamicEnum', null, 'Energy'],
    ])
  })

  test('shows values as texts in GraphQL', async () => {
    const id = await o.create('Account', { Name: 'G', Industry: 'Energy' })
    await change('Account', id, { Industry: 'Media', NumberOfEmployees: 4 })
    const where = `{ and: [{ AccountId: { eq: "${id}" } }, { Field: { ne: "created" } }] }`
    const asked = `{ uiapi { query { AccountHistory(where: ${where}, orderBy: { Field: { order: ASC } }) {
      edges { node { Field { value } OldValue { value } NewValue { value } } } } } } }`
    const { body } = await o.call('POST', '/graphql', { body: { query: asked } })
    type Row = { readonly node: Readonly<Record<'OldValue' | 'NewValue', { readonly value: string | null }>> }
    const rows: readonly Row[] = body.data.uiapi.query.AccountHistory.edges
    const pairs = rows.map(({ node }) => [node.OldValue.value, node.NewValue.value])
    assert.deepEqual(new Set(pairs.map(String)), new Set(['Energy,Media', ',4']))
  })

  test('has the changes of the parts of an address and of a location', async () => {
    const id = await o.create('Account', { Name: 'A', BillingCity: 'Bern', ShippingCity: 'Bern' })
    await change('Account', id, {
      BillingCity: 'Basel',
      BillingStreet: 'Main',
      ShippingCity: 'Basel',
      Site__Latitude__s: 47.5,
    })
    assert.deepEqual((await listHistory(id)).slice(1).sort(), [
      ['BillingCity', 'Text', 'Bern', 'Basel'],
      ['BillingStreet', 'TextArea', null, 'Main'],
      ['Site__Latitude__s', 'Double', null, 47.5],
    ])
  })

  test('chains what is written at once: each old value is the new one of the row before', async () => {
    const id = await o.create('Account', { Name: 'A', NumberOfEmployees: 0 })
    await Promise.all([1, 2, 3, 4, 5, 6].map((count) => change('Account', id, { NumberOfEmployees: count })))
    const rows = (await listHistory(id)).slice(1)
    const { body } = await o.call('GET', `/sobjects/Account/${id}`)
    assert.deepEqual(
      rows.map(([, , was]) => was),
      [0, ...rows.slice(0, -1).map(([, , , is]) => is)],
    )
    assert.equal(rows.at(-1)![3], body.NumberOfEmployees)
  })

  test('has the order of the changes of lists that cross, and the times of the records', async () => {
    const ids = [await o.create('Account', { Name: 'A' }), await o.create('Account', { Name: 'B' })]
    const send = (count: number) => {
      const records = ids.map((id) => ({ attributes: { type: 'Account' }, id, NumberOfEmployees: count }))
      return o.call('PATCH', '/composite/sobjects', { body: { records, allOrNone: true } })
    }
    await Promise.all([1, 2, 3, 4, 5, 6].map(send))
    for (const id of ids) {
      const rows = (await listHistory(id)).slice(1)
      assert.deepEqual(
        rows.map(([, , was]) => was),
        [null, ...rows.slice(0, -1).map(([, , , is]) => is)],
      )
      const [last] = await fetchRecords(
        o,
        `SELECT CreatedDate FROM AccountHistory WHERE AccountId = '${id}' ORDER BY CreatedDate DESC, Id DESC LIMIT 1`,
      )
      await assertValues(o, 'Account', id, { LastModifiedDate: last!.CreatedDate })
    }
  })

  test('belongs to an object of the own too, and is a child relationship of each', async () => {
    const id = await o.create('Project__c', { Name: 'P', Stage__c: 'one' })
    await change('Project__c', id, { Stage__c: 'two' })
    const query = `SELECT Parent.Name, Field, NewValue, CreatedBy.Name FROM Project__History WHERE ParentId = '${id}' AND Field = 'Stage__c'`
    const [row] = await fetchRecords(o, query)
    assert.deepEqual(
      [row!.Field, row!.NewValue, (row!.Parent as { Name: string }).Name],
      ['Stage__c', 'two', 'P'],
    )
    const status = await o.create('Case', { Subject: 'S' })
    await change('Case', status, { Status: 'Closed' })
    const children = `SELECT (SELECT Field, OldValue, NewValue FROM Histories WHERE Field = 'Status') FROM Case WHERE Id = '${status}'`
    const [parent] = await fetchRecords(o, children)
    const [found] = (parent!.Histories as { records: Record<string, unknown>[] }).records
    assert.deepEqual([found!.Field, found!.OldValue, found!.NewValue], ['Status', 'New', 'Closed'])
  })

  test('goes with its record, and comes back with it', async () => {
    const id = await o.create('Account', { Name: 'A' })
    await o.call('DELETE', `/sobjects/Account/${id}`)
    assert.deepEqual(await listHistory(id), [])
    const all = await o.call('GET', `/queryAll?q=SELECT+Field+FROM+AccountHistory+WHERE+AccountId='${id}'`)
    assert.equal(all.body.totalSize, 1)
  })

  test('is not kept of what configures the org or what the platform writes: that is refused by name', async () => {
    const objects = ['RecordType', 'Profile', 'User', 'OpportunityHistory', 'BackgroundJob']
    for (const name of objects) {
      const body = { mode: 'keep', objects: { [name]: TRACKED } }
      const { status, text } = await o.call('PUT', '/setup/orgs/current/schema', { body })
      assert.equal(status, 400, name)
      assert.match(text, new RegExp(`${name}.*trackHistory|are not kept`), name)
    }
    const setting = { Plan__c: { setting: 'list', ...TRACKED } }
    const body = { mode: 'keep', objects: setting }
    assert.equal((await o.call('PUT', '/setup/orgs/current/schema', { body })).status, 400)
  })

  test('is written by the platform only', async () => {
    const body = { AccountId: await o.create('Account', { Name: 'A' }), Field: 'Industry' }
    const message = 'entity type cannot be inserted: Account History'
    const code = 'CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY'
    assertRefused(await o.call('POST', '/sobjects/AccountHistory', { body }), 400, code, message)
    const { body: describe } = await o.call('GET', '/sobjects/AccountHistory/describe')
    const { queryable, createable, updateable, deletable, searchable, layoutable } = describe
    assert.deepEqual(
      [queryable, createable, updateable, deletable, searchable, layoutable],
      [true, false, false, false, false, false],
    )
    const value = describe.fields.find(({ name }: { name: string }) => name === 'NewValue')
    assert.deepEqual(
      [value.type, value.soapType, value.filterable, value.groupable],
      ['anyType', 'xsd:anyType', false, false],
    )
    const refused = await ask(o, "SELECT Id FROM AccountHistory WHERE NewValue = 'x'")
    assert.equal(refused.status, 400)
  })

  test('has only what the caller may see: of records and of fields', async () => {
    const [id, above] = [await o.create('Account', { Name: 'A' }), await o.create('Account', { Name: 'B' })]
    await change('Account', id, { Industry: 'Media', NumberOfEmployees: 3, ParentId: above })
    const person = await addPerson(o, 'reader')
    const query = `SELECT ${ROW} FROM AccountHistory WHERE AccountId = '${id}'`
    assert.equal((await ask(person.org, query)).status, 400)
    await allow(o, person.setId, 'Account', 'Read')
    await allowField(o, person.setId, 'Account.Industry', 'Read')
    assert.deepEqual(await listHistory(id, person.org), [CREATED, ['Industry', 'DynamicEnum', null, 'Media']])
  })

  test('names the records that the caller sees, and has only the ids of others', async () => {
    const reader = await addPerson(o, 'visitor')
    await allow(o, reader.setId, 'Visit__c', 'Read', 'ViewAllRecords', 'ViewAllFields')
    const [own, other] = [
      await o.create('Vault__c', { Name: 'Own', OwnerId: reader.id }),
      await o.create('Vault__c', { Name: 'Other' }),
    ]
    const id = await o.create('Visit__c', { Name: 'V' })
    for (const Vault__c of [own, other, own]) await change('Visit__c', id, { Vault__c })
    const list = async (asking: TestOrg) => {
      const text = `SELECT ${ROW} FROM Visit__History WHERE ParentId = '${id}' AND Field = 'Vault__c' ORDER BY CreatedDate, Id`
      return (await fetchRecords(asking, text)).map(({ OldValue, NewValue }) => [OldValue, NewValue])
    }
    const names = [
      [null, 'Own'],
      ['Own', 'Other'],
      ['Other', 'Own'],
    ]
    const ids = [
      [null, own],
      [own, other],
      [other, own],
    ]
    const all = names.flatMap((named, index) => [named, ids[index]])
    assert.deepEqual(await list(o), all)
    // Without the object there is nothing of it that the reader sees.
    assert.deepEqual(await list(reader.org), ids)
    await allow(o, reader.setId, 'Vault__c', 'Read')
    assert.deepEqual(await list(reader.org), [names[0], ...ids])
    await o.create('Vault__Share', { ParentId: other, UserOrGroupId: reader.id, AccessLevel: 'Read' })
    assert.deepEqual(await list(reader.org), all)
  })

  test('stays when the object does not keep it any more', async () => {
    const id = await o.create('Project__c', { Name: 'P', Stage__c: 'one' })
    const without = { Project__c: { fields: { Stage__c: { type: 'string' } } } }
    await fetchSteps(o, without as never, { mode: 'keep' })
    await change('Project__c', id, { Stage__c: 'three' })
    const rows = await fetchRecords(o, `SELECT Field FROM Project__History WHERE ParentId = '${id}'`)
    assert.deepEqual(rows, [{ Field: 'created' }])
  })
})
