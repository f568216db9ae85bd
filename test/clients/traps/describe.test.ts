import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Answer } from '../../support/org.ts'
import { openTrapsClient, type TrapsClient } from '../../support/traps-client.ts'

/* Describes of an org, as clients read them. */

let as: TrapsClient['as']
let conn: TrapsClient['conn']
let o: TrapsClient['o']
let close: TrapsClient['close']

before(async () => {
  ;({ as, o, conn, close } = await openTrapsClient())
})
after(() => close())

type Kind = 'boolean' | 'string' | 'number' | 'array' | 'object' | 'null'

const kindOf = (value: unknown): Kind | 'undefined' =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : (typeof value as Kind)

/** Every member is there, of one of its kinds. */
function assertMembers(
  of: Record<string, unknown>,
  members: Readonly<Record<string, readonly Kind[]>>,
  what: string,
) {
  for (const [member, kinds] of Object.entries(members))
    assert.ok((kinds as readonly string[]).includes(kindOf(of[member])), `${what}.${member}: ${of[member]}`)
}

const flags = (...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, ['boolean'] as const]))

const OBJECT = {
  ...flags(
    'queryable',
    'retrieveable',
    'createable',
    'updateable',
    'deletable',
    'searchable',
    'replicateable',
  ),
  ...flags('custom', 'customSetting', 'undeletable', 'mergeable', 'triggerable', 'layoutable', 'feedEnabled'),
  ...flags('deprecatedAndHidden'),
  name: ['string'],
  label: ['string'],
  labelPlural: ['string'],
  keyPrefix: ['string', 'null'],
  urls: ['object'],
} as const

const FIELD = {
  ...flags(
    'nillable',
    'defaultedOnCreate',
    'createable',
    'updateable',
    'externalId',
    'idLookup',
    'calculated',
  ),
  ...flags(
    'filterable',
    'sortable',
    'groupable',
    'custom',
    'unique',
    'nameField',
    'autoNumber',
    'caseSensitive',
  ),
  name: ['string'],
  label: ['string'],
  type: ['string'],
  soapType: ['string'],
  length: ['number'],
  byteLength: ['number'],
  precision: ['number'],
  scale: ['number'],
  digits: ['number'],
  referenceTo: ['array'],
  relationshipName: ['string', 'null'],
  picklistValues: ['array'],
} as const

const CHILD = {
  childSObject: ['string'],
  field: ['string'],
  relationshipName: ['string', 'null'],
  cascadeDelete: ['boolean'],
} as const

/** The types that the taps and Airbyte have columns for; any other one stops them. */
const TYPES = [
  ...['id', 'string', 'boolean', 'int', 'long', 'double', 'currency', 'percent', 'date', 'datetime', 'time'],
  ...['picklist', 'multipicklist', 'combobox', 'reference', 'textarea', 'email', 'phone', 'url', 'address'],
  ...['location', 'base64', 'encryptedstring', 'anyType', 'complexvalue'],
]

/** All objects as the tap finds them: the list, then their describes by 25. */
async function discover(): Promise<Answer['body'][]> {
  const tap = as('tap')
  const { sobjects } = (await tap.get('/sobjects')).body
  const described: Answer['body'][] = []
  for (let from = 0; from < sobjects.length; from += 25) {
    const batchRequests = sobjects
      .slice(from, from + 25)
      .map(({ name }: { name: string }) => ({ method: 'GET', url: `${tap.base}/sobjects/${name}/describe` }))
    const { body } = await tap.post('/composite/batch', { haltOnError: true, batchRequests })
    assert.equal(body.hasErrors, false)
    described.push(...body.results.map(({ result }: Answer['body']) => result))
  }
  assert.deepEqual(
    described.map(({ name }) => name),
    sobjects.map(({ name }: Answer['body']) => name),
  )
  return described
}

// 27
test('tap-salesforce: the list of objects tells what may be done with each and where it is described', async () => {
  const { sobjects, encoding, maxBatchSize } = (await as('tap').get('/sobjects')).body
  assert.deepEqual([encoding, maxBatchSize], ['UTF-8', 200])
  for (const object of sobjects) {
    assertMembers(object, OBJECT, object.name)
    assert.equal(object.urls.describe, `${as('tap').base}/sobjects/${object.name}/describe`)
  }
  const names = sobjects.map(({ name }: { name: string }) => name)
  for (const name of ['Account', 'Contact', 'User', 'Organization', 'Specimen__c'])
    assert.ok(names.includes(name))
})

// 27
test('tap-salesforce, Airbyte: each describe tells everything of its fields, children and record types', async () => {
  for (const object of await discover()) {
    assertMembers(object, OBJECT, object.name)
    assert.ok(object.fields.length > 0, object.name)
    for (const field of object.fields) {
      const what = `${object.name}.${field.name}`
      assertMembers(field, FIELD, what)
      assert.ok(TYPES.includes(field.type), `${what}: ${field.type}`)
      assert.match(field.soapType, /^(xsd|tns|urn):/, what)
      assert.equal(field.type === 'reference', field.referenceTo.length > 0, what)
    }
    for (const child of object.childRelationships) assertMembers(child, CHILD, object.name)
    const { recordTypeInfos } = object
    assert.equal(recordTypeInfos.filter(({ master }: { master: boolean }) => master).length, 1, object.name)
    assert.deepEqual(
      Object.keys(object.urls).filter((key) => ['sobject', 'describe', 'rowTemplate'].includes(key)).length,
      3,
    )
  }
})

// 27
test('tap-salesforce, Airbyte: all fields of an object that can be queried may be selected', async () => {
  const tap = as('tap')
  for (const { name, queryable, fields } of await discover()) {
    // Both leave out links of files, which nobody may query without ids.
    if (!queryable || name === 'ContentDocumentLink') continue
    const selected = fields.map((field: { name: string }) => field.name).join(',')
    const answer = await tap.get(`/queryAll?q=SELECT+${selected}+FROM+${name}+LIMIT+1`)
    assert.equal(answer.status, 200, `${name}: ${answer.text}`)
  }
})

// 27
test('jsforce: a record selected with * has every field of the describe', async () => {
  await o.create('Specimen__c', { Name: 'All of it' })
  const { fields } = await conn.describe('Specimen__c')
  const [record] = await conn.sobject('Specimen__c').find({ Name: 'All of it' }, '*').execute()
  assert.deepEqual(
    Object.keys(record!).toSorted(),
    ['attributes', ...fields.map(({ name }) => name)].toSorted(),
  )
})
