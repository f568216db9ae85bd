import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { FieldFile } from '../../src/definitions/formats/field-file.ts'
import { fetchRecords } from '../support/ask.ts'
import { loadCatalog } from '../support/catalog.sql.ts'
import { deploy, fetchPlan, fetchRefusals, fetchSteps, withFields } from '../support/deploying.ts'
import { openOrg, type TestOrg } from '../support/org.ts'

let o: TestOrg

const fetchDescribe = async (name: string) => (await o.call('GET', `/sobjects/${name}/describe`)).body
const fetchField = async (object: string, name: string) =>
  (await fetchDescribe(object)).fields.find((field: { name: string }) => field.name === name)
const read = async (object: string, id: string) => (await o.call('GET', `/sobjects/${object}/${id}`)).body

describe('a deployment', () => {
  before(async () => {
    o = await openOrg()
  })

  const box = withFields({ Color__c: { type: 'string', length: 20 } })

  test('makes the objects of its files', async () => {
    assert.deepEqual(await fetchPlan(o, { Box__c: box }), ['+ Box__c: new object with 2 fields'])
    const { label, labelPlural, keyPrefix } = await fetchDescribe('Box__c')
    assert.deepEqual([label, labelPlural, keyPrefix], ['Box', 'Boxes', 'a00'])
    assert.equal((await fetchField('Box__c', 'Color__c')).length, 20)
  })

  test('that was carried out changes nothing a second time', async () => {
    const version = (await o.call('GET', '/setup/orgs/current')).body.schemaVersion
    assert.deepEqual(await fetchPlan(o, { Box__c: box }), [])
    assert.equal((await o.call('GET', '/setup/orgs/current')).body.schemaVersion, version)
  })

  test('that is only planned changes nothing', async () => {
    const wanted = { Box__c: withFields({ ...box.fields, Size__c: { type: 'int' } }) }
    assert.deepEqual(await fetchPlan(o, wanted, { planOnly: true }), ['+ Box__c.Size__c: new int'])
    assert.equal(await fetchField('Box__c', 'Size__c'), undefined)
  })

  test('says in words what it changes', async () => {
    const wanted = {
      Box__c: withFields(
        { Color__c: { type: 'string', length: 40, label: 'Paint' } },
        { labelPlural: 'Crates' },
      ),
    }
    assert.deepEqual(await fetchPlan(o, wanted), [
      '~ Box__c.Color__c: label "Color" → "Paint", length 20 → 40',
      '~ Box__c: labelPlural "Boxes" → "Crates"',
    ])
    assert.equal((await fetchField('Box__c', 'Color__c')).label, 'Paint')
  })

  test('with definitions that are wrong is refused with every problem, and changes nothing', async () => {
    const wrong = { Box__c: withFields({ Color__c: { type: 'strin' as never }, No: { type: 'int' } }) }
    const [type] = await fetchRefusals(o, wrong)
    assert.match(
      type!,
      /^objects\.Box__c\.fields\.Color__c\.type: "strin" is no type of field; did you mean string\?/,
    )
    assert.equal((await fetchField('Box__c', 'Color__c')).length, 40)
  })

  for (const body of [
    [],
    'x',
    { objects: [] },
    { objects: { A__c: 3 } },
    { objects: { A__c: { sharing: { toString: 1 } } } },
    { objects: { A__c: { fields: { F__c: { type: { toString: 1 } } } } } },
    { permissionSets: { A: { fields: { 'Account.Industry': { toString: 1 } } } } },
    { settings: [] },
    { settings: { Company: { fiscalYear: { startMonth: { toString: 1 }, namedBy: { toString: 1 } } } } },
    { mode: 'all' },
    { planOnly: 'yes' },
  ]) {
    test(`whose body is ${JSON.stringify(body)} is refused`, async () => {
      const { status } = await o.call('PUT', '/setup/orgs/current/schema', { body })
      assert.equal(status, 400)
    })
  }
})

