import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import { readDefinitions } from '../../src/definitions/files/read-definitions.ts'
import type { Imported } from '../../src/importers/imported.ts'
import { NOTE_KINDS } from '../../src/importers/note.ts'
import { FIELD_READERS } from '../../src/importers/source-format/fields/field-readers.ts'
import { importSourceFormat } from '../../src/importers/source-format/import-source-format.ts'
import { findSourceFiles } from '../../src/importers/source-format/project/find-source-files.ts'
import type { SourceFile } from '../../src/importers/source-format/project/source-file.ts'
import { isCustomObject } from '../../src/schema/definitions/custom-name.ts'
import { describeField } from '../../src/schema/describe/describe-field.ts'
import { makeSnapshot } from '../../src/schema/snapshot/snapshot.ts'
import { fetchRecords } from '../support/ask.ts'
import { fetchPlan, fetchSteps } from '../support/deploying.ts'
import { describeObjects } from '../support/described.ts'
import { openOrg } from '../support/org.ts'
import { runs } from '../support/runs.ts'
import { lengthen, readGolden, shorten, writeGolden } from './source-project-golden.ts'

const PROJECT = join(import.meta.dirname, 'source-project')

interface Described extends Record<string, unknown> {
  name: string
  fields: Record<string, unknown>[]
  childRelationships: object[]
}

const byText = (a: object, b: object) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)

let files: SourceFile[]
let imported: Imported

before(() => {
  files = findSourceFiles(PROJECT)
  imported = importSourceFormat(files)
})

/** The standard fields that the project changes, described. */
function changedStandardFields(): Record<string, object[]> {
  const { objects } = readDefinitions(imported.files)
  const snapshot = makeSnapshot(1, new Date(0), objects)
  return Object.fromEntries(
    Object.entries(imported.files.objects)
      .filter(([name]) => !isCustomObject(name))
      .map(([name, file]) => {
        const object = snapshot.object(name)!
        return [name, Object.keys(file?.fields ?? {}).map((field) => describeField(object.field(field)!))]
      }),
  )
}

const formatNotes = ({ notes }: Imported) =>
  notes.map(({ kind, location, what }) => `${kind}: ${location}: ${what}`)

test('a project deploys, and its describe equals the expected JSON field by field', async () => {
  const { objects, problems } = readDefinitions(imported.files)
  assert.deepEqual(problems, [])
  const org = await openOrg()
  await org.deploy(objects)
  const names = Object.keys(imported.files.objects)
  const described = (await describeObjects(org, names)) as Described[]
  // In which order the ways down stand says nothing.
  for (const object of described) object.childRelationships.sort(byText)
  const custom = described.filter(({ name }) => isCustomObject(name))
  if (process.env.UPDATE_GOLDEN) {
    const { usual } = readGolden()
    writeGolden({
      usual,
      objects: Object.fromEntries(
        custom.map((object) => [object.name, { ...object, fields: shorten(usual, object.fields) }]),
      ),
      standard: Object.fromEntries(
        Object.entries(changedStandardFields()).map(([name, fields]) => [
          name,
          shorten(usual, fields as Described[]),
        ]),
      ),
      notes: formatNotes(imported),
    })
  }
  const golden = readGolden()
  assert.deepEqual(custom.map(({ name }) => name).sort(), Object.keys(golden.objects).sort())
  for (const object of custom) {
    const expected = golden.objects[object.name]!
    assert.deepEqual(object, { ...expected, fields: lengthen(golden.usual, expected.fields) }, object.name)
  }
  for (const { name, fields } of described.filter((object) => !custom.includes(object))) {
    const own = fields.filter((field) => field.custom)
    const expected = lengthen(golden.usual, golden.standard[name]!).filter((field) => field.custom === true)
    assert.deepEqual(own, expected, name)
  }
})

test('a project changes texts and values of standard fields', () => {
  const golden = readGolden()
  const changed = changedStandardFields()
  assert.deepEqual(Object.keys(changed).sort(), Object.keys(golden.standard).sort())
  for (const [name, fields] of Object.entries(changed)) {
    assert.deepEqual(fields, lengthen(golden.usual, golden.standard[name]!), name)
  }
})

test('the project has a field of each type of the format', () => {
  const text = files.map((file) => file.text).join('')
  for (const type of Object.keys(FIELD_READERS)) assert.ok(text.includes(`<type>${type}</type>`), type)
  for (const type of ['Checkbox', 'Currency', 'Date', 'DateTime', 'Number', 'Percent', 'Text', 'Time']) {
    assert.match(text, new RegExp(`<formula>[^<]*</formula>[^]{0,120}<type>${type}</type>`), type)
  }
})

test('what is not carried is noted, each thing once', () => {
  const lines = formatNotes(imported)
  assert.deepEqual(lines, readGolden().notes)
  assert.equal(new Set(lines).size, lines.length)
})

test('each kind of note has a test: here, or where its source is', () => {
  const here = imported.notes.map(({ kind }) => kind)
  const elsewhere = ['difference', 'unsaid', 'column', 'constraint', 'duplicate', 'ignored']
  assert.deepEqual([...new Set([...here, ...elsewhere])].sort(), Object.keys(NOTE_KINDS).sort())
})

