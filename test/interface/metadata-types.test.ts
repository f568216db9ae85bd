import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { ObjectFile } from '../../src/definitions/formats/object-file.ts'
import { fetchRecords } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { fetchPlan, fetchRefusals } from '../support/deploying.ts'
import { fetchUiapi } from '../support/graphql.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow } from '../support/people.ts'
import { saveSnapshot } from '../support/snapshots.ts'

const COUNTRY: ObjectFile = {
  fields: { Code__c: { type: 'string', length: 2, required: true, unique: true } },
  records: {
    Germany: { values: { Code__c: 'DE' } },
    Austria: { label: 'Österreich', values: { Code__c: 'AT' } },
  },
}

const RATE: ObjectFile = {
  label: 'Tax Rate',
  fields: {
    Rate__c: { type: 'percent', precision: 5 },
    Since__c: { type: 'date' },
    Checked__c: { type: 'datetime' },
    Is_On__c: { type: 'boolean', default: true },
    Note__c: { type: 'longtextarea' },
    Country__c: { type: 'reference', to: 'Country__mdt', children: 'Rates__r' },
  },
  records: {
    Full: {
      label: 'Full rate',
      values: {
        Rate__c: 19,
        Since__c: '2007-01-01',
        Checked__c: '2026-01-02T03:04:05Z',
        Note__c: 'it\'s \\ "so" $1',
        Country__c: 'Germany',
      },
    },
    pkg__Reduced: { values: { Rate__c: 7, Is_On__c: false, Country__c: 'Austria' } },
    Nothing: null,
  },
}

const TYPES = { Country__mdt: COUNTRY, Rate__mdt: RATE }

const ALL = 'SELECT QualifiedApiName, MasterLabel, Rate__c FROM Rate__mdt ORDER BY QualifiedApiName'
const fetchIds = async (o: TestOrg, type = 'Rate__mdt') =>
  Object.fromEntries(
    (await fetchRecords(o, `SELECT Id, QualifiedApiName FROM ${type}`)).map(({ Id, QualifiedApiName }) => [
      QualifiedApiName,
      Id,
    ]),
  )

/** The file with other records. */
const withRecords = (records: ObjectFile['records'], file = RATE): ObjectFile => ({ ...file, records })