describe('a step that loses something', () => {
  let id: string

  before(async () => {
    o = await openOrg()
    await fetchSteps(o, { Box__c: withFields({ Color__c: { type: 'string' }, Old__c: { type: 'string' } }) })
    id = await o.create('Box__c', { Color__c: 'red', Old__c: 'gone' })
    await o.create('Box__c', { Color__c: 'blue' })
  })

  const without = { Box__c: withFields({ Color__c: { type: 'string' } }) }

  test('names the records that would lose it', async () => {
    const [step] = await fetchSteps(o, without, { planOnly: true })
    assert.deepEqual(step, {
      kind: 'destroy',
      object: 'Box__c',
      field: 'Old__c',
      what: 'goes with its values',
      loses: 1,
      obstacles: [],
    })
  })

  test('is refused unless it is allowed', async () => {
    assert.deepEqual(await fetchRefusals(o, without), [
      'Box__c.Old__c: goes with its values; 1 record would lose something. Destructive steps have to be allowed',
    ])
    assert.equal((await read('Box__c', id)).Old__c, 'gone')
    await fetchSteps(o, without, { allowDestructive: true })
    assert.equal('Old__c' in (await read('Box__c', id)), false)
    assert.equal((await read('Box__c', id)).Color__c, 'red')
  })

  test('is not taken when what the files do not name is kept', async () => {
    assert.deepEqual(await fetchPlan(o, {}, { mode: 'keep' }), [])
    assert.equal((await read('Box__c', id)).Color__c, 'red')
  })

  test('takes an object with its records, and the ways to it', async () => {
    const lid = withFields({ Box__c: { type: 'reference', to: 'Box__c', children: 'Lids__r' } })
    await fetchSteps(o, { ...without, Lid__c: lid })
    const lidId = await o.create('Lid__c', { Box__c: id })
    const bare = { Lid__c: withFields({}) }
    assert.deepEqual(await fetchPlan(o, bare, { planOnly: true }), [
      '- Lid__c.Box__c: goes with its values',
      '- Box__c: goes with its records',
    ])
    await fetchSteps(o, bare, { allowDestructive: true })
    assert.equal((await o.call('GET', '/sobjects/Box__c')).status, 404)
    assert.equal((await read('Lid__c', lidId)).Id, lidId)
  })

  test('clears what tasks say about records of an object that goes', async () => {
    await fetchSteps(o, { Lid__c: withFields({}), Pot__c: { activities: true } })
    const pot = await o.create('Pot__c', {})
    const task = await o.create('Task', { Subject: 'Wash', WhatId: pot })
    const attachment = await o.create('Attachment', { Name: 'a', ParentId: pot, Body: 'aGVsbG8=' })
    const version = { PathOnClient: 'a.txt', VersionData: 'aGVsbG8=', FirstPublishLocationId: pot }
    const file = await o.create('ContentVersion', version)
    await fetchSteps(o, { Lid__c: withFields({}) }, { allowDestructive: true })
    assert.equal((await read('Task', task)).WhatId, null)
    assert.equal((await o.call('GET', `/sobjects/Attachment/${attachment}`)).status, 404)
    const { FirstPublishLocationId, ContentDocumentId } = await read('ContentVersion', file)
    assert.equal(FirstPublishLocationId, null)
    const links = `SELECT LinkedEntityId FROM ContentDocumentLink WHERE ContentDocumentId = '${ContentDocumentId}'`
    assert.deepEqual(await fetchRecords(o, links), [{ LinkedEntityId: o.userId }])
  })

  test('is an object that tasks are about no more, only when none is', async () => {
    await fetchSteps(o, { Pot__c: { activities: true } }, { mode: 'keep' })
    const pot = await o.create('Pot__c', {})
    const task = await o.create('Task', { Subject: 'Wash', WhatId: pot })
    const refused = await fetchRefusals(
      o,
      { Pot__c: { activities: false } },
      { mode: 'keep', allowDestructive: true },
    )
    assert.match(refused.join(), /Task\.WhatId: 1 record that point to Pot__c/)
    await o.call('PATCH', `/sobjects/Task/${task}`, { body: { WhatId: null } })
    await fetchSteps(o, {}, { allowDestructive: true })
  })
})

