import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { readDefinitions } from '../../src/definitions/files/read-definitions.ts'
import type { DefinitionFiles, ListViewFile, ObjectFile } from '../../src/definitions/formats/object-file.ts'
import { exportSourceFormat } from '../../src/exporters/source-format/export-source-format.ts'
import { importSourceFormat } from '../../src/importers/source-format/import-source-format.ts'
import { findStandardObject } from '../../src/standard/standard-objects.ts'
import { runs } from '../support/runs.ts'

/* List views in source format: what is exported is imported as it was, or is noted. */

const TRIP: ObjectFile = {
  fields: {
    Stage__c: { type: 'picklist', values: ['Open', 'Closed'] },
    Tags__c: { type: 'multipicklist', values: ['A', 'B'] },
    Note__c: { type: 'string', length: 80 },
    Cost__c: { type: 'currency', precision: 18, scale: 2 },
    Nights__c: { type: 'double', precision: 3, scale: 0 },
    Start__c: { type: 'date' },
    Seen__c: { type: 'datetime' },
    Hour__c: { type: 'time' },
    Done__c: { type: 'boolean' },
    Account__c: { type: 'reference', to: 'Account', children: 'Trips__r' },
  },
  recordTypes: { Business: {}, Leisure: {} },
}

const makeFiles = (object: string, view: ListViewFile): DefinitionFiles => ({
  objects: { [object]: { ...(object === 'Trip__c' && TRIP), listViews: { V: view } } },
  valueSets: {},
})

function exportView(object: string, view: ListViewFile) {
  const files = makeFiles(object, view)
  assert.deepEqual(readDefinitions(files).problems, [])
  const { files: written, notes } = exportSourceFormat(files)
  const text = written.get(`objects/${object}/listViews/V.listView-meta.xml`)
  const imported = importSourceFormat([...written].map(([path, content]) => ({ path, text: content })))
  return {
    text,
    notes: notes.filter((note) => note.includes('.V:')),
    again: imported.files.objects[object]?.listViews?.V,
  }
}

const exportWhere = (where: string, object = 'Trip__c') => exportView(object, { where })

/* Conditions as an import writes them: parentheses inside alone. */

const NAMES = [
  'Stage__c',
  'Note__c',
  'Name',
  'Account__r.Name',
  'Owner.Alias',
  'CreatedBy.Name',
  'RecordType.DeveloperName',
]
const quote = (text: string) =>
  `'${text.replaceAll(/[\\']/g, (mark) => `\\${mark}`).replaceAll('\n', '\\n')}'`
const text = fc
  .oneof(
    fc.constantFrom('Open', 'a, b', '"', '"a"', "it's", '50%_off', '\\', 'a\nb', '<&>', '1', 'null', ']]>'),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }),
  )
  .filter((one) => one === one.trim() && one !== '')
const word = fc.constantFrom('Business', 'Leisure')
const texts = fc.array(text, { minLength: 1, maxLength: 3 })
const pattern = (one: string) =>
  quote(one)
    .slice(1, -1)
    .replaceAll(/[%_]/g, (mark) => `\\${mark}`)

const join = (terms: readonly string[], operator: string) =>
  terms.length === 1 ? terms[0]! : `(${terms.join(` ${operator} `)})`

const equality = (path: fc.Arbitrary<string>, literals: fc.Arbitrary<readonly string[]>) =>
  fc.tuple(path, literals, fc.boolean(), fc.boolean()).map(([name, values, isNegated, hasNull]) =>
    join(
      [...values, ...(hasNull ? ['null'] : [])].map((value) => `${name} ${isNegated ? '!=' : '='} ${value}`),
      isNegated ? 'AND' : 'OR',
    ),
  )
const list = <T>(one: fc.Arbitrary<T>) => fc.array(one, { minLength: 1, maxLength: 3 })

