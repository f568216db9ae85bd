import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { readDefinitions } from '../../src/definitions/files/read-definitions.ts'
import type { DefinitionFiles, ObjectFile } from '../../src/definitions/formats/object-file.ts'
import { exportSourceFormat } from '../../src/exporters/source-format/export-source-format.ts'
import { importSourceFormat } from '../../src/importers/source-format/import-source-format.ts'
import { findSourceFiles } from '../../src/importers/source-format/project/find-source-files.ts'

/* Definition files in source format: what is exported is imported as it was. */

const toSources = (files: ReadonlyMap<string, string>) => [...files].map(([path, text]) => ({ path, text }))

/** As a new org would have them. */
const read = (files: DefinitionFiles) => {
  const { objects, problems } = readDefinitions(files)
  assert.deepEqual(problems, [])
  return objects.filter(({ name }) => Object.hasOwn(files.objects, name))
}

/** Returns a file without the parts that the format has no place for. */
function withoutLost({ indexes: _, ...file }: ObjectFile): ObjectFile {
  const types = Object.entries(file.recordTypes ?? {}).map(([name, type]) => {
    const { default: __, ...rest } = type ?? {}
    return [name, rest] as const
  })
  return { ...file, ...(types.length > 0 && { recordTypes: Object.fromEntries(types) }) }
}

test('a project that is imported, exported and imported again is the same', () => {
  const project = join(import.meta.dirname, '../importers/source-project')
  const { files: first } = importSourceFormat(findSourceFiles(project))
  const exported = exportSourceFormat(first)
  assert.ok(exported.files.has('globalValueSets/Phases.globalValueSet-meta.xml'))
  const { files: second } = importSourceFormat(toSources(exported.files))
  const expected = Object.fromEntries(
    Object.entries(first.objects).map(([name, file]) => [name, withoutLost(file ?? {})]),
  )
  assert.deepEqual(read(second), read({ ...first, objects: expected }))
  assert.deepEqual(second.permissionSets, first.permissionSets)
  assert.deepEqual(second.profiles, first.profiles)
  assert.deepEqual(second.settings, first.settings)
})