describe('what records prevent', () => {
  let first: string
  let second: string
  const base = withFields({ Code__c: { type: 'string', length: 20 }, Size__c: { type: 'string' } })

  before(async () => {
    o = await openOrg()
    await fetchSteps(o, { Box__c: base })
    first = await o.create('Box__c', { Code__c: 'abc', Size__c: '12' })
    second = await o.create('Box__c', { Code__c: 'ABC', Size__c: 'large' })
    await o.create('Box__c', {})
  })

  const refusal = async (fields: Parameters<typeof withFields>[0]) => {
    const before = (await o.call('GET', '/setup/orgs/current')).body.schemaVersion
    const said = await fetchRefusals(
      o,
      { Box__c: withFields({ ...base.fields, ...fields }) },
      { allowDestructive: true },
    )
    assert.equal((await o.call('GET', '/setup/orgs/current')).body.schemaVersion, before)
    return said
  }

  test('a field that becomes required', async () => {
    const [said] = await refusal({ Code__c: { type: 'string', length: 20, required: true } })
    assert.match(said!, /^Box__c\.Code__c: 1 record without a value for Code__c \(a00\w{15}\)$/)
  })

  test('a new field that is required and has no default', async () => {
    const [said] = await refusal({ New__c: { type: 'int', required: true } })
    assert.match(said!, /3 records without a value for New__c, which is required: give it a default/)
  })

  test('a field that becomes unique', async () => {
    const [said] = await refusal({ Code__c: { type: 'string', length: 20, unique: true } })
    assert.match(
      said!,
      new RegExp(`2 records with a value of Code__c that another record has too \\(${first}, ${second}\\)`),
    )
  })

  test('a text that becomes too short', async () => {
    const [said] = await refusal({ Code__c: { type: 'string', length: 2 } })
    assert.match(said!, /2 records with a value that Code__c would not take: .*max length=2/)
  })

  test('a type that not every value can be', async () => {
    const [said] = await refusal({ Size__c: { type: 'int' } })
    assert.match(
      said!,
      new RegExp(
        `1 record with a value that Size__c would not take: "large" is not a valid int \\(${second}\\)`,
      ),
    )
  })

  test('a picklist that becomes restricted', async () => {
    const [said] = await refusal({ Size__c: { type: 'picklist', restricted: true, values: ['12'] } })
    assert.match(said!, /bad value for restricted picklist field: large/)
  })

  test('a value that a restricted picklist loses, unless it stays as an inactive one', async () => {
    const sizes = (values: FieldFile['values']): FieldFile => ({ type: 'picklist', restricted: true, values })
    await fetchSteps(o, { Box__c: withFields({ ...base.fields, Size__c: sizes(['12', 'large', 'new']) }) })
    const [said] = await refusal({ Size__c: sizes(['12', 'new']) })
    assert.match(said!, /bad value for restricted picklist field: large/)
    const kept = sizes(['12', 'new', { value: 'large', inactive: true }])
    await fetchSteps(o, { Box__c: withFields({ ...base.fields, Size__c: kept }) })
    await fetchSteps(o, { Box__c: base })
  })

  test('a reference where texts name no records', async () => {
    const [said] = await refusal({ Size__c: { type: 'reference', to: 'Account' } })
    assert.match(said!, /2 records with a value that is the id of no Account/)
  })

  test('a unique field whose case no longer counts', async () => {
    const exact = { type: 'string', length: 20, unique: true, caseSensitive: true } as const
    await fetchSteps(o, { Box__c: withFields({ ...base.fields, Code__c: exact }) })
    const [said] = await refusal({ Code__c: { type: 'string', length: 20, unique: true } })
    assert.match(said!, /2 records with a value of Code__c that another record has too/)
  })
})