const leaf: fc.Arbitrary<string> = fc.oneof(
  equality(
    fc.constantFrom(...NAMES.slice(0, -1)),
    texts.map((all) => all.map(quote)),
  ),
  equality(fc.constant('RecordType.DeveloperName'), list(word.map(quote))),
  equality(fc.constantFrom('Cost__c', 'Nights__c'), list(fc.constantFrom('0', '-5', '1234.5'))),
  equality(fc.constant('Done__c'), list(fc.constantFrom('TRUE', 'FALSE'))),
  equality(fc.constantFrom('Start__c'), list(fc.constantFrom('2026-01-31', 'TODAY', 'LAST_N_DAYS:30'))),
  fc
    .tuple(
      fc.constantFrom('Start__c', 'Seen__c', 'CreatedDate', 'LastModifiedDate'),
      fc.constantFrom('<', '<=', '>', '>='),
    )
    .map(([name, operator]) => `${name} ${operator} NEXT_N_DAYS:7`),
  fc
    .tuple(fc.constantFrom('INCLUDES', 'EXCLUDES'), texts)
    .map(([operator, all]) => `Tags__c ${operator} (${all.map(quote).join(', ')})`),
  fc.constantFrom('Tags__c = null', 'Tags__c != null'),
  fc
    .tuple(fc.constantFrom(...NAMES.slice(0, -1)), texts, fc.constantFrom('%', ''), fc.boolean())
    .map(([name, all, start, isNegated]) => {
      const any = join(
        all.map((one) => `${name} LIKE '${start}${pattern(one)}%'`),
        'OR',
      )
      return isNegated ? `(NOT ${any})` : any
    }),
)

const condition = fc
  .letrec<{ any: string }>((tie) => ({
    any: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      leaf,
      fc
        .tuple(fc.constantFrom('AND', 'OR'), fc.array(tie('any'), { minLength: 2, maxLength: 3 }))
        .map(([operator, terms]) => join(terms, operator)),
      tie('any').map((term) => `(NOT ${term})`),
    ),
  }))
  .any.map((one) => (one.startsWith('(') ? one.slice(1, -1) : one))

const COLUMNS = [
  'Name',
  'Stage__c',
  'Tags__c',
  'Account__r.Name',
  'Owner.Alias',
  'Owner.Name',
  'Owner.FirstName',
  'CreatedDate',
  'LastModifiedDate',
  'LastModifiedBy.Alias',
  'Id',
]

test('a list view with what the format has is exported and imported as it was', () => {
  fc.assert(
    fc.property(
      fc.option(condition, { nil: undefined, freq: 20 }),
      fc.uniqueArray(fc.constantFrom(...COLUMNS)),
      fc.boolean(),
      fc.constantFrom(undefined, 'What is open', 'A & <B>'),
      (where, columns, isMine, label) => {
        const view: ListViewFile = {
          ...(where !== undefined && { where }),
          ...(columns.length > 0 && { columns }),
          ...(isMine && { scope: 'mine' as const }),
          ...(label !== undefined && { label }),
        }
        const { again, notes } = exportView('Trip__c', view)
        assert.deepEqual([again, notes], [Object.keys(view).length === 0 ? null : view, []])
      },
    ),
    { numRuns: runs(60) },
  )
})