describe('a metadata type', () => {
  let o: TestOrg
  before(async () => {
    o = await openOrg()
    assert.deepEqual(await fetchPlan(o, TYPES), [
      '+ Country__mdt: new object with 1 field and 2 records',
      '+ Rate__mdt: new object with 6 fields and 3 records',
    ])
  })

  test('has the records of its file, with the fields that all such types have', async () => {
    const records = await fetchRecords(
      o,
      `SELECT DeveloperName, NamespacePrefix, QualifiedApiName, MasterLabel, Label, Language, Rate__c, Since__c,
         Checked__c, Is_On__c, Note__c, Country__r.Code__c, Country__r.MasterLabel
       FROM Rate__mdt ORDER BY DeveloperName`,
    )
    const common = { NamespacePrefix: null, Language: 'en_US' }
    assert.deepEqual(records, [
      {
        DeveloperName: 'Full',
        ...common,
        QualifiedApiName: 'Full',
        MasterLabel: 'Full rate',
        Label: 'Full rate',
        Rate__c: 19,
        Since__c: '2007-01-01',
        Checked__c: '2026-01-02T03:04:05.000+0000',
        Is_On__c: true,
        Note__c: 'it\'s \\ "so" $1',
        Country__r: { Code__c: 'DE', MasterLabel: 'Germany' },
      },
      {
        DeveloperName: 'Nothing',
        ...common,
        QualifiedApiName: 'Nothing',
        MasterLabel: 'Nothing',
        Label: 'Nothing',
        Rate__c: null,
        Since__c: null,
        Checked__c: null,
        Is_On__c: true,
        Note__c: null,
        Country__r: null,
      },
      {
        DeveloperName: 'Reduced',
        ...common,
        NamespacePrefix: 'pkg',
        QualifiedApiName: 'pkg__Reduced',
        MasterLabel: 'Reduced',
        Label: 'Reduced',
        Rate__c: 7,
        Since__c: null,
        Checked__c: null,
        Is_On__c: false,
        Note__c: null,
        Country__r: { Code__c: 'AT', MasterLabel: 'Österreich' },
      },
    ])
    assert.deepEqual(
      await fetchRecords(
        o,
        "SELECT DeveloperName, (SELECT Rate__c FROM Rates__r) FROM Country__mdt WHERE DeveloperName = 'Austria'",
      ).then(([found]) => (found!.Rates__r as { totalSize: number }).totalSize),
      1,
    )
  })

  test('is described as custom and read-only, with ids that begin with m', async () => {
    const { body } = await o.call('GET', '/sobjects/Rate__mdt/describe')
    const { custom, customSetting, createable, updateable, deletable, queryable, searchable, triggerable } =
      body
    assert.deepEqual(
      { custom, customSetting, createable, updateable, deletable, queryable, searchable, triggerable },
      {
        custom: true,
        customSetting: false,
        createable: false,
        updateable: false,
        deletable: false,
        queryable: true,
        searchable: false,
        triggerable: false,
      },
    )
    assert.match(body.keyPrefix, /^m0\w$/)
    for (const { name, createable, updateable } of body.fields) {
      assert.deepEqual([createable, updateable], [false, false], name)
    }
    const tabs: { sobjectName: string }[] = (await o.call('GET', '/tabs')).body
    assert.equal(
      tabs.some(({ sobjectName }) => sobjectName === 'Rate__mdt'),
      false,
    )
  })

  test('takes no writes of clients, through any API', async () => {
    const { Full } = await fetchIds(o)
    const compare = await o.call('POST', '/sobjects/ListView', { body: { Name: 'x' } })
    for (const [method, path, body] of [
      ['POST', '/sobjects/Rate__mdt', { Rate__c: 1 }],
      ['PATCH', `/sobjects/Rate__mdt/${Full}`, { Rate__c: 1 }],
      ['DELETE', `/sobjects/Rate__mdt/${Full}`, undefined],
    ] as const) {
      const answer = await o.call(method, path, body && { body })
      assert.deepEqual(
        [answer.status, answer.body[0].errorCode],
        [403, compare.body[0].errorCode],
        answer.text,
      )
    }
    const collected = await o.call('POST', '/composite/sobjects', {
      body: { records: [{ attributes: { type: 'Rate__mdt' }, Rate__c: 1 }] },
    })
    assert.equal(collected.body[0].success, false)
    assert.equal((await fetchRecords(o, ALL)).length, 3)
  })

  test('is read by those who may read the object', async () => {
    const person = await addPerson(o, 'metadata')
    assert.equal((await person.call('GET', '/sobjects/Rate__mdt')).status, 404)
    await allow(o, person.setId, 'Rate__mdt', 'Read')
    assert.equal((await fetchRecords(person.org, ALL)).length, 3)
  })

  test('is found by GraphQL', async () => {
    const { query } = await fetchUiapi(
      o,
      '{ uiapi { query { Rate__mdt(where: { DeveloperName: { eq: "Full" } }) { edges { node { Rate__c { value } } } } } } }',
    )
    assert.deepEqual(query.Rate__mdt.edges, [{ node: { Rate__c: { value: 19 } } }])
  })

  test('is exported with its records, and what was exported changes nothing', async () => {
    const { body } = await o.call('GET', '/setup/orgs/current/schema')
    assert.deepEqual(body.objects.Rate__mdt.records, RATE.records)
    assert.deepEqual(Object.keys(body.objects.Country__mdt).sort(), ['fields', 'keyPrefix', 'records'])
    assert.deepEqual(await fetchPlan(o, body.objects), [])
    assert.deepEqual(await fetchPlan(o, TYPES), [])
  })
})