describe('a field that changes its type keeps its values:', () => {
  const cases = [
    ['string', { type: 'string', length: 30 }, ' 42', 'int', { type: 'int' }, 42],
    ['string', { type: 'string', length: 30 }, '1.50', 'currency', { type: 'currency' }, 1.5],
    ['string', { type: 'string', length: 30 }, 'true', 'boolean', { type: 'boolean' }, true],
    ['string', { type: 'string', length: 30 }, '2024-02-29', 'date', { type: 'date' }, '2024-02-29'],
    [
      'string',
      { type: 'string', length: 30 },
      '2024-02-29T10:00:00Z',
      'datetime',
      { type: 'datetime' },
      '2024-02-29T10:00:00.000+0000',
    ],
    ['string', { type: 'string', length: 30 }, '10:20:30.400Z', 'time', { type: 'time' }, '10:20:30.400Z'],
    ['string', { type: 'string', length: 30 }, 'a', 'picklist', { type: 'picklist', values: ['a'] }, 'a'],
    ['string', { type: 'string', length: 30 }, 'a', 'longtextarea', { type: 'longtextarea' }, 'a'],
    ['int', { type: 'int' }, 7, 'double', { type: 'double', scale: 2 }, 7],
    ['double', { type: 'double', scale: 2 }, 7.25, 'string', { type: 'string' }, '7.25'],
    ['double', { type: 'double', scale: 2 }, 7, 'int', { type: 'int' }, 7],
    ['boolean', { type: 'boolean' }, true, 'string', { type: 'string' }, 'true'],
    [
      'date',
      { type: 'date' },
      '2024-02-29',
      'datetime',
      { type: 'datetime' },
      '2024-02-29T00:00:00.000+0000',
    ],
    ['date', { type: 'date' }, '2024-02-29', 'string', { type: 'string' }, '2024-02-29'],
    [
      'datetime',
      { type: 'datetime' },
      '2024-02-29T10:00:00.000+0000',
      'string',
      { type: 'string' },
      '2024-02-29T10:00:00.000+0000',
    ],
    ['time', { type: 'time' }, '10:20:30.400Z', 'string', { type: 'string' }, '10:20:30.400Z'],
    ['autonumber', { type: 'autonumber', format: 'N-{00}' }, undefined, 'string', { type: 'string' }, 'N-01'],
    [
      'picklist',
      { type: 'picklist', values: ['a'] },
      'a',
      'multipicklist',
      { type: 'multipicklist', values: ['a'] },
      'a',
    ],
  ] as const

  const fieldOf = (index: number) => `V${index}__c`
  const keeps = ({ 0: from }: (typeof cases)[number]) => from !== 'string'
  let org: TestOrg
  let full: string
  let empty: string

  before(async () => {
    org = await openOrg()
    const fields = (isChanged: (one: (typeof cases)[number]) => boolean) =>
      Object.fromEntries(cases.map((one, n) => [fieldOf(n), isChanged(one) ? one[4] : one[1]]))
    await fetchSteps(org, { Box__c: withFields(fields(() => false)) })
    const given = cases.flatMap((one, n) => (one[2] === undefined ? [] : [[fieldOf(n), one[2]] as const]))
    full = await org.create('Box__c', Object.fromEntries(given))
    empty = await org.create('Box__c', {})
    // Only texts may hold what the other type cannot.
    await fetchSteps(org, { Box__c: withFields(fields(keeps)) })
    await fetchSteps(org, { Box__c: withFields(fields(() => true)) }, { allowDestructive: true })
  })

  for (const [index, [from, , given, to, , expected]] of cases.entries()) {
    test(`${from} ${JSON.stringify(given) ?? ''} becomes ${to} ${JSON.stringify(expected)}`, async () => {
      const name = fieldOf(index)
      const valueIn = async (id: string) =>
        (await fetchRecords(org, `SELECT ${name} FROM Box__c WHERE Id = '${id}'`))[0]![name]
      assert.equal(await valueIn(full), expected)
      if (from !== 'autonumber') {
        assert.equal(await valueIn(empty), to === 'boolean' ? false : from === 'boolean' ? 'false' : null)
      }
      const update = await org.call('PATCH', `/sobjects/Box__c/${full}`, { body: { [name]: expected } })
      assert.equal(update.status, 204, update.text)
    })
  }

  test('an autonumber numbers the records that are there in the order of their creation, and goes on behind them', async () => {
    const org = await openOrg()
    await fetchSteps(org, { Box__c: withFields({ Text__c: { type: 'string' } }) })
    const names = ['first', 'second', 'third']
    for (const Name of names) await org.create('Box__c', { Name, Text__c: Name === 'second' ? 'own' : null })
    const numbered = { type: 'autonumber', format: 'N-{00}' } as const
    await fetchSteps(org, { Box__c: withFields({ Text__c: numbered, Number__c: numbered }) })
    await org.create('Box__c', { Name: 'fourth' })
    const rows = await fetchRecords(org, 'SELECT Name, Text__c, Number__c FROM Box__c ORDER BY Number__c')
    assert.deepEqual(
      rows.map(({ Name, Text__c, Number__c }) => [Name, Text__c, Number__c]),
      [
        ['first', 'N-01', 'N-01'],
        ['second', 'own', 'N-02'],
        ['third', 'N-02', 'N-03'],
        ['fourth', 'N-03', 'N-04'],
      ],
    )
  })

  test('a number that loses digits and a datetime that loses its time are reported as losses', async () => {
    const org = await openOrg()
    await fetchSteps(org, {
      Box__c: withFields({ N__c: { type: 'double', scale: 2 }, T__c: { type: 'datetime' } }),
    })
    await org.create('Box__c', { N__c: 1.25, T__c: '2024-02-29T10:00:00Z' })
    await org.create('Box__c', { N__c: 2, T__c: '2024-02-29T00:00:00Z' })
    const wanted = { Box__c: withFields({ N__c: { type: 'double', scale: 0 }, T__c: { type: 'date' } }) }
    const steps = await fetchSteps(org, wanted, { planOnly: true })
    assert.deepEqual(
      steps.map(({ field, loses }) => [field, loses]),
      [
        ['N__c', 1],
        ['T__c', 1],
      ],
    )
    assert.equal((await deploy(org, wanted)).status, 400)
    assert.equal((await deploy(org, wanted, { allowDestructive: true })).status, 200)
  })

  test('values that cannot become others go, if that is allowed', async () => {
    const org = await openOrg()
    await fetchSteps(org, { Box__c: withFields({ V__c: { type: 'boolean', default: true } }) })
    const id = await org.create('Box__c', {})
    const wanted = { Box__c: withFields({ V__c: { type: 'int' } }) }
    assert.match(
      (await fetchRefusals(org, wanted))[0]!,
      /values of a boolean cannot become those of a int, so they go/,
    )
    await fetchSteps(org, wanted, { allowDestructive: true })
    assert.equal((await org.call('GET', `/sobjects/Box__c/${id}?fields=V__c`)).body.V__c, null)
  })

  test('an index of a field whose values go is there for the new ones', async () => {
    const org = await openOrg()
    const box = (type: 'boolean' | 'int') => withFields({ V__c: { type } }, { indexes: [['V__c', 'Name']] })
    await fetchSteps(org, { Box__c: box('boolean') })
    const indexes = async () => (await loadCatalog(org)).filter((line) => /_own ON/i.test(line))
    assert.equal((await indexes()).length, 1)
    await fetchSteps(org, { Box__c: box('int') }, { allowDestructive: true })
    assert.equal((await indexes()).length, 1)
    await fetchSteps(org, { Box__c: {} }, { allowDestructive: true })
    assert.deepEqual(await indexes(), [])
  })

  test('the permissions on an object and on a field go with them', async () => {
    const org = await openOrg()
    const box = (...names: string[]) =>
      withFields(Object.fromEntries(names.map((name) => [name, { type: 'int' as const }])))
    const allow = { allowDestructive: true }
    await fetchSteps(org, { Box__c: box('V__c', 'W__c') })
    const ParentId = await org.create('PermissionSet', { Name: 'Boxes', Label: 'Boxes' })
    const grant = () =>
      org.create('ObjectPermissions', { ParentId, SobjectType: 'Box__c', PermissionsRead: true })
    const grantField = (Field: string) =>
      org.create('FieldPermissions', { ParentId, SobjectType: 'Box__c', Field, PermissionsRead: true })
    const kept = async () => [
      (await fetchRecords(org, `SELECT Id FROM ObjectPermissions WHERE ParentId = '${ParentId}'`)).length,
      (await fetchRecords(org, `SELECT Field FROM FieldPermissions WHERE ParentId = '${ParentId}'`)).map(
        ({ Field }) => Field,
      ),
    ]
    await grant()
    await grantField('Box__c.V__c')
    await grantField('Box__c.W__c')
    await fetchSteps(org, { Box__c: box('W__c') }, allow)
    assert.deepEqual(await kept(), [1, ['Box__c.W__c']])
    await fetchSteps(org, {}, allow)
    assert.deepEqual(await kept(), [0, []])
  })

  test('a declared index is one to explain, for the field that it begins with', async () => {
    const org = await openOrg()
    const box = withFields({ V__c: { type: 'int' }, W__c: { type: 'int' } }, { indexes: [['V__c', 'W__c']] })
    await fetchSteps(org, { Box__c: box })
    const explain = encodeURIComponent('SELECT Id FROM Box__c WHERE V__c = 1 AND W__c = 2')
    const { body } = await org.call('GET', `/query?explain=${explain}`)
    assert.deepEqual(
      body.plans[0].notes.map(({ fields: named }: { fields: string[] }) => named),
      [['W__c']],
    )
  })
})

