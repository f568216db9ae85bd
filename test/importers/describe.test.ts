import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { readDefinitions } from '../../src/definitions/files/read-definitions.ts'
import type { DefinitionFiles } from '../../src/definitions/formats/object-file.ts'
import { type DescribedObject, readDescribes } from '../../src/importers/describe/described-object.ts'
import { findDescribes } from '../../src/importers/describe/find-describes.ts'
import { importDescribes } from '../../src/importers/describe/import-describes.ts'
import type { Note } from '../../src/importers/note.ts'
import { NotePad } from '../../src/importers/notes.ts'
import { describeObjects } from '../support/described.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { runs } from '../support/runs.ts'
import { SPECIMEN, TICKET } from '../support/specimen-schema.ts'

/** Fields that the specimens have not: dependent values, masters, record types, owners, keys of a standard object. */
const MORE: DefinitionFiles = {
  objects: {
    Account: { fields: { Tier__c: { type: 'picklist', values: ['Gold', 'Silver'] } } },
    Contact: {
      fields: {
        Badge__c: { type: 'string', length: 12, unique: true, externalId: true, help: 'On the card.' },
      },
    },
    Garden__c: {
      labelPlural: 'All the Gardens',
      activities: true,
      queueable: true,
      recordTypes: { Kitchen: null, Rose: { label: 'Rosarium', inactive: true } },
      fields: {
        Name: { type: 'autonumber', label: 'Garden Number' },
        Open__c: { type: 'boolean', default: true },
        Soil__c: {
          type: 'picklist',
          restricted: true,
          values: ['Clay', { value: 'Sand', default: true }, 'Loam'],
        },
        Crop__c: {
          type: 'picklist',
          controller: 'Soil__c',
          values: [
            { value: 'Rye', validFor: ['Sand'] },
            { value: 'Wheat', validFor: ['Clay', 'Loam'] },
            'Oats',
            { value: 'Rice', validFor: [] },
          ],
        },
        Gate__c: {
          type: 'multipicklist',
          precision: 6,
          controller: 'Open__c',
          values: [{ value: 'North', validFor: ['true'] }, 'South'],
        },
        Tag__c: { type: 'string', idLookup: true, default: 'none' },
        Fixed__c: { type: 'string', updateable: false },
        Twin__c: {
          type: 'reference',
          to: 'Garden__c',
          relationship: 'Sister__r',
          children: 'Twins__r',
          onDelete: 'cascade',
        },
        Score__c: { type: 'percent', precision: 5, scale: 1, default: 50 },
      },
    },
    Lot__c: { ownerless: true, searchable: false, deletable: false },
    Plant__c: {
      fields: {
        Garden__c: {
          type: 'reference',
          to: 'Garden__c',
          children: 'Plants__r',
          masterDetail: 0,
          reparentable: true,
        },
        Sponsor__c: { type: 'reference', to: 'Account', children: 'Plants__r', masterDetail: 1 },
      },
    },
  },
  valueSets: {},
}

let org: TestOrg
let described: DescribedObject[]

/** The describes of an org as files would hold them. */
const asRead = (objects: readonly object[]) => readDescribes('org.json', JSON.stringify(objects))

before(async () => {
  org = await openOrg()
  const { objects, problems } = readDefinitions(MORE)
  assert.deepEqual(problems, [])
  await org.deploy([...objects, SPECIMEN, TICKET])
  described = asRead(await describeObjects(org))
})

const lines = (notes: readonly Note[]) =>
  notes.map(({ kind, location, what }) => `${kind}: ${location}: ${what}`)

test('describes of an org, imported into an empty one, are the describes of that one', async () => {
  const { files, notes } = importDescribes(described)
  const { objects, problems } = readDefinitions(files)
  assert.deepEqual(problems, [])
  const empty = await openOrg()
  await empty.deploy(objects)
  const [before, again] = [await describeObjects(org), await describeObjects(empty)]
  for (const [at, object] of before.entries()) assert.deepEqual(again[at], object, String(object.name))
  assert.equal(again.length, before.length)
  assert.deepEqual(
    notes.filter(({ kind }) => kind === 'difference' || kind === 'refused'),
    [],
  )
})

test('an org that adds nothing gives no files', async () => {
  const { files, notes } = importDescribes(asRead(await describeObjects(await openOrg())))
  assert.deepEqual(files, { objects: {}, valueSets: {} })
  assert.deepEqual(lines(notes), [
    'unsaid: every object: sharing, descriptions, indexes and global value sets',
  ])
})