test('formulas, validation rules and defaults come along', () => {
  const { fields, validations } = imported.files.objects.Project__c!
  assert.deepEqual(fields!.Headline__c, {
    type: 'string',
    formula: 'Name & ": " & Motto__c',
    blanks: 'blank',
  })
  assert.equal(fields!.Due__c!.defaultFormula, 'TODAY() + 30')
  assert.ok(Object.keys(validations!).length > 0)
  const broken = formatNotes(imported).filter((line) => line.includes('Broken'))
  assert.deepEqual(broken, [
    'default: Project__c.Broken_Default__c: 1:1: Field $Label.Greeting does not exist: there is no metadata type Label__mdt. In: $Label.Greeting',
    'formula: Project__c.Broken__c: 2:3: Field Missing__r.Budget__c does not exist. Check spelling. In: Budget__c + Missing__r.Budget__c',
    'validation: Project__c.Broken: 1:1: $Api.Session_ID is not supported: formulas have no addresses and no tokens. In: $Api.Session_ID = NULL',
  ])
})

test('the folder of the objects, of one object, and a single file can be imported too', () => {
  const objects = join(PROJECT, 'force-app/main/default/objects')
  assert.ok('Project__c' in importSourceFormat(findSourceFiles(objects)).files.objects)
  const one = importSourceFormat(findSourceFiles(join(objects, 'Project_Line__c')))
  assert.deepEqual(Object.keys(one.files.objects), ['Project_Line__c'])
  assert.equal(one.files.objects.Project_Line__c!.fields!.Project__c!.type, 'string')
  assert.ok(
    formatNotes(one).includes(
      'reference: Project_Line__c.Project__c: to Project__c: a text of 18 characters now',
    ),
  )
  const old = importSourceFormat(findSourceFiles(join(PROJECT, 'legacy/objects/Invoice__c.object')))
  assert.deepEqual(Object.keys(old.files.objects), ['Invoice__c'])
})

