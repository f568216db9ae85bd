import assert from 'node:assert/strict'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { after, beforeEach, describe, test } from 'node:test'
import { loadDefinitions } from '../../src/definitions/files/load-definitions.ts'
import { importSourceFormat } from '../../src/importers/source-format/import-source-format.ts'
import { findSourceFiles } from '../../src/importers/source-format/project/find-source-files.ts'
import { onPostgres, sharedDatabaseUrl } from '../support/engine.ts'
import { makeOwnDatabase } from '../support/own-database.ts'
import { runCommand } from '../support/run-command.ts'

const PROJECT = resolve(import.meta.dirname, '../importers/source-project')

describe('objectry schema import', () => {
  const folder = mkdtempSync(join(tmpdir(), 'objectry-import-'))
  const into = join(folder, 'deployment')
  const csv = join(folder, 'people.csv')

  beforeEach(() => {
    rmSync(into, { recursive: true, force: true })
    writeFileSync(csv, 'Name,Person Id,Born\nAda,1,1815-12-10\nBo,2,\n')
  })
  after(() => rmSync(folder, { recursive: true }))

  const run = (args: readonly string[], settings = {}) => runCommand(['schema', 'import', ...args], settings)
  const importInto = (...args: readonly string[]) => run([...args, '--into', into])

  test('says so when the folder cannot be made', async () => {
    const { code, error } = await run([PROJECT, '--into', join(csv, 'deployment')])
    assert.equal(code, 1)
    assert.match(error, /people\.csv\/deployment cannot be made: not a directory\n$/)
    if (!existsSync('/proc/self')) return
    const below = await run([PROJECT, '--into', '/proc/objectry'])
    assert.equal(below.code, 1)
    assert.match(below.error, /\/proc\/objectry cannot be made: no such file or directory\n$/)
  })

  test('reads no package directory outside of the project, through links neither', async () => {
    const [project, other] = [join(folder, 'project'), join(folder, 'other')]
    const object = join(other, 'objects', 'Stolen__c')
    mkdirSync(object, { recursive: true })
    writeFileSync(
      join(object, 'Stolen__c.object-meta.xml'),
      '<CustomObject><label>Stolen</label></CustomObject>',
    )
    mkdirSync(project)
    symlinkSync(other, join(project, 'linked'))
    for (const path of ['../other', other.slice(1).replaceAll(/[^/]+/g, '..') + other, 'linked', '..']) {
      writeFileSync(join(project, 'sfdx-project.json'), JSON.stringify({ packageDirectories: [{ path }] }))
      const { code, error } = await importInto(project)
      assert.equal(code, 1, path)
      assert.ok(error.includes(`the package directory ${path} is outside of the project`), error)
    }
    assert.equal(existsSync(into), false)
    cpSync(other, join(project, 'own'), { recursive: true })
    writeFileSync(join(project, 'sfdx-project.json'), '{"packageDirectories":[{"path":"own"}]}')
    assert.equal((await importInto(project)).code, 0)
  })

  test('finds metadata format in a folder that has no object', async () => {
    for (const [path, text, written] of [
      [
        'labels/CustomLabels.labels',
        '<CustomLabels><labels><fullName>Hello</fullName><value>Hi</value></labels></CustomLabels>',
        'objects/Label__mdt.yaml',
      ],
      [
        'globalValueSets/Kinds.globalValueSet',
        '<GlobalValueSet><customValue><fullName>A</fullName></customValue></GlobalValueSet>',
        'value-sets/Kinds.yaml',
      ],
    ] as const) {
      const metadata = mkdtempSync(join(folder, 'metadata-'))
      mkdirSync(dirname(join(metadata, path)))
      writeFileSync(join(metadata, path), text)
      const { code, error } = await importInto(metadata)
      assert.equal(code, 0, error)
      assert.ok(existsSync(join(into, written)), written)
    }
  })

  test('leaves out what .forceignore of the project names, and says how many files by which rules', async () => {
    const project = join(folder, 'ignoring')
    const objects = join(project, 'force-app', 'objects')
    const write = (object: string, ...fields: readonly string[]) => {
      mkdirSync(join(objects, object, 'fields'), { recursive: true })
      writeFileSync(
        join(objects, object, `${object}.object-meta.xml`),
        '<CustomObject><label>Any</label></CustomObject>',
      )
      for (const field of fields) {
        writeFileSync(
          join(objects, object, 'fields', `${field}.field-meta.xml`),
          `<CustomField><fullName>${field}</fullName><label>Any</label><type>Checkbox</type></CustomField>`,
        )
      }
    }
    write('Visit__c', 'Old1__c', 'Old2__c', 'Kept_Old__c', 'New__c', 'A!b__c', 'Z9__c')
    write('Draft__c', 'Kept_Old__c')
    write('Test_A__c')
    write('Anchored__c')
    writeFileSync(join(project, 'sfdx-project.json'), '{"packageDirectories":[{"path":"force-app"}]}')
    const ignore = (...lines: readonly string[]) =>
      writeFileSync(join(project, '.forceignore'), lines.join('\r\n'))
    ignore(
      '# Nothing: Visit__c',
      '',
      '**/fields/*OLD*   ',
      '!Kept_Old__c.field-meta.xml',
      'Draft__c/',
      'force-app/**/[Tt]est_?__c/**',
      '/Anchored__c',
      'objects/Visit__c',
      'Z[0-8]__c.*',
      'A\\!b__c.*',
    )
    for (const path of [project, join(project, 'force-app')]) {
      rmSync(into, { recursive: true, force: true })
      const { code, out, error } = await importInto(path)
      assert.equal(code, 0, error)
      assert.ok(
        out.includes(
          `Files that the project leaves out. Take the rule out of the file that has it, and import again.\n  ${join(project, '.forceignore')}: 6 files, by Draft__c/ (2), force-app/**/[Tt]est_?__c/** (1), A\\!b__c.* (1), **/fields/*OLD* (2)\n`,
        ),
        out,
      )
      const { files } = loadDefinitions(into)
      assert.deepEqual(Object.keys(files.objects), ['Anchored__c', 'Visit__c'])
      assert.deepEqual(Object.keys(files.objects.Visit__c!.fields!), ['Kept_Old__c', 'New__c', 'Z9__c'])
    }
    ignore('force-app')
    const { code, error } = await importInto(project)
    assert.deepEqual(
      [code, error],
      [1, `${join(project, '.forceignore')} leaves out all that is there: 11 files, by force-app (11)\n`],
    )
    ignore(`${'*a'.repeat(200)}*b*`, `${'**/a/'.repeat(200)}b`)
    rmSync(into, { recursive: true })
    const { out, code: harmless } = await importInto(project)
    assert.equal(harmless, 0)
    assert.match(out, /Draft__c/)
  })

  test('refuses a file of metadata that is too large before it reads it', async () => {
    const object = join(folder, 'large', 'objects', 'Large__c')
    mkdirSync(object, { recursive: true })
    const file = join(object, 'Large__c.object-meta.xml')
    writeFileSync(file, '<CustomObject>')
    truncateSync(file, 100 * 1024 ** 2)
    const { code, error } = await importInto(join(folder, 'large'))
    assert.equal(code, 1)
    assert.match(error, /Large__c\.object-meta\.xml has 100 MB\. Files of metadata have at most 50 MB\.\n$/)
    const describe = join(folder, 'large.json')
    writeFileSync(describe, '{"name":"Large__c"')
    truncateSync(describe, 100 * 1024 ** 2)
    assert.match((await importInto(describe)).error, /large\.json has 100 MB\./)
  })

  test('writes a project into the deployment folder, with what editors check it with', async () => {
    const { code, out, error } = await importInto(PROJECT)
    assert.equal(code, 0, error)
    assert.match(out, /^Wrote 23 files into .*deployment:\n {2}objects\/User\.yaml\n/)
    assert.match(
      out,
      /\n\nFormulas that cannot be compiled: stored fields now\. Correct the formula at the position[^\n]*\n {2}Project__c\.Broken__c: 2:3: .*\n\nRoll-ups that cannot be computed: stored fields now\./,
    )
    assert.ok(out.endsWith(`\nNext: npx objectry deploy --deployment ${into}\n`))
    assert.deepEqual(readdirSync(into), [
      'objects',
      'objects.schema.json',
      'permission-sets',
      'permission-sets.schema.json',
      'profiles',
      'profiles.schema.json',
      'settings',
      'settings.schema.json',
      'value-sets',
      'value-sets.schema.json',
    ])
    const { files } = loadDefinitions(into)
    assert.deepEqual(files, importSourceFormat(findSourceFiles(PROJECT)).files)
    assert.match(
      readFileSync(join(into, 'objects/acme__Rate__c.yaml'), 'utf8'),
      /^# yaml-language-server: \$schema=/,
    )
  })

  test('takes one object of a project, and what the deployment has already', async () => {
    await importInto(PROJECT, '--object', 'Project__c')
    const { code, out, error } = await importInto(PROJECT, '--object', 'Project_Line__c')
    assert.equal(code, 0, error)
    assert.match(out, /^Wrote 1 file into [^\n]*\n {2}objects\/Project_Line__c\.yaml\n/)
    assert.equal(loadDefinitions(into).files.objects.Project_Line__c!.fields!.Project__c!.to, 'Project__c')
    rmSync(into, { recursive: true })
    await importInto(PROJECT, '--object', 'Project__c')
    assert.deepEqual(Object.keys(loadDefinitions(into).files.valueSets), ['Phases'])
    await importInto(PROJECT, '--object', 'Invoice__c')
    assert.deepEqual(Object.keys(loadDefinitions(into).files.objects), ['Invoice__c', 'Project__c'])
    const none = await importInto(PROJECT, '--object', 'Projekt__c')
    assert.deepEqual([none.code, none.error], [1, 'Projekt__c is not among what was found\n'])
  })

  test('takes a describe or a folder of them', async () => {
    const body = {
      name: 'Pet__c',
      label: 'Pet',
      labelPlural: 'Pets',
      fields: [{ name: 'Name', label: 'Pet Name', type: 'string', length: 80, nameField: true }],
    }
    const describes = join(folder, 'describes')
    mkdirSync(describes, { recursive: true })
    writeFileSync(join(describes, 'pet.json'), JSON.stringify({ status: 0, result: body }))
    for (const path of [describes, join(describes, 'pet.json')]) {
      rmSync(into, { recursive: true, force: true })
      const { code, out, error } = await importInto(path)
      assert.equal(code, 0, error)
      assert.match(out, /objects\/Pet__c\.yaml/)
    }
  })

  test('takes a CSV file, for an object named after it or as is said', async () => {
    const { code, out } = await importInto(csv)
    assert.equal(code, 0)
    assert.match(out, /\n {2}People__c\.Born__c: date: "Born" has 1 value of 2 rows, days\n/)
    const named = await importInto(csv, '--object', 'Person__c')
    assert.equal(named.code, 0)
    assert.deepEqual(Object.keys(loadDefinitions(into).files.objects), ['People__c', 'Person__c'])
  })

  test('takes tables of a PostgreSQL database', { skip: !onPostgres }, async () => {
    await sharedDatabaseUrl()
    const database = await makeOwnDatabase(process.env.TEST_DATABASE_URL!, 'import')
    try {
      const { code, out, error } = await importInto(
        '--table',
        'information_schema.sql_features',
        '--from',
        database.url,
        '--object',
        'Feature__c',
      )
      assert.equal(code, 0, error)
      assert.match(out, /objects\/Feature__c\.yaml/)
      const missing = await importInto('--table', 'nope', '--from', database.url)
      assert.deepEqual([missing.code, missing.error], [1, 'there is no table nope\n'])
    } finally {
      await database.drop()
    }
  })

  test('leaves files with other content alone, unless it is told to replace them', async () => {
    await importInto(csv)
    const file = join(into, 'objects/People__c.yaml')
    const again = await importInto(csv)
    assert.equal(again.code, 0)
    assert.match(again.out, /^Nothing to write\.\n1 file there already with the same content\.\n/)
    writeFileSync(csv, 'Name,Age\nAda,7\n')
    const text = readFileSync(file, 'utf8')
    const refused = await importInto(csv)
    assert.equal(refused.code, 1)
    assert.match(
      refused.error,
      /^objects\/People__c\.yaml is in .* already, with other content\. Nothing was written; --overwrite replaces it\n$/,
    )
    assert.equal(readFileSync(file, 'utf8'), text)
    assert.equal((await importInto(csv, '--overwrite')).code, 0)
    assert.deepEqual(Object.keys(loadDefinitions(into).files.objects.People__c!.fields!), ['Name', 'Age__c'])
  })

  const FIELD = (name: string, label = name) =>
    `<CustomField><fullName>${name}</fullName><label>${label}</label><type>Text</type><length>20</length></CustomField>`
  const VIEW = (name: string, field: string) =>
    `<ListView><fullName>${name}</fullName><label>${name}</label><columns>NAME</columns><filterScope>Everything</filterScope><filters><field>${field}</field><operation>equals</operation><value>x</value></filters></ListView>`
  const TYPE = (name: string) =>
    `<RecordType><fullName>${name}</fullName><active>true</active><label>${name}</label></RecordType>`
  const RIGHTS = (rights: string, fields = '') =>
    `<PermissionSet><label>Sales</label><objectPermissions><object>Account</object>${rights}</objectPermissions>${fields}</PermissionSet>`
  const RIGHT = (name: string) => `<${name}>true</${name}>`

  /** Writes the files of a project with some package directories, each by its path below `main/default`. */
  function writeProject(name: string, packages: Record<string, Record<string, string>>): string {
    const project = join(folder, name)
    rmSync(project, { recursive: true, force: true })
    for (const [directory, written] of Object.entries(packages)) {
      for (const [path, text] of Object.entries(written)) {
        const file = join(project, directory, 'main/default', path)
        mkdirSync(dirname(file), { recursive: true })
        writeFileSync(file, text)
      }
    }
    const packageDirectories = Object.keys(packages).map((path) => ({ path }))
    writeFileSync(join(project, 'sfdx-project.json'), JSON.stringify({ packageDirectories }))
    return project
  }

  const FIRST = {
    'objects/Account/fields/Tier__c.field-meta.xml': FIELD('Tier__c'),
    'objects/Account/fields/Both__c.field-meta.xml': FIELD('Both__c', 'Of the first'),
    'objects/Account/fields/Same__c.field-meta.xml': FIELD('Same__c'),
    'objects/Account/recordTypes/Partner.recordType-meta.xml': TYPE('Partner'),
    'objects/Trip__c/Trip__c.object-meta.xml':
      '<CustomObject><label>Trip</label><sharingModel>Private</sharingModel></CustomObject>',
    'permissionsets/Sales.permissionset-meta.xml': RIGHTS(RIGHT('allowRead') + RIGHT('allowCreate')),
    'labels/CustomLabels.labels-meta.xml':
      '<CustomLabels><labels><fullName>Hello</fullName><value>Hi</value></labels></CustomLabels>',
  }
  const SECOND = {
    'objects/Account/fields/Region__c.field-meta.xml': FIELD('Region__c'),
    'objects/Account/fields/Both__c.field-meta.xml': FIELD('Both__c', 'Of the second'),
    'objects/Account/fields/Same__c.field-meta.xml': FIELD('Same__c'),
    'objects/Account/recordTypes/Customer.recordType-meta.xml': TYPE('Customer'),
    'objects/Account/listViews/Tiers.listView-meta.xml': VIEW('Tiers', 'Tier__c'),
    'objects/Trip__c/Trip__c.object-meta.xml': '<CustomObject><label>Journey</label></CustomObject>',
    'permissionsets/Sales.permissionset-meta.xml': RIGHTS(RIGHT('allowRead') + RIGHT('allowEdit')),
    'labels/CustomLabels.labels-meta.xml':
      '<CustomLabels><labels><fullName>Hello</fullName><value>Good day</value></labels><labels><fullName>Bye</fullName><value>Bye</value></labels></CustomLabels>',
  }

  function assertBoth(out: string, first: string, second: string): void {
    const { objects, permissionSets } = loadDefinitions(into).files
    const { fields, recordTypes, listViews } = objects.Account!
    assert.deepEqual(Object.keys(fields!).sort(), ['Both__c', 'Region__c', 'Same__c', 'Tier__c'])
    assert.equal(fields!.Both__c!.label, 'Of the second')
    assert.deepEqual(Object.keys(recordTypes!).sort(), ['Customer', 'Partner'])
    assert.equal(listViews!.Tiers!.where, "Tier__c = 'x'")
    assert.deepEqual([objects.Trip__c!.label, objects.Trip__c!.sharing], ['Journey', 'private'])
    assert.deepEqual(permissionSets!.Sales!.objects, { Account: ['read', 'create', 'edit'] })
    assert.deepEqual(Object.keys(objects.Label__mdt!.records!).sort(), ['Bye', 'Hello'])
    const [, notes = ''] = /^Components that two files[^\n]*\n((?: {2}.*\n)+)/m.exec(out) ?? []
    const at = (path: string) => `${first}/main/default/${path} and ${second}/main/default/${path}`
    const taken = 'the second one is taken'
    assert.deepEqual(notes.trimEnd().split('\n').sort(), [
      `  Account.Both__c: ${at('objects/Account/fields/Both__c.field-meta.xml')}: ${taken}`,
      `  Trip__c: label in ${at('objects/Trip__c/Trip__c.object-meta.xml')}: ${taken}`,
      `  label Hello: ${at('labels/CustomLabels.labels-meta.xml')}: ${taken}`,
      `  permission set Sales: ${at('permissionsets/Sales.permissionset-meta.xml')}: what one of them grants is granted`,
    ])
  }

  test('puts what several projects say of an object into one file, and names what two of them say differently', async () => {
    const first = writeProject('first', { app: FIRST })
    const second = writeProject('second', { app: SECOND })
    const { code, out, error } = await importInto(first, second)
    assert.equal(code, 0, error)
    assertBoth(out, 'first/app', 'second/app')
    const again = await importInto(first, second, first)
    assert.match(again.out, /^Nothing to write\.\n/)
  })

  test('does the same with several package directories of a project', async () => {
    const project = writeProject('whole', { core: FIRST, more: SECOND })
    const { code, out, error } = await importInto(project)
    assert.equal(code, 0, error)
    assertBoth(out, 'core', 'more')
  })

  test('loses nothing of a project to another one that is imported later: it says how both are', async () => {
    const first = writeProject('first', { app: FIRST })
    const second = writeProject('second', { app: SECOND })
    await importInto(first)
    const before = readFileSync(join(into, 'objects/Account.yaml'), 'utf8')
    const { code, error } = await importInto(second)
    assert.equal(code, 1)
    assert.match(
      error,
      /^objects\/Account\.yaml, .* are in .* objectry schema import <project> <other project>\n$/,
    )
    assert.equal(readFileSync(join(into, 'objects/Account.yaml'), 'utf8'), before)
    const both = await importInto(first, second, '--overwrite')
    assert.equal(both.code, 0, both.error)
    assert.equal(Object.keys(loadDefinitions(into).files.objects.Account!.fields!).length, 4)
  })

  test('takes several paths of projects only', async () => {
    const project = writeProject('first', { app: FIRST })
    const refused = await importInto(project, csv)
    assert.deepEqual(
      [refused.code, refused.error],
      [2, `only projects in source format are imported together: import ${csv} by itself\n`],
    )
  })

  test('writes into the folder of the setting when none is named', async () => {
    mkdirSync(into)
    const { code, out } = await run([csv], { OBJECTRY_DEPLOYMENT: into })
    assert.equal(code, 0)
    assert.ok(out.endsWith('\nNext: npx objectry deploy\n'))
    assert.ok(existsSync(join(into, 'objects/People__c.yaml')))
  })

  test('says what is wrong, and what to do', async () => {
    const broken = join(folder, 'broken')
    cpSync(join(PROJECT, 'legacy'), broken, { recursive: true })
    writeFileSync(join(broken, 'objects/Invoice__c.object'), '<CustomObject>\n<label></CustomObject>')
    const empty = join(folder, 'empty')
    mkdirSync(empty)
    const text = join(folder, 'people.txt')
    writeFileSync(text, '')
    const cases: [readonly string[], RegExp][] = [
      [[], /^say what to import: a path, or --table with --from$/],
      [[join(folder, 'nope')], /^there is no .*nope$/],
      [
        [empty],
        /has neither metadata files nor describes; --format source, describe, csv, table says what it is$/,
      ],
      [[text], /people\.txt is none of \.csv, \.json and \.xml; --format/],
      [[empty, '--format', 'source'], /has no metadata files: \*-meta\.xml or \*\.object$/],
      [[broken], /^broken\/objects\/Invoice__c\.object: line 2: /],
      [['--table', 'a.b'], /^say which database has the table: --from postgres:/],
      [
        [csv, '--object', 'Person'],
        /^Person is not a standard object; the name of a custom object ends in __c: --object Person__c$/,
      ],
    ]
    for (const [args, message] of cases) {
      const { code, error } = await importInto(...args)
      assert.equal(code, error.startsWith('say ') ? 2 : 1)
      assert.match(error.trimEnd(), message)
    }
    const nowhere = await run([csv])
    assert.deepEqual(
      [nowhere.code, nowhere.error],
      [2, 'say where the files go: --into <folder>, or OBJECTRY_DEPLOYMENT for good\n'],
    )
    assert.ok(!existsSync(into))
  })
})
