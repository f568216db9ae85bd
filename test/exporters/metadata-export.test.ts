import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { drain } from '../../src/base/run-in-slices.ts'
import type { DefinitionFiles } from '../../src/definitions/formats/object-file.ts'
import { exportMetadataFormat } from '../../src/exporters/metadata-format/export-metadata-format.ts'
import type { TypeMembers } from '../../src/exporters/metadata-format/type-members.ts'
import { importSourceFormat } from '../../src/importers/source-format/import-source-format.ts'

/* Definition files in metadata format: what a manifest asks for is what is written. */

const DEFINITIONS: DefinitionFiles = {
  objects: {
    Trip__c: {
      fields: {
        Start__c: { type: 'date' },
        Cost__c: { type: 'currency', precision: 12, scale: 2 },
      },
      recordTypes: { Business: {}, Leisure: {} },
      validations: { Cheap: { condition: 'Cost__c > 9', message: 'Too dear' } },
      channels: { Partner__chn: [] },
    },
    Stop__c: { fields: { Nights__c: { type: 'int' } } },
    Region__mdt: { records: { North: { values: {} }, South: { values: {} } } },
    Label__mdt: {
      fields: { Text__c: { type: 'string', length: 255 } },
      records: { Hello: { values: { Text__c: 'Hi' } }, Bye: { values: { Text__c: 'So long' } } },
    },
    Account: { fields: { Tier__c: { type: 'boolean' }, Industry: { values: ['Travel'] } } },
    Contact: { label: 'Guest' },
  },
  valueSets: { Kinds: { values: ['A'] } },
  permissionSets: { Planning: {}, 'Read / only': {} },
  profiles: { Sales: {} },
  settings: { Company: { fiscalYear: { startMonth: 4 } } },
}

const write = (wanted?: readonly TypeMembers[]) => drain(exportMetadataFormat(DEFINITIONS, wanted))

/** Writes `{ CustomObject: ['Trip__c'] }`. */
const ask = (wanted: Readonly<Record<string, readonly string[]>>) =>
  write(Object.entries(wanted).map(([type, members]) => ({ type, members })))

/** The paths of files, each with what stands inside. */
const inside = ({ files }: ReturnType<typeof write>) =>
  Object.fromEntries(
    files.map(({ path, children }) => [path, children.map(({ type, fullName }) => `${type} ${fullName}`)]),
  )

const TRIP = [
  'RecordType Trip__c.Business',
  'ValidationRule Trip__c.Cheap',
  'CustomField Trip__c.Cost__c',
  'RecordType Trip__c.Leisure',
  'CustomField Trip__c.Start__c',
]

const ACCOUNT = ['CustomField Account.Industry', 'CustomField Account.Tier__c']

test('every component has a file, and what stands in it is listed', () => {
  assert.deepEqual(inside(write()), {
    'objects/Trip__c.object': TRIP,
    'objects/Stop__c.object': ['CustomField Stop__c.Nights__c'],
    'objects/Region__mdt.object': [],
    'customMetadata/Region.North.md': [],
    'customMetadata/Region.South.md': [],
    'labels/CustomLabels.labels': ['CustomLabel Bye', 'CustomLabel Hello'],
    'objects/Account.object': ACCOUNT,
    'objects/Contact.object': [],
    'globalValueSets/Kinds.globalValueSet': [],
    'permissionsets/Planning.permissionset': [],
    'permissionsets/Read %2F only.permissionset': [],
    'profiles/Sales.profile': [],
    'platformEventChannelMembers/Partner_Trip__ChangeEvent.platformEventChannelMember': [],
    'platformEventChannels/Partner__chn.platformEventChannel': [],
    'settings/Company.settings': [],
  })
})

test('a manifest of everything gives everything', () => {
  const all = write()
  const again = write(all.members)
  assert.deepEqual(again, all)
})

