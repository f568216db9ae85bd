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
import { join, resolve } from 'node:path'
import { after, beforeEach, describe, test } from 'node:test'
import { loadDefinitions } from '../../src/deployment/definitions/load-definitions.ts'
import { findSourceFiles } from '../../src/deployment/importers/source-format/find-source-files.ts'
import { importSourceFormat } from '../../src/deployment/importers/source-format/import-source-format.ts'
import { onPostgres, sharedDatabaseUrl } from '../support/engine.ts'
import { makeOwnDatabase } from '../support/own-database.ts'
import { runCommand } from '../support/run-command.ts'

const PROJECT = resolve(import.meta.dirname, '../deployment/source-project')

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
    assert.match(out, /^Wrote 22 files into .*deployment:\n {2}objects\/User\.yaml\n/)
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