test('what a describe does not say is noted', () => {
  const { notes } = importDescribes(described)
  assert.deepEqual(lines(notes).sort(), [
    'access: Garden__c.Fixed__c: not everything may be written, perhaps by who asked only',
    'autonumber: Garden__c.Name: a describe does not say its format: {0}',
    'autonumber: Specimen__c.Number__c: a describe does not say its format: {0}',
    'autonumber: Ticket__c.Name: a describe does not say its format: {0}',
    'unsaid: Garden__c: which values a record type offers',
    'unsaid: every object: sharing, descriptions, indexes and global value sets',
  ])
})

test('the way down has no name when its end is not described', () => {
  const plant = described.filter(({ name }) => name === 'Plant__c')
  const { files, notes } = importDescribes(plant)
  const { Garden__c, Sponsor__c } = files.objects.Plant__c!.fields!
  assert.equal(Garden__c!.type, 'string')
  assert.equal(Sponsor__c!.children, undefined)
  assert.ok(lines(notes).includes('reference: Plant__c.Garden__c: to Garden__c: a text of 18 characters now'))
  assert.ok(
    lines(notes).some((line) =>
      line.endsWith('name of the way down to it by Sponsor__c: Account is not described'),
    ),
  )
})

/** Garden's describe with changes in one of its fields. */
function withField(name: string, change: object, more: object = {}): DescribedObject[] {
  const fixture = structuredClone(described.find((object) => object.name === 'Garden__c')!.whole)
  Object.assign(fixture.fields.find((field) => field.name === name)!, change)
  return asRead([{ ...fixture, ...more }])
}

describe('what another service describes', () => {
  const cases: [string, object, RegExp, object?][] = [
    [
      'a formula becomes a stored field',
      { calculated: true, calculatedFormula: 'A +\n B', createable: false, updateable: false },
      /^formula: Garden__c\.Tag__c: A \+ B$/,
    ],
    [
      'a roll-up becomes a stored field',
      { calculated: true, type: 'double', precision: 18, scale: 0 },
      /^rollUp: Garden__c\.Tag__c: /,
    ],
    [
      'a type that is none here becomes a text',
      { type: 'complexvalue', length: 4000 },
      /^type: Garden__c\.Tag__c: complexvalue/,
    ],
    [
      'a default that is a formula is noted',
      { defaultValueFormula: 'TODAY()' },
      /^default: Garden__c\.Tag__c: TODAY\(\)$/,
    ],
    [
      'what a describe will say otherwise is noted',
      { mask: '#', filteredLookupInfo: { dependent: false } },
      /^difference: Garden__c: filteredLookupInfo of Tag__c; mask of Tag__c$/,
    ],
    [
      'a required reference is kept by its target',
      { type: 'reference', referenceTo: ['Account'], nillable: false },
      /^required: Garden__c\.Tag__c: onDelete: restrict$/,
    ],
    [
      'a standard field that is not here is noted',
      { name: 'CurrencyIsoCode' },
      /^standardField: Garden__c: CurrencyIsoCode$/,
    ],
    [
      'a custom setting is not imported',
      {},
      /^object: Garden__c: a custom setting, with \d+ fields of its own$/,
      { customSetting: true },
    ],
    [
      'a standard object that is not here is not imported',
      {},
      /^object: Solution: a standard object/,
      { name: 'Solution' },
    ],
    [
      'an object of another kind is not imported',
      {},
      /^object: Rule__mdt: an object of another kind/,
      { name: 'Rule__mdt' },
    ],
    [
      'ways down to what is not here are counted',
      {},
      /^component: Garden__c: childRelationships to what is not here \(2\)$/,
      {
        childRelationships: ['Garden__History', 'Garden__Share'].map((childSObject) => ({
          childSObject,
          field: 'ParentId',
          relationshipName: null,
        })),
      },
    ],
    [
      'a name that is no name is left out',
      {},
      /^refused: \.\.\/x__c: the whole: "\.\.\/x__c" is no name/,
      { name: '../x__c' },
    ],
  ]
  for (const [name, field, line, object] of cases) {
    test(name, () => {
      const { files, notes } = importDescribes(withField('Tag__c', field, object))
      assert.deepEqual(readDefinitions(files).problems, [])
      assert.ok(
        lines(notes).some((text) => line.test(text)),
        lines(notes).join('\n'),
      )
    })
  }
})

