import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fetchRecords } from '../support/ask.ts'
import { deploy, fetchRefusals } from '../support/deploying.ts'
import { fetchUiapi } from '../support/graphql.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { triggersFrom } from '../support/trigger-files.ts'

/*
 * Names with the prefix of a package, as Nonprofit Success Pack clients send them. The prefix is a part of the name.
 */

const LONGEST = `${'n'.repeat(15)}__${'F'.repeat(40)}__c`

const PAYMENT = {
  label: 'Payment',
  sharing: 'private',
  fields: {
    npe01__Opportunity__c: { type: 'reference', to: 'Opportunity', children: 'npe01__OppPayment__r' },
    npe01__Payment_Amount__c: { type: 'currency' },
    npsp__Gateway_ID__c: { type: 'string', length: 40, externalId: true },
    npsp__Office__c: { type: 'address' },
    Own__c: { type: 'string' },
    [LONGEST]: { type: 'string', unique: true },
  },
} as const

const TRIGGER = `
  export default {
    object: 'npe01__OppPayment__c',
    beforeInsert(changes: any[]) {
      for (const { record } of changes) record.Own__c = 'from ' + record.npsp__Gateway_ID__c
    },
  }`

let o: TestOrg
let opportunity: string

before(async () => {
  o = await openOrg({ triggers: await triggersFrom({ 'payments.ts': TRIGGER }) })
  const answer = await deploy(o, {
    npe01__OppPayment__c: PAYMENT,
    Account: { fields: { npo02__Household__c: { type: 'boolean' } } },
  })
  assert.equal(answer.status, 200, answer.text)
  opportunity = await o.create('Opportunity', {
    Name: 'Gift',
    StageName: 'Prospecting',
    CloseDate: '2030-01-01',
  })
})

const pay = (key: string, more = {}) =>
  o.create('npe01__OppPayment__c', {
    npe01__Opportunity__c: opportunity,
    npsp__Gateway_ID__c: key,
    npe01__Payment_Amount__c: 12.5,
    ...more,
  })