describe('records that are there', () => {
  before(async () => {
    o = await openOrg()
  })

  test('get the default of a new required field, and nothing of a new optional one', async () => {
    await fetchSteps(o, { Box__c: {} })
    const id = await o.create('Box__c', {})
    await fetchSteps(o, {
      Box__c: withFields({
        Kind__c: { type: 'picklist', required: true, values: [{ value: "it's", default: true }, 'b'] },
        Count__c: { type: 'int', required: true, default: 3 },
        Note__c: { type: 'string', default: 'x' },
        Open__c: { type: 'boolean', default: true },
      }),
    })
    const { Kind__c, Count__c, Note__c, Open__c } = await read('Box__c', id)
    assert.deepEqual([Kind__c, Count__c, Note__c, Open__c], ["it's", 3, null, true])
  })

  test('belong to who made them once an object has owners', async () => {
    await fetchSteps(o, { Cup__c: { ownerless: true } }, { mode: 'keep' })
    const id = await o.create('Cup__c', {})
    await fetchSteps(o, { Cup__c: {} }, { mode: 'keep' })
    assert.equal((await read('Cup__c', id)).OwnerId, o.userId)
  })

  test('of standard objects that a deployment does not name stay as they are', async () => {
    const file = {
      sharing: 'private',
      trackHistory: true,
      fields: { Website: { trackHistory: true } },
    } as const
    await fetchSteps(o, { Account: file }, { mode: 'keep' })
    assert.deepEqual(await fetchPlan(o, { Contact: {} }, { mode: 'keep', planOnly: true }), [])
    await fetchSteps(o, { Account: {} }, { mode: 'keep', allowDestructive: true })
  })

  test('of a detail stay without an owner when a file that keeps the rest does not name the master', async () => {
    const master = { type: 'reference', to: 'Bag__c', masterDetail: 0 } as const
    await fetchSteps(o, { Bag__c: {}, Item__c: withFields({ Bag__c: master }) }, { mode: 'keep' })
    assert.deepEqual(await fetchPlan(o, { Item__c: {} }, { mode: 'keep', planOnly: true }), [])
    const more = withFields({ More__c: { type: 'string' } })
    assert.deepEqual(await fetchPlan(o, { Item__c: more }, { mode: 'keep', planOnly: true }), [
      '+ Item__c.More__c: new string',
    ])
  })

  test('are found by new indexes and keys, and by the words of what a text became', async () => {
    await fetchSteps(o, { Jar__c: withFields({ Code__c: { type: 'int' } }) }, { mode: 'keep' })
    const id = await o.create('Jar__c', { Code__c: 4711 })
    const wanted = withFields(
      { Code__c: { type: 'string', length: 20, unique: true, externalId: true } },
      { indexes: [['Code__c', 'Name']] },
    )
    assert.deepEqual(await fetchPlan(o, { Jar__c: wanted }, { mode: 'keep', planOnly: true }), [
      '~ Jar__c.Code__c: type "int" → "string", length none → 20, unique none → true, externalId none → true',
      '~ Jar__c: new index Code__c + Name',
    ])
    await fetchSteps(o, { Jar__c: wanted }, { mode: 'keep' })
    assert.equal((await o.call('GET', '/sobjects/Jar__c/Code__c/4711')).body.Id, id)
    const found = await o.call('GET', `/search?q=${encodeURIComponent('FIND {4711} RETURNING Jar__c(Id)')}`)
    assert.equal(found.body.searchRecords.length, 1)
  })
})