test('a name keeps the prefix of its package', () => {
  const { files, notes } = importDescribes(withField('Tag__c', { name: 'ns__Tag__c' }))
  assert.ok('ns__Tag__c' in files.objects.Garden__c!.fields!)
  assert.deepEqual(
    notes.filter(({ kind }) => kind === 'name'),
    [],
  )
})

test('whatever describes say, what is imported can be deployed', () => {
  const texts = fc.constantFrom(
    '',
    'Account',
    'toString',
    '__proto__',
    'reference',
    'address',
    'x'.repeat(300),
    'a__b__c',
  )
  const change = fc.record({
    object: fc.nat(),
    field: fc.nat(),
    key: fc.nat(),
    text: texts,
    number: fc.constantFrom(-1, 0, 0.5, 3, 1e9),
  })
  fc.assert(
    fc.property(fc.array(change, { minLength: 5, maxLength: 60 }), (changes) => {
      const made = described.map(({ whole }) => structuredClone(whole))
      for (const { object, field, key, text, number } of changes) {
        const { fields } = made[object % made.length]!
        const changed = fields[field % fields.length]!
        const keys = Object.keys(changed).filter((name) => typeof changed[name] !== 'object')
        const name = keys[key % keys.length]!
        const value = changed[name]
        if (typeof value === 'boolean') changed[name] = !value
        else changed[name] = typeof value === 'number' ? number : text
      }
      assert.deepEqual(readDefinitions(importDescribes(asRead(made)).files).problems, [])
    }),
    { numRuns: runs(8) },
  )
})

test('a standard object says what differs from ours', () => {
  const account = structuredClone(described.find(({ name }) => name === 'Account')!.whole)
  const change = (name: string, changes: object) =>
    Object.assign(account.fields.find((field) => field.name === name)!, changes)
  change('Industry', {
    inlineHelpText: 'What they do.',
    picklistValues: [{ active: true, defaultValue: false, label: 'Mines', validFor: null, value: 'Mining' }],
  })
  change('Site', { label: 'Branch', nillable: false })
  change('Sic', { length: 99 })
  change('ParentId', { label: 'Mother' })
  const { files, notes } = importDescribes(asRead([{ ...account, label: 'Customer' }]))
  assert.deepEqual(files.objects.Account, {
    label: 'Customer',
    fields: {
      Industry: { help: 'What they do.', values: [{ value: 'Mining', label: 'Mines' }] },
      ParentId: { label: 'Mother' },
      Site: { label: 'Branch', required: true },
      Tier__c: { type: 'picklist', values: ['Gold', 'Silver'] },
    },
  })
  assert.ok(lines(notes).some((line) => /^difference: Account: .*length of Sic/.test(line)))
})

describe('a file of describes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'objectry-describes-'))
  after(() => rmSync(folder, { recursive: true }))
  const save = (name: string, content: unknown) => {
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
    return join(folder, name)
  }
  const body = {
    name: 'A__c',
    label: 'A',
    labelPlural: 'As',
    fields: [{ name: 'Name', label: 'N', type: 'string' }],
  }

  test('holds one, several, or what the sf command prints', () => {
    const found = (content: unknown) =>
      findDescribes(save('one.json', content), new NotePad()).map(({ name }) => name)
    assert.deepEqual(found(body), ['A__c'])
    assert.deepEqual(found([body, { ...body, name: 'B__c' }]), ['A__c', 'B__c'])
    assert.deepEqual(found({ status: 0, result: body, warnings: [] }), ['A__c'])
  })

  test('is one of a folder, of which the others are noted', () => {
    save('two.json', { sobjects: [] })
    const pad = new NotePad()
    assert.equal(findDescribes(folder, pad).length, 1)
    assert.deepEqual(lines(pad.notes), [`file: ${join(folder, 'two.json')}: has no describe of an object`])
  })

  test('is refused when it is none', () => {
    assert.throws(() => findDescribes(save('bad.json', '{'), new NotePad()), /bad\.json is not valid JSON/)
    assert.throws(
      () => findDescribes(save('bad.json', {}), new NotePad()),
      /has no describe of an object: save the answer/,
    )
    const wrong = { ...body, fields: [{ name: 'Name', label: 'N', type: 7 }] }
    assert.throws(
      () => findDescribes(save('bad.json', wrong), new NotePad()),
      /bad\.json is not a describe: fields\.0\.type/,
    )
    rmSync(join(folder, 'bad.json'))
  })
})