describe('a manifest', () => {
  test('gives all of a type for *, of objects the own ones', () => {
    const { messages, ...given } = ask({ CustomObject: ['*'], CustomMetadata: ['*'], CustomLabels: ['*'] })
    assert.deepEqual(messages, [])
    assert.deepEqual(Object.keys(inside({ messages, ...given })), [
      'objects/Trip__c.object',
      'objects/Stop__c.object',
      'objects/Region__mdt.object',
      'customMetadata/Region.North.md',
      'customMetadata/Region.South.md',
      'labels/CustomLabels.labels',
    ])
  })

  test('gives a standard object that it names, with what the org has of it, which may be nothing', () => {
    const given = ask({ CustomObject: ['Account', 'Contact', 'Lead'] })
    assert.deepEqual(given.messages, [])
    assert.deepEqual(inside(given), {
      'objects/Account.object': ACCOUNT,
      'objects/Contact.object': [],
      'objects/Lead.object': [],
    })
    assert.deepEqual(given.members, [
      { type: 'CustomField', members: ['Account.Industry', 'Account.Tier__c'] },
      { type: 'CustomObject', members: ['Account', 'Contact', 'Lead'] },
    ])
    const read = importSourceFormat(given.files)
    assert.deepEqual(Object.keys(read.files.objects), ['Account', 'Contact'])
  })

  test('gives the fields that it names alone, in the file of their object, and nothing else of it', () => {
    const given = ask({
      CustomField: ['Trip__c.Cost__c', 'Account.Tier__c'],
      ValidationRule: ['Trip__c.Cheap'],
    })
    assert.deepEqual(given.messages, [])
    assert.deepEqual(inside(given), {
      'objects/Trip__c.object': ['ValidationRule Trip__c.Cheap', 'CustomField Trip__c.Cost__c'],
      'objects/Account.object': ['CustomField Account.Tier__c'],
    })
    const [trip] = given.files
    assert.deepEqual(trip!.text.match(/(?<=^ {4}<)\w+/gm), ['fields', 'validationRules'])
    assert.deepEqual(given.members, [
      { type: 'CustomField', members: ['Account.Tier__c', 'Trip__c.Cost__c'] },
      { type: 'ValidationRule', members: ['Trip__c.Cheap'] },
    ])
  })

  test('gives an object in whole that it names beside some of its fields', () => {
    const given = ask({ CustomField: ['Trip__c.Cost__c'], CustomObject: ['Trip__c'] })
    assert.deepEqual(inside(given), { 'objects/Trip__c.object': TRIP })
    assert.match(given.files[0]!.text, /<label>Trip<\/label>/)
  })

  test('gives all parts of a type for *, of standard objects too', () => {
    assert.deepEqual(inside(ask({ CustomField: ['*'] })), {
      'objects/Trip__c.object': ['CustomField Trip__c.Cost__c', 'CustomField Trip__c.Start__c'],
      'objects/Stop__c.object': ['CustomField Stop__c.Nights__c'],
      'objects/Account.object': ACCOUNT,
    })
    assert.deepEqual(inside(ask({ CustomLabel: ['Bye'] })), {
      'labels/CustomLabels.labels': ['CustomLabel Bye'],
    })
  })

  test('gives a sentence for each member and type that is not there, once', () => {
    const given = write([
      { type: 'CustomObject', members: ['Nope__c', 'Trip__c', 'Nope__c', 'Nothing', 'lead'] },
      { type: 'CustomField', members: ['Trip__c.Nope__c', 'Cost__c'] },
      { type: 'Foo', members: ['*', 'Bar'] },
      { type: 'toString', members: ['valueOf'] },
      { type: 'ListView', members: ['*', 'Trip__c.All'] },
      { type: 'Foo', members: ['*'] },
      { type: 'CustomObject', members: ['Nope__c', '__proto__'] },
    ])
    assert.deepEqual(given.messages, [
      "Entity of type 'CustomObject' named 'Nope__c' cannot be found",
      "Entity of type 'CustomObject' named 'Nothing' cannot be found",
      "Entity of type 'CustomObject' named 'lead' cannot be found",
      "Entity of type 'CustomObject' named '__proto__' cannot be found",
      "Entity of type 'CustomField' named 'Trip__c.Nope__c' cannot be found",
      "Entity of type 'CustomField' named 'Cost__c' cannot be found",
      "Unknown type name 'Foo' specified in package.xml",
      "Unknown type name 'toString' specified in package.xml",
      "Entity of type 'ListView' named 'Trip__c.All' cannot be found",
    ])
    assert.deepEqual(inside(given), { 'objects/Trip__c.object': TRIP })
  })
})