describe('record types', () => {
  before(async () => {
    o = await openOrg()
  })

  const types = (recordTypes: object) => ({ Box__c: { recordTypes: recordTypes as never } })

  test('are described with the master last, and are records', async () => {
    await fetchSteps(o, types({ Big: { label: 'Big box', default: true }, Small: null }))
    const { recordTypeInfos } = await fetchDescribe('Box__c')
    assert.deepEqual(
      recordTypeInfos.map((info: Record<string, unknown>) => [
        info.developerName,
        info.name,
        info.defaultRecordTypeMapping,
        info.master,
      ]),
      [
        ['Big', 'Big box', true, false],
        ['Small', 'Small', false, false],
        ['Master', 'Master', false, true],
      ],
    )
    const records = await fetchRecords(
      o,
      "SELECT Id, DeveloperName, Name FROM RecordType WHERE SobjectType = 'Box__c'",
    )
    assert.deepEqual(
      records.map(({ Id }) => Id),
      recordTypeInfos.slice(0, 2).map((info: { recordTypeId: string }) => info.recordTypeId),
    )
  })

  test('a record that names no record type gets the default one', async () => {
    const { recordTypeInfos } = await fetchDescribe('Box__c')
    const id = await o.create('Box__c', {})
    assert.equal((await read('Box__c', id)).RecordTypeId, recordTypeInfos[0].recordTypeId)
  })

  test('keep their id when they change', async () => {
    const [big] = (await fetchDescribe('Box__c')).recordTypeInfos
    assert.deepEqual(await fetchPlan(o, types({ Big: { label: 'Huge', default: true }, Small: null })), [
      '~ Box__c: record type Big: label "Big box" → "Huge"',
    ])
    assert.equal((await fetchDescribe('Box__c')).recordTypeInfos[0].recordTypeId, big.recordTypeId)
    const [record] = await fetchRecords(o, `SELECT Name FROM RecordType WHERE Id = '${big.recordTypeId}'`)
    assert.equal(record!.Name, 'Huge')
  })

  test('stay while records are of them', async () => {
    const [said] = await fetchRefusals(o, types({ Small: null }), { allowDestructive: true })
    assert.match(said!, /1 record of the record type Big/)
    await fetchSteps(o, types({ Big: { label: 'Huge', default: true } }), { allowDestructive: true })
    assert.equal((await fetchDescribe('Box__c')).recordTypeInfos.length, 2)
  })
})

