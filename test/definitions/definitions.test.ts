import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import { loadDefinitions } from '../../src/definitions/files/load-definitions.ts'
import { readDefinitions } from '../../src/definitions/files/read-definitions.ts'
import { saveDefinitions } from '../../src/definitions/files/save-definitions.ts'
import { writeDefinitions } from '../../src/definitions/files/write-definitions.ts'
import { EDITOR_SCHEMAS } from '../../src/definitions/formats/editor-schema.ts'
import { FILE_FIELD_TYPES } from '../../src/definitions/formats/field-file.ts'
import type { ObjectDefinition } from '../../src/schema/definitions/definition.ts'
import { STANDARD_OBJECTS } from '../../src/standard/standard-objects.ts'
import { definitionFiles } from '../support/arbitrary-schema.ts'
import { runs } from '../support/runs.ts'

const folders: string[] = []

function folder(files: Readonly<Record<string, string>> = {}): string {
  const path = mkdtempSync(join(tmpdir(), 'objectry-definitions-'))
  folders.push(path)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true })
    writeFileSync(join(path, name), text)
  }
  return path
}

after(() => {
  for (const path of folders) rmSync(path, { recursive: true })
})

/** Returns the problems of a deployment, a line each. */
function findProblems(files: Readonly<Record<string, string>>): string[] {
  try {
    loadDefinitions(folder(files))
  } catch (error) {
    return (error as Error).message.split('\n')
  }
  return []
}

const byName = (objects: readonly ObjectDefinition[]) =>
  [...objects].sort((a, b) => (a.name < b.name ? -1 : 1))

test('definition files that are read, written as YAML and read again say the same', () => {
  fc.assert(
    fc.property(definitionFiles, (files) => {
      const { objects } = readDefinitions(files)
      const path = folder()
      saveDefinitions(path, writeDefinitions(objects))
      assert.deepEqual(byName(loadDefinitions(path).objects), byName(objects))
    }),
    { numRuns: runs(60) },
  )
})

test('the standard objects alone need no file', () => {
  assert.deepEqual(writeDefinitions(STANDARD_OBJECTS), { objects: {}, valueSets: {} })
  assert.deepEqual(readDefinitions({ objects: {}, valueSets: {} }).objects, STANDARD_OBJECTS)
})