describe('the condition of a list view', () => {
  for (const [where, again] of [
    ["Stage__c IN ('Open', 'Closed')", "Stage__c = 'Open' OR Stage__c = 'Closed'"],
    ["Stage__c NOT IN ('Open', '')", "Stage__c != 'Open' AND Stage__c != null"],
    ["Note__c = '' AND Stage__c IN ('Open')", "Note__c = null AND Stage__c = 'Open'"],
    ["name = 'A' AND owner.alias <> 'ada'", "Name = 'A' AND Owner.Alias != 'ada'"],
  ] as const)
    test(`is written in the words of the format: ${where}`, () => {
      assert.equal(exportWhere(where).again?.where, again)
    })
  for (const where of [
    // Own fields are written as they are spelled, and the format has them in one spelling.
    "stage__C = 'Open'",
    "Name LIKE '%a'",
    "Name LIKE 'a_b%'",
    "Name LIKE 'a'",
    "Name LIKE '%%'",
    "Name = ' a'",
    "Account__r.Industry = 'Energy'",
    "Account__c = '001000000000001AAA'",
    "OwnerId = '005000000000001AAA'",
    'CALENDAR_YEAR(Start__c) = 2026',
    'Seen__c > 2026-01-31T10:00:00Z',
    'Hour__c > 10:00:00.000Z',
    'Cost__c > USD5',
    'Cost__c > 1234567890123456789',
    'Start__c > LAST_N_DAYS:20000',
    "Account__c IN (SELECT Id FROM Account WHERE Name = 'a')",
    "Tags__c = 'A;B'",
    "Tags__c INCLUDES ('')",
    `Nights__c IN (${Array.from({ length: 1001 }, (_, at) => at).join(', ')})`,
    Array.from({ length: 200 }, (_, at) => `Nights__c = ${at} OR Cost__c = ${at}`).join(' OR '),
  ])
    test(`has no filters, and the view is left out and noted: ${where.slice(0, 60)}`, () => {
      const { text: written, notes } = exportWhere(where)
      const what = 'the list view is left out, its condition has no filters in this format'
      assert.deepEqual([written, notes], [undefined, [`Trip__c.V: ${what}: ${where}`]])
    })
})

describe('a list view of a standard object', () => {
  /** Each column with its name in the file. */
  const nameColumns = (object: string, ...columns: string[]) => {
    const { text: written, again, notes } = exportView(object, { columns })
    assert.deepEqual([again?.columns, notes], [columns, []])
    return [...written!.matchAll(/<columns>(.*)<\/columns>/g)].map(([, name]) => name)
  }

  test('has the names that its fields have in the format', () => {
    assert.deepEqual(
      nameColumns('Account', 'Name', 'Phone', 'BillingCity', 'ShippingPostalCode', 'Owner.Alias'),
      ['ACCOUNT.NAME', 'ACCOUNT.PHONE1', 'ACCOUNT.ADDRESS1_CITY', 'ACCOUNT.ADDRESS2_ZIP', 'CORE.USERS.ALIAS'],
    )
    assert.deepEqual(nameColumns('Contact', 'Name', 'Account.Name', 'Account.Industry', 'CreatedDate'), [
      'FULL_NAME',
      'ACCOUNT.NAME',
      'ACCOUNT.INDUSTRY',
      'CONTACT.CREATED_DATE',
    ])
    assert.deepEqual(
      nameColumns('Opportunity', 'StageName', 'ExpectedRevenue', 'IsClosed', 'Campaign.Name'),
      ['OPPORTUNITY.STAGE_NAME', 'OPPORTUNITY.EXP_AMOUNT', 'OPPORTUNITY.CLOSED', 'CAMPAIGN.NAME'],
    )
    assert.deepEqual(nameColumns('Case', 'CaseNumber', 'Contact.Name'), ['CASES.CASE_NUMBER', 'NAME'])
    assert.deepEqual(nameColumns('Task', 'ActivityDate', 'Who.Name', 'LastModifiedDate'), [
      'TASK.DUE_DATE',
      'TASK.WHO_NAME',
      'TASK.LAST_UPDATE',
    ])
  })

  for (const object of ['Account', 'Case', 'Contact', 'Lead', 'Opportunity', 'Product2', 'User'])
    test(`may show every field that is no reference: ${object}`, () => {
      const columns = findStandardObject(object)!.fields.flatMap(({ name, type }) =>
        type === 'reference' ? [] : [name],
      )
      assert.equal(nameColumns(object, ...columns).length, columns.length)
    })
})

test('what a list view says beside columns, filters and scope is noted', () => {
  const view = { columns: ['Name', 'Account__r.Industry', 'SystemModstamp'], orderBy: 'Name DESC' }
  const { again, notes } = exportView('Trip__c', view)
  assert.deepEqual(again, { columns: ['Name'] })
  assert.deepEqual(notes, [
    'Trip__c.V: the column Account__r.Industry is not written',
    'Trip__c.V: the column SystemModstamp is not written',
    'Trip__c.V: orderBy is not written',
  ])
})