describe('the records of a metadata type', () => {
  let o: TestOrg
  before(async () => {
    o = await openOrg()
    await fetchPlan(o, TYPES)
  })

  test('follow the file: they come, change and go, and keep their ids', async () => {
    const ids = await fetchIds(o)
    const { Nothing: _, ...rest } = RATE.records!
    const records = { ...rest, Full: { values: { Rate__c: 16 } }, More: { values: { Rate__c: 5 } } }
    assert.deepEqual(await fetchPlan(o, { ...TYPES, Rate__mdt: withRecords(records) }, { planOnly: true }), [
      '~ Rate__mdt: record Full: label "Full rate" → "Full", Rate__c 19 → 16, Since__c "2007-01-01" → none, Checked__c "2026-01-02T03:04:05Z" → none, Note__c "it\'s \\ "so" $1" → none, Country__c "Germany" → none, new record More, record Nothing goes',
    ])
    assert.equal((await fetchRecords(o, ALL)).length, 3)
    await fetchPlan(o, { ...TYPES, Rate__mdt: withRecords(records) })
    assert.deepEqual(await fetchRecords(o, ALL), [
      { QualifiedApiName: 'Full', MasterLabel: 'Full', Rate__c: 16 },
      { QualifiedApiName: 'More', MasterLabel: 'More', Rate__c: 5 },
      { QualifiedApiName: 'pkg__Reduced', MasterLabel: 'Reduced', Rate__c: 7 },
    ])
    const now = await fetchIds(o)
    assert.deepEqual([now.Full, now.pkg__Reduced], [ids.Full, ids.pkg__Reduced])
  })

  test('stay when the deployment keeps what it does not name', async () => {
    const kept = await fetchPlan(
      o,
      { Country__mdt: COUNTRY, Rate__mdt: withRecords({ More: { values: { Rate__c: 6 } } }) },
      { mode: 'keep' },
    )
    assert.deepEqual(kept, ['~ Rate__mdt: record More: Rate__c 5 → 6'])
    assert.equal((await fetchRecords(o, ALL)).length, 3)
  })

  test('outlive any change of the fields, with what the file says then', async () => {
    const ids = await fetchIds(o)
    const changed: ObjectFile = {
      fields: {
        Rate__c: { type: 'date', required: true },
        Since__c: { type: 'string', unique: true },
      },
      records: {
        Full: { values: { Rate__c: '2026-01-01', Since__c: 'b' } },
        More: { values: { Rate__c: '2026-02-01', Since__c: 'a' } },
      },
    }
    const refused = await fetchRefusals(o, { ...TYPES, Rate__mdt: changed })
    assert.match(refused[0]!, /^Rate__mdt\.Checked__c: goes with its values;/)
    await fetchPlan(o, { ...TYPES, Rate__mdt: changed }, { allowDestructive: true })
    const read = () => fetchRecords(o, 'SELECT Rate__c, Since__c FROM Rate__mdt ORDER BY Rate__c')
    assert.deepEqual(await read(), [
      { Rate__c: '2026-01-01', Since__c: 'b' },
      { Rate__c: '2026-02-01', Since__c: 'a' },
    ])
    assert.deepEqual(await fetchIds(o), { Full: ids.Full, More: ids.More })
    // A unique value goes from one to the other.
    const swapped = {
      Full: { values: { Rate__c: '2026-01-01', Since__c: 'a' } },
      More: { values: { Rate__c: '2026-02-01', Since__c: 'b' } },
    }
    await fetchPlan(o, { ...TYPES, Rate__mdt: withRecords(swapped, changed) })
    assert.deepEqual(
      (await read()).map(({ Since__c }) => Since__c),
      ['a', 'b'],
    )
  })

  test('that a deployment keeps must fit the fields that it changes', async () => {
    const [refusal] = await fetchRefusals(
      o,
      { Rate__mdt: { fields: { Since__c: { type: 'int' } } } },
      { mode: 'keep', allowDestructive: true },
    )
    assert.equal(
      refusal,
      'Rate__mdt.Full: Since__c: "a" is not a valid int. Deploy this record with another value, or without',
    )
  })

  test('are told in few words when their values are long, and fields in another order are a change', async () => {
    const type = (text: string, names: readonly string[]): ObjectFile => ({
      fields: Object.fromEntries(names.map((name) => [name, { type: 'longtextarea' }])),
      records: { One: { values: { A__c: `${'x'.repeat(300)}${text}` } } },
    })
    await fetchPlan(o, { Long__mdt: type('1', ['A__c', 'B__c']) }, { mode: 'keep' })
    assert.deepEqual(await fetchPlan(o, { Long__mdt: type('2', ['B__c', 'A__c']) }, { mode: 'keep' }), [
      '~ Long__mdt: record One: another A__c, order of the fields',
    ])
    const [{ A__c }] = (await fetchRecords(o, 'SELECT A__c FROM Long__mdt')) as [{ A__c: string }]
    assert.equal(A__c.at(-1), '2')
  })

  test('get a changed default where they say nothing', async () => {
    const type = (value: string): ObjectFile => ({
      fields: { A__c: { type: 'string', default: value } },
      records: { One: null, Two: { values: { A__c: 'own' } }, Three: { values: { A__c: null } } },
    })
    const read = () => fetchRecords(o, 'SELECT A__c FROM Other__mdt ORDER BY DeveloperName')
    await fetchPlan(o, { Other__mdt: type('x') }, { mode: 'keep' })
    assert.deepEqual(await read(), [{ A__c: 'x' }, { A__c: null }, { A__c: 'own' }])
    await fetchPlan(o, { Other__mdt: type('y') }, { mode: 'keep' })
    assert.deepEqual(await read(), [{ A__c: 'y' }, { A__c: null }, { A__c: 'own' }])
  })
})