test('dependent values are described as bits of the values that control them', async () => {
  o = await openOrg()
  await fetchSteps(o, {
    Box__c: withFields({
      Land__c: { type: 'picklist', values: ['North', 'South'] },
      City__c: {
        type: 'picklist',
        controller: 'Land__c',
        values: ['Any', { value: 'Oslo', validFor: ['North'] }, { value: 'Rome', validFor: ['South'] }],
      },
    }),
  })
  const { dependentPicklist, controllerName, picklistValues } = await fetchField('Box__c', 'City__c')
  assert.deepEqual([dependentPicklist, controllerName], [true, 'Land__c'])
  assert.deepEqual(
    picklistValues.map(({ validFor }: { validFor: string }) => validFor),
    ['wA==', 'gA==', 'QA=='],
  )
})

test('a global value set fills every field that names it, and changes them together', async () => {
  o = await openOrg()
  const objects = {
    Box__c: withFields({ Land__c: { type: 'picklist', valueSet: 'Lands' } }),
    Account: withFields({ Land__c: { type: 'multipicklist', valueSet: 'Lands' } }),
  }
  await fetchSteps(o, objects, { valueSets: { Lands: { values: ['North'] } } })
  assert.deepEqual(await fetchPlan(o, objects, { valueSets: { Lands: { values: ['North', 'East'] } } }), [
    '~ Account.Land__c: values + East',
    '~ Box__c.Land__c: values + East',
  ])
  const exported = (await o.call('GET', '/setup/orgs/current/schema')).body
  assert.deepEqual(exported.valueSets, { Lands: { values: ['North', 'East'] } })
  assert.deepEqual(exported.objects.Box__c.fields.Land__c, { type: 'picklist', valueSet: 'Lands' })
})

test('a global value set keeps its label and description, and the labels of its values', async () => {
  o = await openOrg()
  const objects = {
    Box__c: withFields({ Land__c: { type: 'picklist', valueSet: 'Lands' } }),
    Account: withFields({ Industry: { valueSet: 'Lands' } }),
  }
  const set = {
    label: 'Where we are',
    description: 'All of them',
    values: ['South', { value: 'N', label: 'North' }],
  }
  await fetchSteps(o, objects, { valueSets: { Lands: set } })
  const exported = (await o.call('GET', '/setup/orgs/current/schema')).body
  assert.deepEqual(exported.valueSets, { Lands: set })
  assert.deepEqual(exported.objects.Box__c.fields.Land__c, { type: 'picklist', valueSet: 'Lands' })
  assert.deepEqual(exported.objects.Account.fields.Industry, { valueSet: 'Lands' })
  assert.deepEqual(await fetchPlan(o, objects, { valueSets: { Lands: set } }), [])
  const { description: _, ...bare } = set
  await fetchSteps(o, objects, { valueSets: { Lands: bare } })
  assert.deepEqual((await o.call('GET', '/setup/orgs/current/schema')).body.valueSets, { Lands: bare })
})