describe('the filter of a roll-up', () => {
  const exportWith = (filter: string) =>
    exportSourceFormat({
      objects: {
        Order__c: {
          fields: {
            Count__c: {
              type: 'double',
              precision: 18,
              scale: 0,
              rollUp: { object: 'Line__c', reference: 'Order__c', function: 'count', filter },
            },
          },
        },
        Line__c: {
          fields: {
            Order__c: { type: 'reference', to: 'Order__c', masterDetail: 0, children: 'Lines__r' },
            Amount__c: { type: 'currency' },
            Tax__c: { type: 'currency' },
            Share__c: { type: 'percent' },
            At__c: { type: 'datetime' },
            Hour__c: { type: 'time' },
            Day__c: { type: 'date' },
            Open__c: { type: 'boolean' },
            Code__c: { type: 'string' },
            Stage__c: { type: 'picklist', values: ['A', 'B', 'C, D'] },
            Kinds__c: { type: 'multipicklist', values: ['x', 'y'] },
          },
          recordTypes: {
            Big: { label: 'Very big, "or so"' },
            Small_One: {},
            Twin: { label: 'Same' },
            Other_Twin: { label: 'same' },
          },
        },
      },
      valueSets: {},
    })

  for (const filter of [
    'Amount__c > 5.5',
    'Amount__c <= Tax__c && Open__c = TRUE',
    'Day__c >= DATE(2026, 1, 31) && Code__c = "a \\"b\\""',
    'OR(ISPICKVAL(Stage__c, "A"), ISPICKVAL(Stage__c, "B"))',
    'NOT(ISPICKVAL(Stage__c, "A")) && ISBLANK(Code__c)',
    'NOT(OR(Code__c = "a", Code__c = "b"))',
    'CONTAINS(Code__c, "x") && NOT(CONTAINS(TEXT(Stage__c), "y")) && BEGINS(Code__c, "z")',
    'INCLUDES(Kinds__c, "x")',
    'OR(ISPICKVAL(Stage__c, "A"), ISPICKVAL(Stage__c, "C, D"))',
    'Code__c = "a,b"',
    'Share__c > 0.50 && Share__c = 0.07125 && Share__c < 12.50',
    'At__c > DATETIMEVALUE("2026-01-02 03:04:05") && Hour__c = TIMEVALUE("10:00:00.000")',
    'RecordType.DeveloperName = "Big"',
    'NOT(RecordType.DeveloperName = "Small_One") && Amount__c > 5',
    'OR(RecordType.DeveloperName = "Big", RecordType.DeveloperName = "Small_One")',
    'NOT(OR(RecordType.DeveloperName = "Twin", RecordType.DeveloperName = "Other_Twin"))',
    'ISBLANK(RecordType.DeveloperName)',
    'NOT(ISBLANK(RecordType.DeveloperName))',
  ]) {
    test(`is written as conditions: ${filter}`, () => {
      const { files, notes } = exportWith(filter)
      assert.deepEqual(notes, [])
      const { files: again, notes: said } = importSourceFormat(toSources(files))
      assert.deepEqual(
        said.filter(({ kind }) => kind !== 'recordType'),
        [],
      )
      assert.equal(again.objects.Order__c!.fields!.Count__c!.rollUp!.filter, filter)
    })
  }

  test('names record types by their labels', () => {
    const { files } = exportWith(
      'OR(RecordType.DeveloperName = "Big", RecordType.DeveloperName = "Small_One")',
    )
    assert.match(
      files.get('objects/Order__c/fields/Count__c.field-meta.xml')!,
      /<field>Line__c\.RecordTypeId<\/field>\s*<operation>equals<\/operation>\s*<value>(&quot;|")Very big, (&quot;|"){2}or so(&quot;|"){3},Small One<\/value>/,
    )
  })

  for (const filter of [
    'Amount__c + 1 > 5',
    'OR(Amount__c > 1, Open__c)',
    'NOT(Amount__c > 1)',
    'RecordType.DeveloperName = "Twin"',
    'RecordType.DeveloperName = "Unknown"',
    'CONTAINS(RecordType.DeveloperName, "Big")',
    'Code__c = RecordType.DeveloperName',
    'RecordType.DeveloperName > "Big"',
  ]) {
    test(`has no conditions, which is noted: ${filter}`, () => {
      const { files, notes } = exportWith(filter)
      assert.deepEqual(notes, [`Order__c.Count__c: its filter has no conditions in this format: ${filter}`])
      assert.doesNotMatch(files.get('objects/Order__c/fields/Count__c.field-meta.xml')!, /summary/)
    })
  }
})

test('a platform event is written with its behaviour, and read as it was', () => {
  const field = (more: object) => `<CustomField xmlns="http://soap.sforce.com/2006/04/metadata">
    <externalId>false</externalId><isFilteringDisabled>false</isFilteringDisabled>
    <isNameField>false</isNameField><isSortingDisabled>false</isSortingDisabled>
    ${Object.entries(more)
      .map(([name, value]) => `<${name}>${value}</${name}>`)
      .join('')}</CustomField>`
  const event = (name: string, behaviour: string) => ({
    path: `objects/${name}/${name}.object-meta.xml`,
    text: `<CustomObject xmlns="http://soap.sforce.com/2006/04/metadata">
      <deploymentStatus>Deployed</deploymentStatus><eventType>HighVolume</eventType>
      <label>Order was placed</label><pluralLabel>Orders were placed</pluralLabel>
      <publishBehavior>${behaviour}</publishBehavior></CustomObject>`,
  })
  const first = importSourceFormat([
    event('Order_Placed__e', 'PublishAfterCommit'),
    event('Audit__e', 'PublishImmediately'),
    {
      path: 'objects/Order_Placed__e/fields/Number__c.field-meta.xml',
      text: field({
        fullName: 'Number__c',
        label: 'Number',
        length: 10,
        required: true,
        type: 'Text',
        unique: false,
      }),
    },
    {
      path: 'objects/Order_Placed__e/fields/Note__c.field-meta.xml',
      text: field({
        fullName: 'Note__c',
        label: 'Note',
        length: 5000,
        type: 'LongTextArea',
        visibleLines: 3,
      }),
    },
    {
      path: 'objects/Order_Placed__e/fields/Kind__c.field-meta.xml',
      text: field({ fullName: 'Kind__c', label: 'Kind', type: 'Email' }),
    },
  ])
  const texts = { label: 'Order was placed', labelPlural: 'Orders were placed' }
  assert.deepEqual(first.files.objects, {
    Audit__e: { ...texts, publish: 'immediately', fields: {} },
    Order_Placed__e: {
      ...texts,
      fields: {
        Number__c: { type: 'string', length: 10, required: true },
        Note__c: { type: 'longtextarea', length: 5000 },
      },
    },
  })
  assert.deepEqual(
    first.notes.map(({ location, what }) => `${location}: ${what}`),
    [
      'Order_Placed__e.Kind__c: the field: a platform event has no email; there are string, textarea, longtextarea, boolean, int, double, date, datetime',
      'Order_Placed__e: visibleLines',
    ],
  )
  const exported = exportSourceFormat(first.files)
  assert.deepEqual(exported.notes, [])
  assert.match(
    exported.files.get('objects/Audit__e/Audit__e.object-meta.xml')!,
    /<eventType>HighVolume<\/eventType>[\s\S]*<publishBehavior>PublishImmediately</,
  )
  assert.match(
    exported.files.get('objects/Order_Placed__e/Order_Placed__e.object-meta.xml')!,
    /<publishBehavior>PublishAfterCommit</,
  )
  assert.deepEqual(importSourceFormat(toSources(exported.files)).files.objects, first.files.objects)
})

test('what a project says in one way only is written as it says it', () => {
  const files: DefinitionFiles = {
    valueSets: {},
    objects: {
      Limits__c: { label: 'Limits', setting: 'list', fields: { Max__c: { type: 'double' } } },
      Grade__c: {
        fields: { Level__c: { type: 'picklist', values: ['High School', 'Pre-K/Preschool'] } },
        recordTypes: { Early: { picklists: { Level__c: ['High School', 'Pre-K/Preschool'] } } },
      },
      Rate__mdt: { fields: { Country__c: { type: 'reference', to: 'Country__mdt' } } },
      Country__mdt: {},
      Task: { fields: { Rank__c: { type: 'string', length: 9 }, Own__c: { type: 'boolean' } } },
      Event: { fields: { Rank__c: { type: 'string', length: 9 } } },
      Label__mdt: {
        label: 'Label',
        fields: { Text__c: { type: 'string', length: 255 } },
        records: { Some_text: { values: { Text__c: 'A' } } },
      },
    },
  }
  const { files: written } = exportSourceFormat(files)
  const text = (path: string) => written.get(path) ?? assert.fail(`${path} of ${[...written.keys()]}`)
  assert.doesNotMatch(text('objects/Limits__c/Limits__c.object-meta.xml'), /pluralLabel/)
  const type = text('objects/Grade__c/recordTypes/Early.recordType-meta.xml')
  assert.match(type, /<fullName>High School<.*<fullName>Pre-K%2FPreschool</s)
  assert.match(text('objects/Rate__mdt/fields/Country__c.field-meta.xml'), /<type>MetadataRelationship</)
  assert.match(text('objects/Activity/fields/Rank__c.field-meta.xml'), /<length>9</)
  assert.ok(written.has('objects/Task/fields/Own__c.field-meta.xml'))
  assert.ok(!written.has('objects/Task/fields/Rank__c.field-meta.xml'))
  assert.match(text('labels/CustomLabels.labels-meta.xml'), /<shortDescription>Some text</)
  const { files: again } = importSourceFormat(toSources(written))
  const byName = (definitions: DefinitionFiles) => new Map(read(definitions).map((one) => [one.name, one]))
  assert.deepEqual(byName(again), byName(files))
})