describe('a problem is told with its file, line and column, and what was probably meant:', () => {
  const inField = (text: string) => ({ 'objects/Box__c.yaml': `fields:\n  A__c: ${text}\n` })
  const cases: readonly (readonly [
    string,
    Readonly<Record<string, string>>,
    readonly (string | RegExp)[],
  ])[] = [
    [
      'a property of an object',
      { 'objects/Box__c.yaml': 'lable: x' },
      ['objects/Box__c.yaml:1:1 lable: "lable" means nothing for an object; did you mean label?'],
    ],
    [
      'a property of a field',
      inField('{ type: boolean, length: 3 }'),
      ['objects/Box__c.yaml:2:26 fields.A__c.length: "length" means nothing for a boolean'],
    ],
    [
      'a value of a record',
      {
        'objects/Rule__mdt.yaml':
          'fields:\n  A__c: { type: double }\n  B__c: { type: string }\nrecords:\n  One:\n    values: { A__c: much, B__c: 1 }\n',
      },
      [
        'objects/Rule__mdt.yaml:6:15 records.One.values.A__c: "much" is not a valid double',
        'objects/Rule__mdt.yaml:6:27 records.One.values.B__c: must be a text, not 1: write it in quotes',
      ],
    ],
    [
      'a type',
      inField('{ type: strng }'),
      [/^objects\/Box__c\.yaml:2:11 fields\.A__c\.type: "strng" is no type of field; did you mean string\?/],
    ],
    [
      'no type',
      inField('{ label: x }'),
      [/^objects\/Box__c\.yaml:2:3 fields\.A__c: has no type; write one: type: string/],
    ],
    ['an empty field', inField(''), [/has no type/]],
    [
      'a value of a wrong kind',
      inField('{ type: string, required: yes }'),
      ['objects/Box__c.yaml:2:25 fields.A__c.required: must be true or false, not "yes"'],
    ],
    [
      'a number that is too large',
      inField('{ type: string, length: 300 }'),
      [/length: must be at most 255, not 300/],
    ],
    [
      'a word that is none of those',
      inField('{ type: reference, to: Account, onDelete: cascad }'),
      [/onDelete: must be clear or cascade or restrict, not "cascad"; did you mean cascade\?/],
    ],
    [
      'a value that YAML takes for a number',
      inField('{ type: picklist, values: [1] }'),
      [/values\.0: must be a text, not 1: write it in quotes/],
    ],
    [
      'a target that is not there',
      inField('{ type: reference, to: Acount }'),
      [/:2:28 fields\.A__c\.to: there is no object Acount; did you mean Account\?/],
    ],
    ['no target', inField('{ type: reference }'), [/fields\.A__c\.to: is missing/]],
    [
      'a required reference that would be cleared',
      inField('{ type: reference, to: Account, required: true }'),
      [/write onDelete: cascade or onDelete: restrict/],
    ],
    [
      'an object that is its own master',
      inField('{ type: reference, to: Box__c, masterDetail: 0 }'),
      [/Box__c would be a detail of itself/],
    ],
    [
      'a second master without a first',
      inField('{ type: reference, to: Account, masterDetail: 1 }'),
      [/there is no first master/],
    ],
    [
      'a master of several objects',
      inField('{ type: reference, to: [Account, Contact], masterDetail: 0 }'),
      [/a master is one object/],
    ],
    [
      'a detail that is cleared',
      inField('{ type: reference, to: Account, masterDetail: 0, onDelete: clear }'),
      [/a detail goes with its master/],
    ],
    [
      'children of a name that is taken',
      inField('{ type: reference, to: Account, children: Contacts }'),
      [/Account has children Contacts already: those of Contact\.AccountId/],
    ],
    [
      'a custom name without its ending',
      { 'objects/Box__c.yaml': 'fields:\n  Color: { type: string }' },
      ['objects/Box__c.yaml:2:3 fields.Color: a field of your own ends in __c: Color__c'],
    ],
    [
      'an object without its ending',
      { 'objects/Acount.yaml': '' },
      [
        'objects/Acount.yaml:1:1: Acount is no standard object; did you mean Account?; an object of your own ends in __c, a metadata type in __mdt, a platform event in __e',
      ],
    ],
    [
      'a standard field that is not there',
      { 'objects/Account.yaml': 'fields:\n  Industri: { label: x }' },
      [/Account has no standard field Industri; did you mean Industry\?/],
    ],
    [
      'a standard field with a type',
      { 'objects/Account.yaml': 'fields:\n  Industry: { type: string }' },
      [/:2:15 fields\.Industry\.type: a standard field keeps its type/],
    ],
    [
      'a standard field and its length',
      { 'objects/Account.yaml': 'fields:\n  Industry: { length: 3 }' },
      [/"length" means nothing for a standard field/],
    ],
    ['the spelling of a standard object', { 'objects/account.yaml': '' }, [/the object is spelled Account/]],
    [
      'two names that differ in case',
      { 'objects/Box__c.yaml': 'fields:\n  A__c: { type: int }\n  a__C: { type: int }' },
      [/two fields of this name/, /ends in __c|two fields/],
    ],
    [
      'a name that is too long',
      { 'objects/Box__c.yaml': `fields:\n  ${'A'.repeat(41)}__c: { type: int }` },
      [/longer than 40 characters/],
    ],
    [
      'a field that every object has',
      { 'objects/Box__c.yaml': 'fields:\n  OwnerId: { type: int }' },
      [/every object has OwnerId/],
    ],
    [
      'a long value',
      inField(`{ type: multipicklist, values: [a, ${'b'.repeat(256)}] }`),
      [/b" is longer than 255 characters/],
    ],
    ['values twice', inField('{ type: picklist, values: [a, A] }'), [/"A" stands here twice/]],
    [
      'two defaults',
      inField('{ type: picklist, values: [{ value: a, default: true }, { value: b, default: true }] }'),
      [/more than one value is the default/],
    ],
    [
      'a default that is none of the values',
      inField('{ type: picklist, restricted: true, values: [a], default: b }'),
      [/bad value for restricted picklist field: b/],
    ],
    [
      'a value with a semicolon',
      inField("{ type: multipicklist, values: ['a;b'] }"),
      [/has a ; which stands between values/],
    ],
    [
      'a value set that is not there',
      inField('{ type: picklist, valueSet: Lands }'),
      [/there is no value set Lands; write value-sets\/Lands\.yaml/],
    ],
    [
      'a controller that is none',
      inField('{ type: picklist, controller: B__c, values: [a] }'),
      [/B__c is no picklist or boolean of Box__c/],
    ],
    [
      'values for a controller that is not named',
      inField('{ type: picklist, values: [{ value: a, validFor: [x] }] }'),
      [/there is no controlling field/],
    ],
    [
      'a controlling value that is not there',
      {
        'objects/Box__c.yaml':
          'fields:\n  L__c: { type: picklist, values: [North] }\n  A__c: { type: picklist, controller: L__c, values: [{ value: a, validFor: [Nort] }] }',
      },
      [/L__c has no value "Nort"; did you mean North\?/],
    ],
    ['case without unique', inField('{ type: string, caseSensitive: true }'), [/is for unique fields only/]],
    [
      'more digits after the point than in all',
      inField('{ type: double, precision: 3, scale: 4 }'),
      [/more digits after the point/],
    ],
    [
      'a number format without a number',
      inField('{ type: autonumber, format: A }'),
      [/"A" has no place for the number/],
    ],
    ['a default of another kind', inField('{ type: date, default: soon }'), [/"soon" is not a valid date/]],
    ['a default that is too long', inField('{ type: string, length: 3, default: four }'), [/max length=3/]],
    [
      'a number format with too many digits',
      inField("{ type: autonumber, format: 'A-{000000000000}' }"),
      [/no place for the number/],
    ],
    [
      'a text that no database holds',
      inField('{ type: int, label: "a\\0b" }'),
      [/has a character that is none/],
    ],
    [
      'an index of too many fields',
      { 'objects/Box__c.yaml': 'indexes: [[Name, OwnerId, CreatedDate, Id]]' },
      [/an index has 3 fields at most/],
    ],
    [
      'a computed field that is required',
      inField('{ type: int, computed: true, required: true }'),
      [/a computed field cannot be required/],
    ],
    [
      'an index of a field that is not there',
      { 'objects/Box__c.yaml': 'indexes: [[Nam]]' },
      ['objects/Box__c.yaml:1:12 indexes.0.0: Box__c has no field Nam; did you mean Name?'],
    ],
    [
      'an index of a long text',
      { 'objects/Box__c.yaml': 'fields: { A__c: { type: longtextarea } }\nindexes: [[A__c]]' },
      [/a longtextarea cannot be indexed/],
    ],
    [
      'two record types that are the default',
      {
        'objects/Box__c.yaml': 'recordTypes: { A: { default: true }, B: { default: true } }',
      },
      [/A is the default already/],
    ],
    [
      'a value that a record type does not have',
      {
        'objects/Box__c.yaml':
          'fields: { L__c: { type: picklist, values: [North] } }\nrecordTypes: { A: { picklists: { L__c: [Nort] } } }',
      },
      [/L__c has no value "Nort"; did you mean North\?/],
    ],
    [
      'a value set without values',
      { 'value-sets/Lands.yaml': 'label: x' },
      ['value-sets/Lands.yaml:1:1 values: is missing'],
    ],
    ['text that is no YAML', inField('{ type: string'), [/^objects\/Box__c\.yaml:3:1: /]],
    [
      'a name twice',
      { 'objects/Box__c.yaml': 'label: a\nlabel: b' },
      [/^objects\/Box__c\.yaml:2:1: Map keys must be unique/],
    ],
    [
      'permissions on what is not there',
      {
        'objects/Box__c.yaml': 'fields: { A__c: { type: int } }',
        'permission-sets/Packing.yaml':
          'system: [ApiEnabled]\nobjects: { Bax__c: [read] }\nfields:\n  Box__c.A__c: edit\n  Box__c.B__c: read\n',
        'profiles/Sales%2FEurope.yaml': 'objects:\n  Account: [reed]\n',
      },
      [
        /^profiles\/Sales%2FEurope\.yaml:2:13 objects\.Account\.0: must be read or create .*, not "reed"; did you mean read\?$/,
      ],
    ],
    [
      'a permission on a field that is not there',
      {
        'objects/Box__c.yaml': 'fields: { A__c: { type: int } }',
        'permission-sets/Packing.yaml':
          'objects: { Bax__c: [read] }\nfields:\n  Box__c.A__c: edit\n  Box__c.B__c: read\n',
      },
      [
        'permission-sets/Packing.yaml:1:12 objects.Bax__c: there is no object Bax__c; did you mean Box__c?',
        'permission-sets/Packing.yaml:4:3 fields.Box__c.B__c: Box__c has no field B__c; did you mean A__c?',
      ],
    ],
    [
      'the profile of administrators',
      { 'profiles/System Administrator.yaml': 'system: [ApiEnabled]' },
      [/^profiles\/System Administrator\.yaml:1:1: System Administrator may do everything/],
    ],
    [
      'a month that there is none of',
      { 'settings/Company.yaml': 'fiscalYear:\n  startMonth: 13' },
      ['settings/Company.yaml:2:3 fiscalYear.startMonth: must be at most 12, not 13'],
    ],
    [
      'a month by its name',
      { 'settings/Company.yaml': 'fiscalYear: { startMonth: April }' },
      ['settings/Company.yaml:1:15 fiscalYear.startMonth: must be a number, not "April"'],
    ],
    [
      'settings that mean nothing',
      { 'settings/Company.yaml': 'fiscalYear: { startMont: 4 }\nfiscal: {}' },
      [
        'settings/Company.yaml:1:15 fiscalYear.startMont: "startMont" means nothing for these settings; did you mean startMonth?',
        'settings/Company.yaml:2:1 fiscal: "fiscal" means nothing for these settings',
      ],
    ],
    [
      'settings of an unknown name',
      { 'settings/Compani.yaml': '', 'settings/Opportunities.yaml': '' },
      [
        'settings/Compani.yaml:1:1: "Compani" is no name of settings; did you mean Company?',
        'settings/Opportunities.yaml:1:1: "Opportunities" is no name of settings; there are those of Company',
      ],
    ],
  ]

  for (const [what, files, expected] of cases) {
    test(what, () => {
      const said = findProblems(files)
      assert.equal(said.length, expected.length, said.join('\n'))
      for (const [at, line] of expected.entries()) {
        if (typeof line === 'string') assert.equal(said[at], line)
        else assert.match(said[at]!, line)
      }
    })
  }
})

test('permission sets and profiles keep their names in the names of files, and what they say', () => {
  const names = ['Billing', 'Sales/Europe', 'A.b', '.hidden', 'Über 100%', '..', 'a\\b:c*?', 'ends.', '%41']
  fc.assert(
    fc.property(fc.uniqueArray(fc.oneof(fc.constantFrom(...names), fc.string({ minLength: 1 }))), (all) => {
      const path = folder()
      const distinct = [...new Map(all.map((name) => [name.toLowerCase(), name])).values()]
      const profiles = Object.fromEntries(distinct.map((name) => [name, { system: ['ApiEnabled' as const] }]))
      const saved = saveDefinitions(path, { objects: {}, valueSets: {}, profiles })
      for (const file of saved) assert.match(file, /^profiles\/[^/\\]+\.yaml$/)
      const valid = distinct.every((name) => name.trim() === name && name !== '__proto__')
      if (valid) assert.deepEqual(loadDefinitions(path).files.profiles, profiles)
      else assert.throws(() => loadDefinitions(path), /is no name of a profile: take another one/)
    }),
    { numRuns: runs(60) },
  )
})

test('whatever stands in a file, it is read or every problem has a place', () => {
  const anything = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constant(null),
      fc.boolean(),
      fc.integer(),
      fc.string(),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(
        fc.constantFrom('fields', 'A__c', 'type', 'values', 'to', 'recordTypes', 'indexes', 'x', '__proto__'),
        tie('value'),
        {
          maxKeys: 4,
        },
      ),
    ),
  })).value
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom('Box__c', 'Account', 'x'), anything),
      anything,
      (objects, set) => {
        const files = {
          objects,
          valueSets: { Lands: set },
          permissionSets: { All: set },
          profiles: objects,
          settings: { Company: set },
        }
        const { problems } = readDefinitions(files as never)
        for (const { path, message } of problems) assert.ok(path.length > 0 && message !== '')
      },
    ),
    { numRuns: runs(200) },
  )
})

test('the schemas for editors know every type of field', () => {
  const text = JSON.stringify(EDITOR_SCHEMAS['objects.schema.json']!())
  for (const type of FILE_FIELD_TYPES) assert.ok(text.includes(`"const":"${type}"`), type)
})
