import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fetchUiapi } from '../support/graphql.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { SAMPLE, SAMPLES } from '../support/sample-schema.ts'

/* How records are shown. (docs/reference/api/graphql.md#nodes, docs/reference/api/graphql.md#values) */

let o: TestOrg
let full: string
let empty: string

const MORE = {
  Long__c: 'a "long" text\nof two lines \\ and a half \u2028',
  Rich__c: '<b>rich</b>',
  Secret__c: 'hidden',
  Place__Latitude__s: 59.9,
  Place__Longitude__s: 10.75,
  Boolean__c: true,
  Tags__c: 'Red;Blue',
}

before(async () => {
  o = await openOrg()
  await o.deploy([SAMPLE])
  const values = SAMPLES.map(({ field, values: [, second] }) => [field.name, second])
  full = await o.create('Sample__c', { Name: 'full', ...Object.fromEntries(values), ...MORE })
  empty = await o.create('Sample__c', { Name: 'empty' })
})

/** A record's selection. */
async function node(id: string, selection: string, object = 'Sample__c') {
  const text = `query($id: ID) { uiapi { query { ${object}(where: {Id: {eq: $id}}) { edges { node { ${selection} } } } } } }`
  const { query } = await fetchUiapi(o, text, { variables: { id } })
  return query[object].edges[0].node
}

/** GraphQL writes moments with Z. */
const asGraphql = (value: unknown) => (typeof value === 'string' ? value.replace('+0000', 'Z') : value)

describe('a field is a wrapper with its value as REST shows it', () => {
  const names = [
    ...SAMPLES.map(({ field }) => field.name),
    'Long__c',
    'Rich__c',
    'Secret__c',
    'Boolean__c',
    'Tags__c',
  ]
  for (const name of names) {
    test(name, async () => {
      const { body } = await o.call('GET', `/sobjects/Sample__c/${full}`)
      const shown = await node(full, `${name} { value }`)
      assert.deepEqual(shown[name], { value: asGraphql(body[name]) })
      const nothing = await node(empty, `${name} { value displayValue }`)
      const value = name === 'Boolean__c' ? false : null
      assert.deepEqual(nothing[name], { value, displayValue: null })
    })
  }
})

describe('a wrapper also has', () => {
  test('the value as people of the locale write it, for numbers and dates', async () => {
    const shown = await node(
      full,
      `Int__c { displayValue format } Double__c { displayValue } Currency__c { displayValue } Percent__c { displayValue }
       Date__c { displayValue } Datetime__c { displayValue } Time__c { displayValue } String__c { displayValue } Boolean__c { displayValue }`,
    )
    assert.deepEqual(shown, {
      Int__c: { displayValue: '0', format: '0' },
      Double__c: { displayValue: '0.25' },
      Currency__c: { displayValue: '$0.00' },
      Percent__c: { displayValue: '50%' },
      Date__c: { displayValue: '2/29/2024' },
      Datetime__c: { displayValue: '2/29/2024, 12:00 PM' },
      Time__c: { displayValue: '9:30 AM' },
      String__c: { displayValue: null },
      Boolean__c: { displayValue: null },
    })
  })

  test('the label of a listed value', async () => {
    await o.deploy([
      {
        name: 'Labelled__c',
        label: 'Labelled',
        labelPlural: 'Labelled',
        keyPrefix: '',
        fields: [
          { name: 'Name', label: 'Name', type: 'string', length: 80, nameField: true },
          {
            name: 'Stage__c',
            label: 'Stage',
            type: 'picklist',
            length: 40,
            values: [
              { value: 'a', label: 'First' },
              { value: 'b', label: 'Second' },
            ],
          },
          {
            name: 'Tags__c',
            label: 'Tags',
            type: 'multipicklist',
            length: 80,
            values: [
              { value: 'x', label: 'Ex' },
              { value: 'y', label: 'Why' },
            ],
          },
        ],
      },
    ])
    const id = await o.create('Labelled__c', { Name: 'l', Stage__c: 'b', Tags__c: 'x;y' })
    const selection =
      'Stage__c { value label displayValue } Tags__c { value label displayValue } Name { label }'
    assert.deepEqual(await node(id, selection, 'Labelled__c'), {
      Stage__c: { value: 'b', label: 'Second', displayValue: 'Second' },
      Tags__c: { value: 'x;y', label: 'Ex;Why', displayValue: 'Ex;Why' },
      Name: { label: 'l' },
    })
  })
})