describe('copies of an org', () => {
  let o: TestOrg
  before(async () => {
    o = await openOrg()
    await fetchPlan(o, TYPES)
  })

  test('reset: records of metadata types stay, others go', async () => {
    await o.create('Account', { Name: 'Acme' })
    const ids = await fetchIds(o)
    const answer = await o.call('POST', '/setup/orgs/current/reset')
    assert.equal(answer.status, 204, answer.text)
    assert.deepEqual(await fetchRecords(o, 'SELECT Id FROM Account'), [])
    assert.deepEqual(await fetchIds(o), ids)
  })

  test('snapshot: a restore brings its records back, under their ids', async () => {
    const restore = () => o.call('POST', '/setup/orgs/current/restore', { body: { snapshot: 'rates' } })
    const ids = await fetchIds(o)
    const before = await fetchRecords(o, ALL)
    await saveSnapshot(o, 'rates')
    await fetchPlan(o, { ...TYPES, Rate__mdt: withRecords({ Full: { values: { Rate__c: 1 } } }) })
    const restored = await restore()
    assert.equal(restored.status, 200, restored.text)
    assert.deepEqual([await fetchIds(o), await fetchRecords(o, ALL)], [ids, before])
    await fetchPlan(o, {}, { allowDestructive: true })
    await restore()
    assert.deepEqual([await fetchIds(o), await fetchRecords(o, ALL)], [ids, before])
  })
})