describe('a name with the prefix of a package (NPSP)', () => {
  test('stands in describes, labels are made without it', async () => {
    const { body } = await o.call('GET', '/sobjects/npe01__OppPayment__c/describe')
    assert.equal(body.name, 'npe01__OppPayment__c')
    assert.equal(body.custom, true)
    const field = body.fields.find(({ name }: { name: string }) => name === 'npe01__Opportunity__c')
    assert.deepEqual([field.label, field.relationshipName], ['Opportunity', 'npe01__Opportunity__r'])
    const parent = (await o.call('GET', '/sobjects/Opportunity/describe')).body
    const children = parent.childRelationships.map(
      ({ relationshipName }: { relationshipName: string }) => relationshipName,
    )
    assert.ok(children.includes('npe01__OppPayment__r'))
  })

  test('stands in addresses: of an object, of a key, of a way up and of a way down', async () => {
    const id = await pay('g-1')
    const read = await o.call('GET', '/sobjects/npe01__OppPayment__c/npsp__Gateway_ID__c/g-1')
    assert.equal(read.body.Id, id)
    const up = await o.call('GET', `/sobjects/npe01__OppPayment__c/${id}/npe01__Opportunity__r`)
    assert.equal(up.body.Name, 'Gift')
    const down = await o.call('GET', `/sobjects/Opportunity/${opportunity}/npe01__OppPayment__r`)
    assert.ok(down.body.records.some(({ Id }: { Id: string }) => Id === id))
  })

  test('stands in queries: fields, ways up and down, FIELDS(CUSTOM)', async () => {
    const id = await pay('g-2', { npsp__Office__City__s: 'Oslo' })
    const [record] = await fetchRecords(
      o,
      `SELECT npe01__Opportunity__r.Name, npsp__Office__City__s FROM npe01__OppPayment__c WHERE npsp__Gateway_ID__c = 'g-2' AND npe01__Payment_Amount__c > 12`,
    )
    assert.equal((record!.npe01__Opportunity__r as { Name: string }).Name, 'Gift')
    assert.equal(record!.npsp__Office__City__s, 'Oslo')
    const [gift] = await fetchRecords(
      o,
      `SELECT (SELECT npe01__Payment_Amount__c FROM npe01__OppPayment__r WHERE Id = '${id}') FROM Opportunity`,
    )
    assert.equal((gift!.npe01__OppPayment__r as { totalSize: number }).totalSize, 1)
    const [all] = await fetchRecords(o, `SELECT FIELDS(CUSTOM) FROM npe01__OppPayment__c LIMIT 1`)
    assert.ok('npe01__Payment_Amount__c' in all! && 'npsp__Office__Street__s' in all)
  })

  test('stands in GraphQL', async () => {
    await pay('g-3')
    const { query } = await fetchUiapi(
      o,
      `{ uiapi { query { npe01__OppPayment__c(where: { npsp__Gateway_ID__c: { eq: "g-3" } }) {
          edges { node { npe01__Payment_Amount__c { value } npe01__Opportunity__r { Name { value } } } }
        } } } }`,
    )
    assert.deepEqual(query.npe01__OppPayment__c.edges, [
      {
        node: {
          npe01__Payment_Amount__c: { value: 12.5 },
          npe01__Opportunity__r: { Name: { value: 'Gift' } },
        },
      },
    ])
  })

  test('stands in composite references, searches and shares', async () => {
    const { body } = await o.call('POST', '/composite', {
      body: {
        compositeRequest: [
          {
            method: 'POST',
            url: '/services/data/v64.0/sobjects/npe01__OppPayment__c',
            referenceId: 'p',
            body: { npsp__Gateway_ID__c: 'zanzibar' },
          },
          {
            method: 'GET',
            url: '/services/data/v64.0/sobjects/npe01__OppPayment__c/@{p.id}?fields=npsp__Gateway_ID__c',
            referenceId: 'r',
          },
          {
            method: 'PATCH',
            url: '/services/data/v64.0/sobjects/npe01__OppPayment__c/@{p.id}',
            referenceId: 'u',
            body: { Own__c: '@{r.npsp__Gateway_ID__c}' },
          },
        ],
      },
    })
    assert.deepEqual(
      body.compositeResponse.map(({ httpStatusCode }: { httpStatusCode: number }) => httpStatusCode),
      [201, 200, 204],
    )
    const text = 'FIND {zanzibar} RETURNING npe01__OppPayment__c(npsp__Gateway_ID__c)'
    const found = await o.call('GET', `/search?q=${encodeURIComponent(text)}`)
    assert.equal(found.body.searchRecords.length, 1, found.text)
    const shares = await fetchRecords(o, 'SELECT Id FROM npe01__OppPayment__Share')
    assert.deepEqual(shares, [])
  })

  test('names the object of a trigger', async () => {
    const id = await pay('g-5')
    const { body } = await o.call('GET', `/sobjects/npe01__OppPayment__c/${id}`)
    assert.equal(body.Own__c, 'from g-5')
  })
})

describe('a prefix that cannot be one', () => {
  const field = (name: string, file: object = { type: 'string' }) => ({
    Box__c: { fields: { [name]: file } },
  })
  const cases: [string, object, RegExp][] = [
    ['of 16 characters', field(`${'n'.repeat(16)}__A__c`), /at most 15 characters/],
    ['that ends with _', field('ns___A__c'), /begins with a letter/],
    ['before another one', field('a__b__C__c'), /no two _ after each other/],
    ['before a digit', field('ns__1__c'), /begins with a letter/],
    [
      'with a name of more than 40 characters',
      field(`ns__${'A'.repeat(41)}__c`),
      /longer than 40 characters/,
    ],
    [
      'with which the parts of an address are too long',
      field(`${'n'.repeat(15)}__${'A'.repeat(40)}__c`, { type: 'address' }),
      /14 characters shorter/,
    ],
    [
      'with which the name of the table is too long',
      { [`${'n'.repeat(15)}__${'A'.repeat(40)}__c`]: {} },
      /longer than 55 characters/,
    ],
  ]
  for (const [name, objects, reason] of cases) {
    test(`${name} is refused`, async () => {
      const refusals = await fetchRefusals(o, objects as Parameters<typeof fetchRefusals>[1])
      assert.equal(refusals.length, 1)
      assert.match(refusals[0]!, reason)
    })
  }
})

test('objects of one package with long names have a search index each', async () => {
  const start = `${'n'.repeat(15)}__${'A'.repeat(35)}`
  const answer = await deploy(o, { [`${start}_1__c`]: {}, [`${start}_2__c`]: {} }, { mode: 'keep' })
  assert.equal(answer.status, 200, answer.text)
  await o.create(`${start}_2__c`, { Name: 'Quetzal' })
  const { body } = await o.call('GET', '/search?q=FIND%20{quetzal}')
  assert.deepEqual(
    body.searchRecords.map(({ attributes }: { attributes: { type: string } }) => attributes.type),
    [`${start}_2__c`],
  )
})
