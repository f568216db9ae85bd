import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { fetchResults, step } from '../support/composite.ts'
import { deploy } from '../support/deploying.ts'
import { sendDocument } from '../support/graphql.ts'
import { openOrg, type TestOrg } from '../support/org.ts'

/* PostgreSQL takes 1,664 columns in one list: a call that needs more is refused before it is sent. */

const NAMES = Array.from({ length: 560 }, (_, n) => `F${n}__c`)
const FIELDS = Object.fromEntries(NAMES.map((name) => [name, { type: 'double' } as const]))
const WAYS = ['First', 'Second', 'Third']

let o: TestOrg

before(async () => {
  // Their addresses are longer than the strict rules allow.
  o = await openOrg({ settings: { lenient: 'true' } })
  const references = Object.fromEntries(
    WAYS.map((way) => [`${way}__c`, { type: 'reference', to: 'Parent__c', children: `${way}s__r` } as const]),
  )
  const answer = await deploy(o, {
    Parent__c: { fields: FIELDS },
    Child__c: { fields: { ...FIELDS, ...references } },
  })
  assert.equal(answer.status, 200, answer.text)
  const parent = await o.create('Parent__c', {})
  await o.create('Child__c', Object.fromEntries(WAYS.map((way) => [`${way}__c`, parent])))
})

const above = (way: string) => NAMES.map((name) => `${way}__r.${name}`)
const OWN = NAMES.join()
const TWO = [...NAMES, ...above('First')].join()
const THREE = [...NAMES, ...above('First'), ...above('Second')].join()
const call = (name: string, names: readonly string[]) => names.map((one) => `${name}(${one})`)

/** The status and the code of a query, which may be longer than the address of a call. */
async function ask(soql: string): Promise<string> {
  const path = `/query?q=${encodeURIComponent(soql)}`
  const [result] = await fetchResults(o, [step('GET', path)])
  const { httpStatusCode, body } = result!
  return httpStatusCode === 200 ? '200' : `${httpStatusCode} ${body[0].errorCode}`
}

const TOO_WIDE = '400 QUERY_TOO_COMPLICATED'

for (const [what, narrow, wide] of [
  ['fields with those of parents', `SELECT ${TWO} FROM Child__c`, `SELECT ${THREE} FROM Child__c`],
  [
    'fields and sort keys',
    `SELECT ${OWN} FROM Child__c ORDER BY ${OWN}`,
    `SELECT ${TWO} FROM Child__c ORDER BY ${TWO}`,
  ],
  [
    'fields of child records',
    `SELECT Id, (SELECT ${TWO} FROM Firsts__r) FROM Parent__c`,
    `SELECT Id, (SELECT ${THREE} FROM Firsts__r) FROM Parent__c`,
  ],
  [
    'sort keys of child records',
    `SELECT Id, (SELECT ${OWN} FROM Firsts__r ORDER BY ${TWO}) FROM Parent__c`,
    `SELECT Id, (SELECT Id FROM Firsts__r ORDER BY ${THREE}) FROM Parent__c`,
  ],
  [
    'values of groups',
    `SELECT ${[...call('MAX', NAMES), ...call('MIN', NAMES)].join()} FROM Child__c`,
    `SELECT ${[...call('MAX', NAMES), ...call('MIN', NAMES), ...call('SUM', NAMES)].join()} FROM Child__c`,
  ],
  [
    'sort keys of groups',
    `SELECT ${call('MAX', NAMES).join()} FROM Child__c GROUP BY First__c ORDER BY ${call('MIN', NAMES).join()}`,
    `SELECT ${call('MAX', NAMES).join()} FROM Child__c GROUP BY First__c ORDER BY ${[...call('MIN', NAMES), ...call('SUM', NAMES)].join()}`,
  ],
] as const) {
  test(`a query with more than 1,600 ${what} is refused`, async () => {
    assert.equal(await ask(narrow), '200')
    assert.equal(await ask(wide), TOO_WIDE)
  })
}

test('searches, explanations and bulk queries with more than 1,600 columns are refused', async () => {
  const soql = encodeURIComponent(`SELECT ${TWO} FROM Child__c ORDER BY ${TWO}`)
  for (const { status, body } of [
    await o.call('GET', `/query?explain=${soql}`),
    await o.call('POST', '/parameterizedSearch', {
      body: { q: 'abc', sobjects: [{ name: 'Child__c', fields: THREE.split(',') }] },
    }),
    await o.call('POST', '/jobs/query', {
      body: { operation: 'query', query: `SELECT ${THREE} FROM Child__c` },
    }),
  ]) {
    assert.deepEqual([status, body[0].errorCode], [400, 'QUERY_TOO_COMPLICATED'])
  }
})

test('documents whose nodes or orders have more than 1,600 columns are refused', async () => {
  const values = NAMES.map((name) => `${name}{value}`).join(' ')
  const orders = Object.fromEntries(NAMES.map((name) => [name, { order: 'ASC' }]))
  const orderBy = { ...orders, First__r: orders, Second__r: orders }
  const document = (inner: string) => `query($v:Child__c_OrderBy){uiapi{query{${inner}}}}`
  for (const text of [
    `Child__c(orderBy:$v){edges{node{Id}}}`,
    `Parent__c{edges{node{Firsts__r(orderBy:$v){edges{node{Id}}}}}}`,
    `Child__c(orderBy:$v){edges{node{${values} First__r{${values}} Second__r{${values}}}}}`,
  ]) {
    const { errors } = await sendDocument(o, document(text), { variables: { v: orderBy } })
    assert.match(errors[0]!.message, /^Query is either selecting too many fields/)
  }
})

test('a search whose objects share fields is as long as if each had its own', async () => {
  const answer = await o.call('POST', '/parameterizedSearch', {
    body: {
      q: 'abc',
      fields: Array.from({ length: 200_000 }, () => 'Id'),
      sobjects: Array.from({ length: 200 }, () => ({ name: 'Child__c' })),
    },
  })
  assert.deepEqual([answer.status, answer.body[0].errorCode], [400, 'MALFORMED_SEARCH'])
  assert.match(answer.body[0].message, /A search cannot be longer than 100000 characters/)
})