test('files of kinds that are not read are named in metadata format too', () => {
  const folder = mkdtempSync(join(tmpdir(), 'source-'))
  try {
    const metadata = (name: string) => `<${name} xmlns="http://soap.sforce.com/2006/04/metadata"></${name}>`
    for (const [path, text] of [
      ['package.xml', metadata('Package')],
      ['objects/Inv__c.object', metadata('CustomObject')],
      ['flows/Set.flow', metadata('Flow')],
      ['workflows/Inv__c.workflow', metadata('Workflow')],
      ['approvalProcesses/Inv__c.A.approvalProcess', metadata('ApprovalProcess')],
      ['classes/A.cls', 'public class A {}'],
      ['classes/A.cls-meta.xml', metadata('ApexClass')],
    ] as const) {
      mkdirSync(join(folder, 'src', path, '..'), { recursive: true })
      writeFileSync(join(folder, 'src', path), text)
    }
    assert.deepEqual(formatNotes(importSourceFormat(findSourceFiles(join(folder, 'src')))), [
      'file: the project: *.approvalProcess, *.cls-meta.xml, *.flow, *.workflow',
    ])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('an autonumber counts without the parts of the date, which is noted', () => {
  const fields = ['{MMDDYY}-', '{YYYY}{MM}', '{YYYYMMDD}/'].map(
    (day, at) =>
      `<fields><fullName>N${at}__c</fullName><type>AutoNumber</type><displayFormat>E-${day}{00000}</displayFormat></fields>`,
  )
  const { files: found, notes } = importFields(fields.join(''))
  const formats = Object.values(found.objects.X__c!.fields!).map((field) => field?.format)
  assert.deepEqual(formats, Array(3).fill('E-{00000}'))
  assert.equal(notes.filter(({ kind }) => kind === 'autonumber').length, 3)
})

test('references may point to objects that the deployment has already', () => {
  const line = findSourceFiles(join(PROJECT, 'force-app/main/default/objects/Project_Line__c'))
  const { files: added } = importSourceFormat(line, { objects: { Project__c: {} }, valueSets: {} })
  assert.deepEqual(Object.keys(added.objects), ['Project_Line__c'])
  assert.equal(added.objects.Project_Line__c!.fields!.Project__c!.to, 'Project__c')
})

test('labels are records of a metadata type, which formulas read', () => {
  const label = (name: string, value: string) =>
    `<labels><fullName>${name}</fullName><language>en_US</language><protected>true</protected><shortDescription>${name}</shortDescription><value>${value}</value></labels>`
  const text = `<CustomLabels>${label('Greeting', 'Hello')}${label('Essay', 'x'.repeat(256))}</CustomLabels>`
  const found = importSourceFormat([{ path: 'labels/CustomLabels.labels-meta.xml', text }])
  assert.deepEqual(found.files.objects.Label__mdt!.records, {
    Greeting: { values: { Text__c: 'Hello', Protected__c: true } },
  })
  assert.deepEqual(readDefinitions(found.files).problems, [])
  assert.deepEqual(formatNotes(found), [
    'settings: label Essay: is longer than 255 characters, more than formulas can read',
  ])
})

test('labels may have a file each, and names and descriptions of 80 characters', async () => {
  const long = `Label_${'x'.repeat(73)}L`
  const label = (name: string, description: string) => ({
    path: `labels/${name}.label-meta.xml`,
    text: `<CustomLabel><fullName>${name}</fullName><shortDescription>${description}</shortDescription><value>two</value></CustomLabel>`,
  })
  const found = importSourceFormat([
    { path: 'labels/CustomLabels.labels-meta.xml', text: '<CustomLabels></CustomLabels>' },
    label(long, 'd'.repeat(80)),
    label('Short', 'd'.repeat(81)),
    {
      path: 'objects/Account/fields/Two__c.field-meta.xml',
      text: `<CustomField><fullName>Two__c</fullName><formula>$Label.${long}</formula><type>Text</type></CustomField>`,
    },
  ])
  assert.deepEqual(found.files.objects.Label__mdt!.records, {
    [long]: { label: 'd'.repeat(80), values: { Text__c: 'two' } },
    Short: { values: { Text__c: 'two' } },
  })
  assert.deepEqual(formatNotes(found), [
    'settings: label Short: its description is longer than 80 characters',
  ])
  const org = await openOrg()
  await fetchSteps(org, found.files.objects)
  await org.create('Account', { Name: 'x' })
  const [account] = await fetchRecords(org, 'SELECT Two__c FROM Account')
  assert.equal(account!.Two__c, 'two')
  const [record] = await fetchRecords(
    org,
    `SELECT MasterLabel FROM Label__mdt WHERE DeveloperName = '${long}'`,
  )
  assert.equal(record!.MasterLabel, 'd'.repeat(80))
  const { body } = await org.call('GET', '/sobjects/Label__mdt/describe')
  const lengths = body.fields.map(({ name, length }: { name: string; length: number }) => [name, length])
  assert.equal(Object.fromEntries(lengths).DeveloperName, 80)
})

test('permission sets bring the custom permissions that they grant', () => {
  const permission = (name: string, enabled: boolean) =>
    `<customPermissions><enabled>${enabled}</enabled><name>${name}</name></customPermissions>`
  const text = `<PermissionSet><label>Loading</label>${permission('Exceed', true)}${permission('Other', false)}</PermissionSet>`
  const { files: found, notes } = importSourceFormat([{ path: 'Loading.permissionset-meta.xml', text }])
  assert.deepEqual(found.permissionSets, { Loading: { customPermissions: ['Exceed'] } })
  assert.deepEqual(notes, [])
})

describe('settings of the org', () => {
  const inFile = (path: string, content: string) =>
    importSourceFormat([{ path, text: `<CompanySettings>${content}</CompanySettings>` }])
  const fiscalYear = (content: string) =>
    inFile('settings/Company.settings', `<fiscalYear>${content}</fiscalYear>`)

  test('have the fiscal year, which is deployed with the objects', async () => {
    const { settings } = imported.files
    assert.deepEqual(settings, { Company: { fiscalYear: { startMonth: 4, namedBy: 'startDate' } } })
    const org = await openOrg()
    await fetchSteps(org, imported.files.objects, {
      valueSets: imported.files.valueSets,
      settings: settings!,
    })
    const { body } = await org.call('GET', '/setup/orgs/current/schema')
    assert.deepEqual(body.settings, settings)
  })

  test('have it in files of the older form too, each value by itself', () => {
    const december = fiscalYear('<startMonth>December</startMonth>')
    assert.deepEqual(december.files.settings, { Company: { fiscalYear: { startMonth: 12 } } })
    const usual = fiscalYear(
      '<startMonth>January</startMonth><fiscalYearNameBasedOn>EndingMonth</fiscalYearNameBasedOn>',
    )
    assert.deepEqual(usual.files.settings, {
      Company: { fiscalYear: { startMonth: 1, namedBy: 'endDate' } },
    })
    assert.deepEqual([...formatNotes(december), ...formatNotes(usual)], [])
  })

  test('that mean nothing here are noted, and make no file', () => {
    const odd = fiscalYear('<startMonth>Brumaire</startMonth><fiscalYearNameBasedOn/><weeks>52</weeks>')
    assert.deepEqual(odd.files.settings, {})
    assert.deepEqual(formatNotes(odd), ['settings: settings Company: startMonth Brumaire, fiscalYear.weeks'])
    assert.deepEqual(inFile('Company.settings', '').files.settings, {})
  })

  test('of other names are files that are not read', () => {
    const { files, notes } = inFile('settings/Account.settings-meta.xml', '<fiscalYear/>')
    assert.deepEqual(files.settings, {})
    assert.deepEqual(
      notes.map(({ what }) => what),
      ['*.settings-meta.xml'],
    )
  })
})

describe('permission sets and profiles', () => {
  test('are deployed with the objects, and the org has them as they were imported', async () => {
    const org = await openOrg()
    const { objects, permissionSets, profiles } = imported.files
    await fetchSteps(org, objects, { ...imported.files })
    const { body } = await org.call('GET', '/setup/orgs/current/schema')
    assert.deepEqual([body.permissionSets, body.profiles], [permissionSets, profiles])
  })

  test('have what is here of what they grant there', () => {
    const { permissionSets, profiles } = imported.files
    assert.deepEqual(permissionSets!.Project_Work, {
      label: 'Work on Projects',
      description: 'Plans and bills projects',
      system: ['ApiEnabled'],
      objects: {
        Account: ['read'],
        Project__c: ['read', 'create', 'edit', 'viewAll', 'viewAllFields'],
        Project_Line__c: ['read', 'create', 'edit', 'delete', 'viewAll', 'modifyAll'],
      },
      fields: {
        'Account.BillingAddress': 'read',
        'Account.Tier__c': 'edit',
        'Task.Effort__c': 'edit',
        'Event.Effort__c': 'edit',
        'Project__c.Budget__c': 'edit',
      },
    })
    assert.deepEqual(Object.keys(permissionSets!).sort(), ['Invoicing', 'Project_Work'])
    assert.deepEqual(Object.keys(profiles!).sort(), ['Read Only', 'Sales/Europe', 'Standard User'])
  })

  const set = (name: string, text: string): SourceFile => ({
    path: `permissionsets/${name}.permissionset-meta.xml`,
    text: `<PermissionSet>${text}</PermissionSet>`,
  })
  const reads = (object: string) =>
    `<objectPermissions><allowRead>true</allowRead><object>${object}</object></objectPermissions>`

  test('may be taken apart into several files', () => {
    const part = (file: string, text: string) => ({ path: `permissionsets/Apart/${file}-meta.xml`, text })
    const { files: found, notes } = importSourceFormat([
      part('Apart.permissionset', '<PermissionSet><label>In Parts</label></PermissionSet>'),
      part('objectSettings/Account.objectSettings', `<PermissionSet>${reads('Account')}</PermissionSet>`),
      part(
        'fieldPermissions/Account.Industry.fieldPermission',
        '<FieldPermission><editable>true</editable><field>Account.Industry</field><readable>true</readable></FieldPermission>',
      ),
      part(
        'Apart.customPermission',
        '<PermissionSet><customPermissions><enabled>true</enabled><name>Exceed</name></customPermissions></PermissionSet>',
      ),
      part(
        'Apart.userPermission',
        '<PermissionSet><userPermissions><enabled>true</enabled><name>ApiEnabled</name></userPermissions></PermissionSet>',
      ),
    ])
    assert.deepEqual(notes, [])
    assert.deepEqual(found.permissionSets, {
      Apart: {
        label: 'In Parts',
        system: ['ApiEnabled'],
        objects: { Account: ['read'] },
        fields: { 'Account.Industry': 'edit' },
        customPermissions: ['Exceed'],
      },
    })
  })

  test('may name objects that the deployment has already', () => {
    const known = { objects: { Known__c: {} }, valueSets: {} }
    const { files: added, notes } = importSourceFormat([set('Knowing', reads('Known__c'))], known)
    assert.deepEqual(added.permissionSets, { Knowing: { objects: { Known__c: ['read'] } } })
    assert.deepEqual([added.objects, notes], [{}, []])
  })

  test('may be imported again, with objects that have fewer fields than before', () => {
    const object = { path: 'Known__c.object', text: '<CustomObject></CustomObject>' }
    const known = {
      objects: { Known__c: { fields: { Gone__c: { type: 'int' as const } } } },
      valueSets: {},
      permissionSets: { Knowing: { fields: { 'Known__c.Gone__c': 'read' as const } } },
    }
    const { files: added } = importSourceFormat([object, set('Knowing', reads('Known__c'))], known)
    assert.deepEqual(added.permissionSets, { Knowing: { objects: { Known__c: ['read'] } } })
  })

  test('name what they have lost, and count it where it is much', () => {
    const few = importSourceFormat([set('Few', ['A', 'B'].map(reads).join(''))])
    assert.deepEqual(formatNotes(few), ['permission: permission set Few: object A, object B'])
    const many = importSourceFormat([set('Many', 'ABCDEF'.split('').map(reads).join(''))])
    assert.deepEqual(formatNotes(many), ['permission: permission set Many: objects (6)'])
  })
})

/** An import of one object with these fields, in the older form. */
const importFields = (fields: string, more = '') =>
  importSourceFormat([{ path: 'X__c.object', text: `<CustomObject>${fields}${more}</CustomObject>` }])

describe('configuration of a project', () => {
  test('custom settings are objects with their kind', () => {
    const { Options__c, Endpoint__c } = imported.files.objects
    assert.deepEqual([Options__c!.setting, Endpoint__c!.setting], ['hierarchy', 'list'])
    assert.deepEqual(Object.keys(Options__c!.fields!), ['Is_On__c', 'Max_Rows__c'])
  })

  test('records of metadata types are in the files of their types, and deployed with them', async () => {
    assert.deepEqual(imported.files.objects.Rule__mdt!.records, {
      Bare: { values: { Region__c: 'South', Is_Active__c: true } },
      Standard: {
        values: {
          Limit__c: 19,
          Region__c: 'North',
          Object__c: 'Account',
          Gone__c: 'Elsewhere',
          Is_Active__c: false,
          Since__c: '2026-01-02T03:04:05.000Z',
        },
      },
    })
    const o = await openOrg()
    const { Rule__mdt, Area__mdt } = imported.files.objects
    await fetchPlan(o, { Rule__mdt: Rule__mdt!, Area__mdt: Area__mdt! })
    assert.deepEqual(
      await fetchRecords(
        o,
        `SELECT DeveloperName, Limit__c, Is_Active__c, Since__c, Region__r.MasterLabel, Region__r.Code__c
         FROM Rule__mdt ORDER BY DeveloperName`,
      ),
      [
        {
          DeveloperName: 'Bare',
          Limit__c: null,
          Is_Active__c: true,
          Since__c: null,
          Region__r: { MasterLabel: 'South', Code__c: null },
        },
        {
          DeveloperName: 'Standard',
          Limit__c: 19,
          Is_Active__c: false,
          Since__c: '2026-01-02T03:04:05.000+0000',
          Region__r: { MasterLabel: 'The "North" & more', Code__c: 'N' },
        },
      ],
    )
  })

  test('an empty value stays empty where the field has a default', () => {
    const values = importRecords({ 'customMetadata/A.One.md-meta.xml': '<field>N__c</field><value/>' })
    assert.deepEqual(values, { One: { values: { N__c: null } } })
  })

  test('a record that is refused takes no others along, whatever else is wrong with it', () => {
    const wrong = '<field>N__c</field><value>much</value>'
    const right = '<field>N__c</field><value>3</value>'
    const records = importRecords({
      'customMetadata/A.One.md': right,
      'customMetadata/A.Two_.md': wrong,
      'customMetadata/A.one.md': wrong,
    })
    assert.deepEqual(records, { One: { values: { N__c: 3 } } })
  })

  /** Imports values of records of a type with a number, in files of both forms. */
  function importRecords(records: Readonly<Record<string, string>>) {
    const field =
      '<fields><fullName>N__c</fullName><type>Number</type><defaultValue>7</defaultValue></fields>'
    const { files } = importSourceFormat([
      { path: 'objects/A__mdt.object', text: `<CustomObject><label>A</label>${field}</CustomObject>` },
      ...Object.entries(records).map(([path, values]) => ({
        path,
        text: `<CustomMetadata><values>${values}</values></CustomMetadata>`,
      })),
    ])
    return files.objects.A__mdt!.records
  }
})

describe('list views', () => {
  const FIELDS = [
    [
      'Stage__c',
      'Picklist',
      '<picklist><picklistValues><fullName>Open</fullName></picklistValues></picklist>',
    ],
    [
      'Tags__c',
      'MultiselectPicklist',
      '<picklist><picklistValues><fullName>A</fullName></picklistValues></picklist>',
    ],
    ['Note__c', 'Text', '<length>80</length>'],
    ['Amount__c', 'Currency', '<precision>18</precision><scale>2</scale>'],
    ['Due__c', 'Date', ''],
    ['Done__c', 'Checkbox', ''],
    ['Account__c', 'Lookup', '<referenceTo>Account</referenceTo>'],
  ]
    .map(([name, type, more]) => `<fields><fullName>${name}</fullName><type>${type}</type>${more}</fields>`)
    .join('')

  type Filter = readonly [field: string, operation: string, value?: string | undefined]

  const makeFilters = (filters: readonly Filter[]) =>
    filters
      .map(
        ([field, operation, value]) =>
          `<filters><field>${field}</field><operation>${operation}</operation>${value === undefined ? '' : `<value>${value}</value>`}</filters>`,
      )
      .join('')

  const importView = (inner: string, object = 'X__c', fields = FIELDS) => {
    const made = importSourceFormat([
      {
        path: `${object}.object`,
        text: `<CustomObject>${fields}<listViews><fullName>V</fullName><label>V</label>${inner}</listViews></CustomObject>`,
      },
    ])
    assert.deepEqual(readDefinitions(made.files).problems, [])
    return { view: made.files.objects[object]?.listViews?.V, notes: formatNotes(made) }
  }

  const whereOf = (filters: readonly Filter[], more = '') =>
    importView(`<filterScope>Everything</filterScope>${makeFilters(filters)}${more}`).view?.where

  const cases: [string, string, string, string | undefined, string][] = [
    ['one of several values', 'Stage__c', 'equals', 'Open,"A, B"', "Stage__c = 'Open' OR Stage__c = 'A, B'"],
    [
      'values in quotes behind others',
      'Stage__c',
      'equals',
      'Open, "A, B"',
      "Stage__c = 'Open' OR Stage__c = 'A, B'",
    ],
    ['a value or none', 'Stage__c', 'equals', 'Open,', "Stage__c = 'Open' OR Stage__c = null"],
    ['a number with thousands', 'Amount__c', 'equals', '"1,234.5"', 'Amount__c = 1234.5'],
    ['none of several values', 'Stage__c', 'notEqual', 'Open,A', "Stage__c != 'Open' AND Stage__c != 'A'"],
    ['no value', 'Note__c', 'equals', undefined, 'Note__c = null'],
    ['a part of a text', 'Note__c', 'contains', "50%_off's", String.raw`Note__c LIKE '%50\%\_off\'s%'`],
    [
      'not a part of a text',
      'Note__c',
      'notContain',
      'a,b',
      "NOT (Note__c LIKE '%a%' OR Note__c LIKE '%b%')",
    ],
    ['the beginning of a text', 'NAME', 'startsWith', 'Ac', "Name LIKE 'Ac%'"],
    ['a number', 'Amount__c', 'greaterOrEqual', '1000.5', 'Amount__c >= 1000.5'],
    ['a named day', 'Due__c', 'lessThan', 'NEXT_N_DAYS:7', 'Due__c < NEXT_N_DAYS:7'],
    ['a date', 'Due__c', 'equals', '2026-01-31', 'Due__c = 2026-01-31'],
    ['a checkbox', 'Done__c', 'notEqual', '1', 'Done__c != TRUE'],
    ['chosen values', 'Tags__c', 'includes', 'A,B', "Tags__c INCLUDES ('A', 'B')"],
    ['the name of a parent', 'Account__c', 'equals', 'Acme', "Account__r.Name = 'Acme'"],
    ['the owner', 'OWNER.ALIAS', 'equals', 'ada', "Owner.Alias = 'ada'"],
    ['the time of a change', 'LAST_UPDATE', 'equals', 'today', 'LastModifiedDate = TODAY'],
  ]
  for (const [name, field, operation, value, where] of cases) {
    test(`keep a filter by ${name}`, () => assert.equal(whereOf([[field, operation, value]]), where))
  }

  test('keep how filters belong together', () => {
    const filters = [
      ['Done__c', 'equals', '0'],
      ['Stage__c', 'equals', 'A,B'],
      ['Amount__c', 'lessThan', '5'],
    ] as const
    const [a, b, c] = ['Done__c = FALSE', "(Stage__c = 'A' OR Stage__c = 'B')", 'Amount__c < 5']
    assert.equal(whereOf(filters), `${a} AND ${b} AND ${c}`)
    const logic = (text: string) => whereOf(filters, `<booleanFilter>${text}</booleanFilter>`)
    assert.equal(logic('(1 AND 2) OR 3'), `(${a} AND ${b}) OR ${c}`)
    assert.equal(logic('1 and 2 or not 3'), `(${a} AND ${b}) OR (NOT ${c})`)
    assert.equal(logic('1 AND (2 OR NOT (3))'), `${a} AND (${b} OR (NOT ${c}))`)
    for (const wrong of [
      '1 AND 4',
      '1 AND',
      '(1',
      '1 2',
      '0',
      'AND',
      `${'('.repeat(5000)}1`,
      '1 XOR 2',
      '1; 2',
    ]) {
      assert.equal(logic(wrong), undefined, wrong)
    }
  })

  test('keep columns and scope', () => {
    const columns = ['NAME', 'Stage__c', 'Account__c', 'OWNER.ALIAS', 'CREATED_DATE', 'Nothing__c', 'NAME']
    const { view, notes } = importView(
      `<filterScope>Mine</filterScope>${columns.map((name) => `<columns>${name}</columns>`).join('')}`,
    )
    assert.deepEqual(view, {
      columns: ['Name', 'Stage__c', 'Account__r.Name', 'Owner.Alias', 'CreatedDate'],
      scope: 'mine',
    })
    assert.ok(notes.includes('listView: X__c.V: without the column Nothing__c'))
  })

  test('of standard objects keep the fields that their names mean', () => {
    const { view } = importView(
      `<columns>ACCOUNT.NAME</columns><columns>ACCOUNT.PHONE1</columns><columns>ACCOUNT.ADDRESS1_CITY</columns><columns>CORE.USERS.ALIAS</columns><filterScope>Everything</filterScope>${makeFilters([['ACCOUNT.INDUSTRY', 'equals', 'Energy']])}`,
      'Account',
      '',
    )
    assert.deepEqual(view, {
      columns: ['Name', 'Phone', 'BillingCity', 'Owner.Alias'],
      where: "Industry = 'Energy'",
    })
    const stage = importView(
      `<columns>OPPORTUNITY.STAGE_NAME</columns><filterScope>Everything</filterScope>`,
      'Opportunity',
      '',
    )
    assert.deepEqual(stage.view?.columns, ['StageName'])
  })

  test('of standard objects show the columns and records of the object that their names begin with', () => {
    const every = '<filterScope>Everything</filterScope>'
    const columnsOf = (object: string, ...columns: string[]) =>
      importView(columns.map((one) => `<columns>${one}</columns>`).join('') + every, object, '')
    const people = columnsOf('Contact', 'FULL_NAME', 'ACCOUNT.NAME', 'ACCOUNT.PHONE1', 'CONTACT.PHONE1')
    assert.deepEqual(people.view?.columns, ['Name', 'Account.Name', 'Account.Phone', 'Phone'])
    const deals = columnsOf('Opportunity', 'OPPORTUNITY.NAME', 'ACCOUNT.NAME', 'CAMPAIGN.NAME', 'LEAD.NAME')
    assert.deepEqual(deals.view?.columns, ['Name', 'Account.Name', 'Campaign.Name'])
    assert.ok(deals.notes.includes('listView: Opportunity.V: without the column LEAD.NAME'))
    const cases = columnsOf('Case', 'CASES.CASE_NUMBER', 'NAME', 'CASES.CREATED_DATE_DATE_ONLY')
    assert.deepEqual(cases.view?.columns, ['CaseNumber', 'Contact.Name', 'CreatedDate'])
    const tasks = columnsOf('Task', 'TASK.SUBJECT', 'TASK.DUE_DATE', 'TASK.WHO_NAME', 'TASK.LAST_UPDATE')
    assert.deepEqual(tasks.view?.columns, ['Subject', 'ActivityDate', 'Who.Name', 'LastModifiedDate'])
    const filtered = (object: string, filter: Filter, fields = '') =>
      importView(`${every}${makeFilters([filter])}`, object, fields).view?.where
    const recordType =
      '<recordTypes><fullName>Biz</fullName><active>true</active><label>Biz</label></recordTypes>'
    const type = ['ACCOUNT.RECORDTYPE', 'equals', 'Account.Biz'] as const
    assert.equal(filtered('Account', type, recordType), "RecordType.DeveloperName = 'Biz'")
    assert.equal(filtered('Case', ['CASES.CLOSED', 'equals', '0']), 'IsClosed = FALSE')
    assert.equal(filtered('Task', ['TASK.CLOSED', 'equals', '0']), 'IsClosed = FALSE')
    assert.equal(filtered('Contact', ['ACCOUNT.NAME', 'equals', 'Acme']), "Account.Name = 'Acme'")
    assert.equal(filtered('Account', ['SOLUTION.NAME', 'equals', 'x']), undefined)
  })

  const everything = '<filterScope>Everything</filterScope>'
  const left: [string, string][] = [
    ['of a queue', '<filterScope>Queue</filterScope><queue>Support</queue>'],
    ['of a team', '<filterScope>MyTeam</filterScope>'],
    ['of a division', `${everything}<division>North</division>`],
    ['with a filter by what is not here', everything + makeFilters([['Nothing__c', 'equals', 'x']])],
    ['with an operation that queries do not have', everything + makeFilters([['Note__c', 'within', '1']])],
    ['with a date in the form of a locale', everything + makeFilters([['Due__c', 'equals', '1/2/2026']])],
    ['with a point in time', everything + makeFilters([['CREATED_DATE', 'lessThan', '2026-01-01']])],
    ['with a day that is none', everything + makeFilters([['Due__c', 'equals', 'LAST_TUESDAY']])],
    ['with a number that is none', everything + makeFilters([['Amount__c', 'equals', '1 OR Id != null']])],
    ['with several values to compare', everything + makeFilters([['Amount__c', 'lessThan', '1,2']])],
  ]
  for (const [name, inner] of left) {
    test(`${name} are left out and noted`, () => {
      const { view, notes } = importView(inner)
      assert.equal(view, undefined)
      assert.equal(
        notes.filter((note) => /^(listView: X__c\.V: left out|refused: X__c: listViews\.V)/.test(note))
          .length,
        1,
      )
    })
  }
})

describe('what a definition may not say', () => {
  const cases: [string, string, RegExp][] = [
    [
      'a value that stands twice',
      '<fields><fullName>A__c</fullName><type>Picklist</type><picklist><picklistValues><fullName>x</fullName></picklistValues><picklistValues><fullName>X</fullName></picklistValues></picklist></fields>',
      /^refused: X__c\.A__c: one of values: "X" stands here twice/,
    ],
    [
      'a name that is none',
      '<fields><fullName>9 lives</fullName><type>Text</type></fields>',
      /^standardField: X__c: 9 lives$/,
    ],
    [
      'a name that is too long',
      `<fields><fullName>${'a'.repeat(41)}__c</fullName><type>Text</type></fields>`,
      /^refused: X__c\.a+__c: the field: the name is longer than 40 characters$/,
    ],
    [
      'a controlling field that is not there',
      '<fields><fullName>A__c</fullName><type>Picklist</type><valueSet><controllingField>B__c</controllingField><valueSetDefinition><value><fullName>x</fullName></value></valueSetDefinition></valueSet></fields>',
      /^refused: X__c\.A__c: controller: B__c is no picklist or boolean of X__c/,
    ],
    [
      'a third master',
      [0, 1, 1]
        .map(
          (order, at) =>
            `<fields><fullName>M${at}__c</fullName><type>MasterDetail</type><referenceTo>Account</referenceTo><relationshipOrder>${order}</relationshipOrder></fields>`,
        )
        .join(''),
      /^refused: X__c\.M2__c: masterDetail: M1__c is master 1 already$/,
    ],
    [
      'children of a name that is taken',
      [0, 1]
        .map(
          (at) =>
            `<fields><fullName>L${at}__c</fullName><type>Lookup</type><referenceTo>Account</referenceTo><relationshipName>Kids</relationshipName></fields>`,
        )
        .join(''),
      /^refused: X__c\.L1__c: children: Account has children Kids__r already: those of X__c\.L0__c$/,
    ],
    [
      'a name that another field has in other letters',
      '<fields><fullName>One__c</fullName><type>Text</type></fields><fields><fullName>ONE__c</fullName><type>Date</type></fields>',
      /^refused: X__c\.ONE__c: the field: there are two fields of this name/,
    ],
    [
      'more digits after the point than in all',
      '<fields><fullName>N__c</fullName><type>Number</type><precision>2</precision><scale>4</scale></fields>',
      /^refused: X__c\.N__c: scale: more digits after the point/,
    ],
  ]
  for (const [name, fields, line] of cases) {
    test(`${name} is left out and noted`, () => {
      const { files: made, notes } = importFields(fields)
      assert.deepEqual(readDefinitions(made).problems, [])
      const refused = notes.filter(({ kind }) => kind === 'refused' || kind === 'standardField')
      assert.equal(new Set(refused.map(({ location }) => location)).size, 1)
      assert.ok(
        formatNotes({ files: made, notes }).some((text) => line.test(text)),
        formatNotes({ files: made, notes }).join('\n'),
      )
    })
  }
})

describe('a file that is no metadata is refused with its name', () => {
  const bomb = `<!DOCTYPE x [${Array.from({ length: 9 }, (_, at) => `<!ENTITY e${at + 1} "${`&e${at};`.repeat(10)}">`).join('')}]><x>&e9;</x>`
  const cases: [string, string, RegExp][] = [
    ['entities of its own', bomb, /^X__c\.object: line 1: it has a DOCTYPE/],
    [
      'elements in elements without end',
      '<a>'.repeat(100_000),
      /^X__c\.object: line 1: elements are nested deeper than 30/,
    ],
    ['an element that is not closed', '<CustomObject>\n<label></CustomObject>', /^X__c\.object: line 2: /],
    ['no element', 'label: X', /^X__c\.object: line 1: /],
    ['nothing', '', /^X__c\.object: line 1: /],
    ['two outermost elements', '<a/><b/>', /^X__c\.object: line 1: it has not exactly one outermost element/],
    ['a name that is a trap', '<a><__proto__>x</__proto__></a>', /^X__c\.object: .*reserved/],
  ]
  for (const [name, text, message] of cases) {
    test(name, () => {
      assert.throws(() => importSourceFormat([{ path: 'X__c.object', text }]), { message })
    })
  }
})

test('an object whose own file is not here is made of its fields', () => {
  const path = 'objects/ns__Y__c/fields/A__c.field-meta.xml'
  const made = importSourceFormat([{ path, text: '<CustomField><type>Date</type></CustomField>' }])
  assert.deepEqual(made.files.objects, { ns__Y__c: { fields: { A__c: { type: 'date' } } } })
  assert.deepEqual(formatNotes(made), [
    'unsaid: ns__Y__c: its own file is not here: label, name field and sharing are guessed',
  ])
})

test("the fields that a project adds to a package's object keep all names (NPSP)", () => {
  const fields = {
    npe01__Opportunity__c:
      '<referenceTo>Opportunity</referenceTo><relationshipName>OppPayment</relationshipName><type>MasterDetail</type>',
    OriginalPayment__c:
      '<referenceTo>npe01__OppPayment__c</referenceTo><relationshipName>Payments</relationshipName><type>Lookup</type>',
  }
  const made = importSourceFormat([
    ...Object.entries(fields).map(([name, text]) => ({
      path: `objects/npe01__OppPayment__c/fields/${name}.field-meta.xml`,
      text: `<CustomField>${text}</CustomField>`,
    })),
    {
      path: 'objects/Account/fields/npsp__Batch__c.field-meta.xml',
      text: '<CustomField><length>18</length><type>Text</type></CustomField>',
    },
  ])
  assert.deepEqual(made.files.objects, {
    Account: { fields: { npsp__Batch__c: { type: 'string', length: 18 } } },
    npe01__OppPayment__c: {
      fields: {
        npe01__Opportunity__c: {
          type: 'reference',
          to: 'Opportunity',
          masterDetail: 0,
          children: 'npe01__OppPayment__r',
        },
        OriginalPayment__c: { type: 'reference', to: 'npe01__OppPayment__c', children: 'Payments__r' },
      },
    },
  })
  assert.deepEqual(
    made.notes.map(({ kind }) => kind),
    ['unsaid'],
  )
})

test('characters may be written by name or number, in CDATA as they are', () => {
  const { files: made } = importFields(
    '',
    '<label>R&amp;D &#39;&#x41;&lt;</label><pluralLabel><![CDATA[a&amp;b]]></pluralLabel>',
  )
  assert.equal(made.objects.X__c!.label, "R&D 'A<")
  assert.equal(made.objects.X__c!.labelPlural, 'a&amp;b')
})

test('white space at the ends of a text says nothing, whatever stands behind it', () => {
  const { files: made } = importFields(
    '',
    '<label>\n  x <![CDATA[y]]>\n</label><pluralLabel> <!-- one --> a <!-- two --> b<![CDATA[ ]]></pluralLabel>',
  )
  assert.equal(made.objects.X__c!.label, 'x y')
  assert.equal(made.objects.X__c!.labelPlural, 'a  b ')
})

/** Words that may stand anywhere, whatever sense they make there. */
const WORDS = [
  'true',
  '',
  'Region__c',
  'Project__c',
  'User',
  'toString',
  '-1',
  '99999',
  'Lookup',
  'MasterDetail',
]
const MORE_WORDS = [
  'Summary',
  'Picklist',
  'AutoNumber',
  'Cascade',
  'a__b__c',
  'ü',
  'a;b',
  'x'.repeat(300),
  '__proto__',
]

test('whatever the elements of a project say, what is imported can be deployed', () => {
  const words = fc.constantFrom(...WORDS, ...MORE_WORDS)
  const change = fc.record({ file: fc.nat(), element: fc.nat(), becomes: fc.option(words) })
  const element = / *<(\w+)>([^<>\n]*)<\/\1>/g
  fc.assert(
    fc.property(fc.array(change, { minLength: 20, maxLength: 200 }), (changes) => {
      const texts = files.map(({ text }) => text)
      for (const { file, element: at, becomes } of changes) {
        const text = texts[file % texts.length]!
        const locations = [...text.matchAll(element)]
        const location = locations[at % locations.length]
        if (location === undefined) continue
        const [whole, name] = location
        const made = becomes === null ? '' : `<${name}>${becomes}</${name}>`
        texts[file % texts.length] =
          text.slice(0, location.index) + made + text.slice(location.index + whole.length)
      }
      const made = importSourceFormat(files.map(({ path }, at) => ({ path, text: texts[at]! })))
      assert.deepEqual(readDefinitions(made.files).problems, [])
    }),
    { numRuns: runs(12) },
  )
})

test('an import keeps what the files of a deployment say about search indexes', () => {
  const name = 'Project__c'
  const file = imported.files.objects[name]
  const known = { objects: { [name]: { ...file, searchable: 'indexed' as const } }, valueSets: {} }
  const again = importSourceFormat(files, known)
  assert.equal(again.files.objects[name]!.searchable, 'indexed')
  const others = Object.entries(again.files.objects).filter(([one]) => one !== name)
  assert.ok(others.every(([, other]) => other?.searchable !== 'indexed'))
})

test('the tokens of a build are no part of names, in files and in their paths', () => {
  const { files: made, notes } = importSourceFormat([
    {
      path: 'objects/Gate__mdt/Gate__mdt.object-meta.xml',
      text: '<CustomObject><label>Gate</label><pluralLabel>Gates</pluralLabel></CustomObject>',
    },
    {
      path: 'objects/___NAMESPACE___Gate__mdt/fields/___NAMESPACE___On__c.field-meta.xml',
      text: '<CustomField><fullName>%%%NAMESPACE%%%On__c</fullName><label>On</label><type>Checkbox</type><defaultValue>false</defaultValue></CustomField>',
    },
    {
      path: 'customMetadata/___NAMESPACE___Gate.___NAMESPACED_ORG___Front.md-meta.xml',
      text: '<CustomMetadata><label>Front</label><values><field>%%%NAMESPACE%%%On__c</field><value>true</value></values></CustomMetadata>',
    },
    {
      path: 'objects/Ship__c/Ship__c.object-meta.xml',
      text: '<CustomObject><label>Ship</label><pluralLabel>Ships</pluralLabel><nameField><type>Text</type></nameField></CustomObject>',
    },
    {
      path: 'objects/Ship__c/fields/X__NAMESPACE__c.field-meta.xml',
      text: '<CustomField><fullName>X__NAMESPACE__c</fullName><label>X</label><type>Text</type><length>9</length></CustomField>',
    },
    {
      path: 'objects/Ship__c/listViews/All.listView-meta.xml',
      text: '<ListView><fullName>All</fullName><label>All</label><columns>%%%NAMESPACE%%%X__NAMESPACE__c</columns><filterScope>Everything</filterScope></ListView>',
    },
    {
      path: 'permissionsets/Sailing.permissionset-meta.xml',
      text: '<PermissionSet><label>Sailing</label><objectPermissions><object>%%%NAMESPACED_ORG%%%Ship__c</object><allowRead>true</allowRead></objectPermissions></PermissionSet>',
    },
  ])
  assert.deepEqual(notes, [])
  assert.deepEqual(Object.keys(made.objects), ['Gate__mdt', 'Ship__c'])
  assert.deepEqual(made.objects.Gate__mdt!.records, { Front: { values: { On__c: true } } })
  assert.deepEqual(made.objects.Ship__c!.listViews!.All!.columns, ['X__NAMESPACE__c'])
  assert.deepEqual(made.permissionSets!.Sailing!.objects, { Ship__c: ['read'] })
})