describe('a record also shows', () => {
  test('its id, object, name and a tag of its last change, not wrapped', async () => {
    const shown = await node(full, '__typename Id ApiName DisplayValue WeakEtag LastModifiedDate { value }')
    const { LastModifiedDate, WeakEtag, ...plain } = shown
    assert.deepEqual(plain, { __typename: 'Sample__c', Id: full, ApiName: 'Sample__c', DisplayValue: 'full' })
    assert.equal(WeakEtag, Date.parse(LastModifiedDate.value))
  })

  test('fields that every record has, whatever its object; a fallback for the record type', async () => {
    const audit =
      'RecordTypeId { value } CreatedDate { value } CreatedById { value } SystemModstamp { value } LastModifiedById { value }'
    const shown = await node(full, `... on Record { ${audit} } other: RecordTypeId(fallback: true) { value }`)
    assert.deepEqual(shown.RecordTypeId, { value: null })
    assert.deepEqual(shown.other, { value: '012000000000000AAA' })
    assert.deepEqual([shown.CreatedById, shown.LastModifiedById], [{ value: o.userId }, { value: o.userId }])
    assert.match(shown.CreatedDate.value, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/)
  })

  test('compound fields by their parts, each wrapped', async () => {
    const account = await o.create('Account', {
      ...{ Name: 'Placed', BillingStreet: 'Karl Johan 1', BillingCity: 'Oslo', BillingCountry: 'Norway' },
      ...{ BillingLatitude: 59.9, BillingLongitude: 10.7 },
    })
    const address =
      'BillingAddress { street { value } city { value } state { value } country { value } latitude { value } longitude { value } }'
    assert.deepEqual((await node(account, address, 'Account')).BillingAddress, {
      street: { value: 'Karl Johan 1' },
      city: { value: 'Oslo' },
      state: { value: null },
      country: { value: 'Norway' },
      latitude: { value: 59.9 },
      longitude: { value: 10.7 },
    })
    const location =
      'Place__c { latitude { value displayValue } longitude { value } } Place__Latitude__s { value }'
    assert.deepEqual(await node(full, location), {
      Place__c: { latitude: { value: 59.9, displayValue: '59.9' }, longitude: { value: 10.75 } },
      Place__Latitude__s: { value: 59.9 },
    })
    const contact = await o.create('Contact', { FirstName: 'Ada', LastName: 'King', Salutation: 'Ms.' })
    assert.deepEqual(await node(contact, 'Name { value }', 'Contact'), { Name: { value: 'Ms. Ada King' } })
  })

  test('bytes as the address where they are', async () => {
    const account = await o.create('Account', { Name: 'With a file' })
    const body = Buffer.from('bytes').toString('base64')
    const id = await o.create('Attachment', { Name: 'a.txt', ParentId: account, Body: body })
    const shown = await node(id, 'Body { value }', 'Attachment')
    assert.deepEqual(shown, { Body: { value: `/services/data/v66.0/sobjects/Attachment/${id}/Body` } })
  })

  test('a field as often as it is asked for, under each alias, in the order of the document', async () => {
    const shown = await node(
      full,
      'b: Name { v: value value } Id a: Name { value } Name { label } Name { value }',
    )
    assert.equal(
      JSON.stringify(shown),
      JSON.stringify({
        b: { v: 'full', value: 'full' },
        Id: full,
        a: { value: 'full' },
        Name: { label: 'full', value: 'full' },
      }),
    )
  })

  test('even under the names of JavaScript', async () => {
    const text = `{ uiapi { query { Sample__c(first: 1) { edges { node { __proto__: Id constructor: Name { toString: value } } } } } } }`
    const { text: body } = await o.call('POST', '/services/data/v66.0/graphql', { body: { query: text } })
    assert.match(body, new RegExp(`"node":\\{"__proto__":"${full}","constructor":\\{"toString":"full"\\}\\}`))
  })
})

describe('a record is shown the same way', () => {
  /** A selection of everything that the schema has of an object, and how many columns that is. */
  async function everything(object: string): Promise<{ selection: string; columns: number }> {
    const { body } = await o.call('GET', `/sobjects/${object}/describe`)
    const names: string[] = body.fields
      .filter(
        ({ type, name }: { type: string; name: string }) =>
          !/^(address|location|id)$/.test(type) && name !== 'Id',
      )
      .map(({ name }: { name: string }) => name)
    return {
      selection: `Id ${names.map((name) => `${name} { value displayValue }`).join(' ')}`,
      columns: names.length,
    }
  }

  const shown = async (connection: string, selection: string) =>
    (await fetchUiapi(o, `{ uiapi { query { it: ${connection} { ${selection} } } } }`)).query.it

  test('alone, beside a total, and inside its parent', async () => {
    const { selection } = await everything('Sample__c')
    const account = await o.create('Account', { Name: 'Parent' })
    for (const id of [full, empty])
      await o.call('PATCH', `/sobjects/Sample__c/${id}`, { body: { Account__c: account } })
    const edges = `edges { node { ${selection} } }`
    const alone = await shown('Sample__c(orderBy: {Id: {}})', edges)
    const beside = await shown('Sample__c(orderBy: {Id: {}})', `totalCount ${edges}`)
    assert.deepEqual(beside, { totalCount: 2, ...alone })
    const where = `where: {Id: {eq: "${account}"}}`
    const inside = await shown(
      `Account(${where})`,
      `edges { node { Samples__r(orderBy: {Id: {}}) { ${edges} } } }`,
    )
    assert.deepEqual(inside.edges[0].node.Samples__r, alone)
    const [counted] = (
      await shown(`Account(${where})`, `edges { node { Samples__r { totalCount ${edges} } } }`)
    ).edges
    assert.deepEqual(counted.node.Samples__r, beside)
  })

  test('however wide it is', async () => {
    const contact = await everything('Contact')
    const account = await everything('Account')
    assert.ok(contact.columns + account.columns > 100)
    await o.create('Contact', { LastName: 'Wide', AccountId: await o.create('Account', { Name: 'Broad' }) })
    const edges = `edges { node { ${contact.selection} Account { ${account.selection} } } }`
    const where = '(where: {LastName: {eq: "Wide"}})'
    const alone = await shown(`Contact${where}`, edges)
    assert.equal(alone.edges[0].node.Account.Name.value, 'Broad')
    assert.deepEqual(await shown(`Contact${where}`, `totalCount ${edges}`), { totalCount: 1, ...alone })
  })
})