test('mistakes in metadata types and their records are reported, each in its place', async () => {
  const o = await openOrg()
  const types =
    'string, textarea, longtextarea, richtextarea, email, phone, url, boolean, int, double, currency, percent, date, datetime, time, picklist, combobox, reference'
  const [name] = await fetchRefusals(o, { c__mdt_x: null })
  assert.match(name!, /an object of your own ends in __c, a metadata type in __mdt, a platform event in __e$/)
  assert.deepEqual(
    await fetchRefusals(o, {
      A__mdt: {
        sharing: 'private',
        keyPrefix: 'a77',
        fields: {
          Number__c: { type: 'double', required: true },
          Color__c: { type: 'picklist', restricted: true, values: ['Red', 'Blue'] },
          Key__c: { type: 'string', length: 3, unique: true },
          Files__c: { type: 'base64' },
          Label: { type: 'string' },
          Other__c: { type: 'reference', to: 'A__mdt' },
          Account__c: { type: 'reference', to: 'Account', onDelete: 'cascade' },
        },
        records: {
          One: { values: { Number__c: 1, Key__c: 'a', Other__c: 'Too' } },
          Two: { label: 'x'.repeat(41), values: { Number__c: 'much', Colour__c: 'Red' } },
          Two_: { values: { Number__c: 1, Color__c: 'Green', Key__c: 'abcd' } },
          one: { values: {} },
        },
      },
      B__c: { fields: { A__c: { type: 'reference', to: 'A__mdt' } }, records: { X: null } },
    }),
    [
      'objects.A__mdt.keyPrefix: ids of A__mdt start with m: m07',
      'objects.A__mdt.sharing: a metadata type has no sharing; take it out',
      `objects.A__mdt.fields.Files__c.type: a metadata type has no base64; there are ${types}`,
      'objects.A__mdt.fields.Label: every metadata type has Label without saying so; take it out',
      'objects.A__mdt.fields.Account__c.onDelete: means nothing in a metadata type: a deployment writes its records; take it out',
      'objects.A__mdt.fields.Account__c.to: a metadata type refers to metadata types, not to Account',
      'objects.A__mdt.records.One.values.Other__c: there is no record "Too" of A__mdt; did you mean Two?',
      'objects.A__mdt.records.Two.label: a label has 1 to 40 characters',
      'objects.A__mdt.records.Two.values.Number__c: "much" is not a valid double',
      'objects.A__mdt.records.Two.values.Colour__c: A__mdt has no field Colour__c; did you mean Color__c?',
      'objects.A__mdt.records.Two_: a name has no two _ after each other but those behind the prefix of a package, none at its end, and begins with a letter',
      'objects.A__mdt.records.Two_.values.Color__c: Color: bad value for restricted picklist field: Green',
      'objects.A__mdt.records.Two_.values.Key__c: Key: data value too large: abcd (max length=3)',
      'objects.A__mdt.records.one: One is the same record: case makes no difference',
      'objects.A__mdt.records.one: has no value for Number__c, which is required',
      'objects.B__c.records: records are for metadata types, whose names end in __mdt; take them out',
      'objects.B__c.fields.A__c.to: records of A__mdt come and go with deployments: only metadata types refer to them',
    ],
  )
  const twins = await fetchRefusals(o, {
    A__mdt: {
      fields: { Key__c: { type: 'string', unique: true } },
      records: { One: { values: { Key__c: 'ä' } }, Two: { values: { Key__c: ' Ä' } } },
    },
  })
  assert.deepEqual(twins, [
    'objects.A__mdt.records.Two.values.Key__c: One has the same value, which is unique',
  ])
})

describe('records that are not records are refused:', () => {
  let o: TestOrg
  before(async () => {
    o = await openOrg()
  })

  for (const records of [
    3,
    'x',
    [],
    { A: 3 },
    { A: [] },
    { A: { values: [] } },
    { A: { values: { B__c: {} } } },
    { A: { values: { B__c: [1] } } },
    { A: { label: 3 } },
    { A: { other: 1 } },
    { __proto__: null, '': null },
    { 'A\0': null },
    { A: { label: '\0' } },
    Object.fromEntries(Array.from({ length: 2001 }, (_, index) => [`A${index}`, null])),
    {
      A: { values: Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`A${index}__c`, null])) },
    },
  ]) {
    test(`${JSON.stringify(records).slice(0, 60)}`, async () => {
      const file = { fields: { B__c: { type: 'string' } }, records }
      const answer = await o.call('PUT', '/setup/orgs/current/schema', {
        body: { objects: { A__mdt: file } },
      })
      assert.deepEqual([answer.status, answer.body[0].errorCode], [400, 'DEPLOYMENT_REFUSED'], answer.text)
      assert.ok(answer.text.length < 2000, answer.text.slice(0, 2000))
    })
  }
})

test('a record of a type that is not there is not found', async () => {
  const o = await openOrg()
  await fetchPlan(o, TYPES)
  const { Full } = await fetchIds(o)
  await fetchPlan(o, {}, { allowDestructive: true })
  assertRefused(
    await o.call('GET', `/sobjects/Rate__mdt/${Full}`),
    404,
    'NOT_FOUND',
    'The requested resource does not exist',
  )
})
