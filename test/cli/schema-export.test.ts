import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { readConfig } from '../../src/config/config.ts'
import { type Objectry, start } from '../../src/server/main.ts'
import { ON_EMBEDDED } from '../support/engine.ts'
import { runCommand } from '../support/run-command.ts'
import { makeDataFolder } from '../support/server-process.ts'
import { writeDeployment } from '../support/trigger-files.ts'

/* `objectry schema export`: what it writes makes the same org elsewhere. */

const TRIP = `
label: Journey
sharing: private
indexes: [[ Start__c, Status__c ]]
fields:
  Name: { type: autonumber, format: 'J-{0000}' }
  Start__c: { type: date, required: true, help: First day }
  Status__c:
    type: picklist
    restricted: true
    values: [ { value: open, label: Open, default: true }, closed, { value: lost, inactive: true } ]
  Region__c: { type: picklist, valueSet: Regions }
  City__c:
    type: picklist
    controller: Region__c
    values: [ { value: Oslo, validFor: [ North ] }, { value: Rome, validFor: [ South ] } ]
  Cost__c: { type: currency, precision: 12, scale: 2, default: 0 }
  Code__c: { type: string, length: 12, unique: true, externalId: true, caseSensitive: true }
  Account__c: { type: reference, to: Account, children: Journeys__r, onDelete: restrict }
  Where__c: { type: location }
recordTypes:
  Business: { default: true, picklists: { Region__c: [ North ] } }
  Leisure:
listViews:
  Open_Ones: { columns: [ Name, Account__r.Name ], where: Status__c IN ('open'), orderBy: Start__c DESC }
  Own: { scope: mine }
  Plain:
`
const FILES = {
  'objects/Trip__c.yaml': TRIP,
  'objects/Stop__c.yaml':
    'fields: { Trip__c: { type: reference, to: Trip__c, masterDetail: 0, children: Stops__r }, Nights__c: { type: int } }',
  'objects/Account.yaml':
    'fields: { Tier__c: { type: picklist, values: [ A, B ] }, Industry: { values: [ Travel, Other ] } }',
  'value-sets/Regions.yaml':
    'label: Parts of the world\ndescription: Where journeys go\nvalues: [ { value: North, label: Up North }, South ]',
  'permission-sets/Planning.yaml':
    'label: Trip Planning\nobjects: { Trip__c: [ read, edit ] }\nfields: { Trip__c.Cost__c: read, Account.Tier__c: edit }',
  'settings/Company.yaml': 'fiscalYear: { startMonth: 4, namedBy: startDate }',
  'profiles/Sales%2FNorth.yaml': 'system: [ ApiEnabled ]\nobjects: { Account: [ read ] }',
}

/** Every file of a folder with its text. */
const filesIn = (folder: string) =>
  Object.fromEntries(
    globSync('**/*.{yaml,json,xml}', { cwd: folder })
      .sort()
      .map((path) => [path, readFileSync(join(folder, path), 'utf8')]),
  )

describe('objectry schema export', ON_EMBEDDED, () => {
  const folder = makeDataFolder()
  const settings = { OBJECTRY_DATA: folder.data }
  let server: Objectry

  before(async () => {
    server = await start(readConfig({}, { data: folder.data, port: '0', logLevel: 'silent' }))
    for (const name of ['One', 'Two']) {
      assert.equal((await runCommand(['org', 'create', name], settings)).code, 0)
    }
  })
  after(async () => {
    await server.stop()
    folder.remove()
  })

  const run = async (...args: string[]) => {
    const { code, out, error } = await runCommand(args, settings)
    assert.deepEqual([code, error], [0, ''])
    return out
  }
  const deploy = (org: string, deployment: string, ...flags: string[]) =>
    run('deploy', '--org', org, '--deployment', deployment, ...flags)
  const exported = async (org: string) => {
    const into = writeDeployment({})
    await run('schema', 'export', '--org', org, '--into', into)
    return into
  }

  test('tells the files that it wrote; editors find their schemas beside them', async () => {
    await deploy('One', writeDeployment(FILES))
    const into = writeDeployment({})
    const out = await run('schema', 'export', '--org', 'One', '--into', into)
    const reported = [
      'objects/Account.yaml',
      'objects/Trip__c.yaml',
      'objects/Stop__c.yaml',
      'value-sets/Regions.yaml',
      'permission-sets/Planning.yaml',
      'profiles/Sales%2FNorth.yaml',
      'settings/Company.yaml',
    ]
    const schemas = ['objects', 'value-sets', 'permission-sets', 'profiles', 'settings'].map(
      (name) => `${name}.schema.json`,
    )
    assert.deepEqual(out.trimEnd().split('\n').sort(), reported.map((path) => join(into, path)).sort())
    const files = filesIn(into)
    assert.deepEqual(Object.keys(files).sort(), [...reported, ...schemas].sort())
    for (const path of reported) {
      const [schema] = /(?<=\$schema=).*/.exec(files[path]!)!
      assert.ok(schema.replace('../', '') in files, schema)
    }
    for (const name of schemas) {
      assert.equal(typeof JSON.parse(files[name]!), 'object')
    }
  })

  test('what is exported is what is there: there is nothing to deploy', async () => {
    assert.match(await deploy('One', await exported('One')), /^Nothing to do/)
  })

  test('deployed into another org, changed and deployed again, both give the same files', async () => {
    await deploy('Two', await exported('One'))
    assert.deepEqual(filesIn(await exported('Two')), filesIn(await exported('One')))

    const trip = TRIP.replace('  Where__c: { type: location }\n', '  Rank__c: { type: int }\n')
      .replace('length: 12', 'length: 40')
      .replace('North ] }, { value: Rome', 'North ] }, { value: Bergen, validFor: [ North ] }, { value: Rome')
    const changed = {
      ...FILES,
      'objects/Trip__c.yaml': trip,
      'value-sets/Regions.yaml': 'values: [ North, South, West ]',
    }
    await deploy('One', writeDeployment(changed), '--allow-destructive')
    const files = filesIn(await exported('One'))
    assert.notDeepEqual(files, filesIn(await exported('Two')))
    await deploy('Two', await exported('One'), '--allow-destructive')
    assert.deepEqual(filesIn(await exported('Two')), files)
  })

  test('in source format says what it leaves out, and is imported as it was', async () => {
    const project = writeDeployment({})
    const args = ['schema', 'export', '--format', 'source', '--org', 'One', '--into', project]
    const { code, out, error } = await runCommand(args, settings)
    assert.equal(code, 0, error)
    assert.deepEqual(
      out.trimEnd().split('\n').sort(),
      Object.keys(filesIn(project))
        .map((path) => join(project, path))
        .sort(),
    )
    assert.match(error, /^Trip__c: indexes is not written$/m)
    assert.match(error, /^Trip__c\.Open_Ones: orderBy is not written$/m)
    const into = writeDeployment({})
    assert.equal((await runCommand(['schema', 'import', project, '--into', into], settings)).code, 0)
    const definitions = filesIn(into)
    for (const path of ['permission-sets/Planning.yaml', 'settings/Company.yaml'])
      assert.equal(definitions[path], filesIn(await exported('One'))[path], path)
  })

  /** Exports in a format, imports that, and returns what was exported and what that gave. */
  const carryOver = async (org: string, format: string) => {
    const [carrier, into] = [writeDeployment({}), writeDeployment({})]
    const args = ['schema', 'export', '--format', format, '--org', org, '--into', carrier]
    const exporting = await runCommand(args, settings)
    assert.equal(exporting.code, 0, exporting.error)
    const importing = await runCommand(['schema', 'import', carrier, '--into', into], settings)
    assert.equal(importing.code, 0, importing.error)
    return { carrier, notes: exporting.error, told: exporting.out, definitions: filesIn(into) }
  }

  test('in metadata format gives the same definitions as in source format, and says the same of what it leaves out', async () => {
    const imported = writeDeployment({})
    const project = join(import.meta.dirname, '../importers/source-project')
    await run('schema', 'import', project, '--into', imported)
    await run('org', 'create', 'Three')
    await deploy('Three', imported)
    const examples = ['contact-sync', 'deployment'].map((name) =>
      join(import.meta.dirname, '../../examples', name),
    )
    for (const [at, deployment] of examples.entries()) {
      await run('org', 'create', `Example ${at}`)
      await deploy(`Example ${at}`, deployment)
    }
    for (const org of ['One', 'Three', 'Example 0', 'Example 1']) {
      const [metadata, source] = [await carryOver(org, 'metadata'), await carryOver(org, 'source')]
      assert.ok(Object.keys(source.definitions).length > 0, org)
      assert.deepEqual(metadata.definitions, source.definitions, org)
      assert.equal(metadata.notes, source.notes, org)
    }
  })

  test('in metadata format writes a file for each component, and a manifest of them', async () => {
    const { carrier, told } = await carryOver('One', 'metadata')
    const paths = globSync('**/*.*', { cwd: carrier }).sort()
    assert.deepEqual(paths, [
      'globalValueSets/Regions.globalValueSet',
      'objects/Account.object',
      'objects/Stop__c.object',
      'objects/Trip__c.object',
      'package.xml',
      'permissionsets/Planning.permissionset',
      'profiles/Sales%2FNorth.profile',
      'settings/Company.settings',
    ])
    assert.deepEqual(told.trimEnd().split('\n').sort(), paths.map((path) => join(carrier, path)).sort())
    const account = readFileSync(join(carrier, 'objects/Account.object'), 'utf8')
    assert.deepEqual(account.match(/(?<=<fields>\s*<fullName>)\w+/g), ['Industry', 'Tier__c'])
    const trip = readFileSync(join(carrier, 'objects/Trip__c.object'), 'utf8')
    assert.deepEqual(trip.match(/(?<=^ {4}<)\w+/gm), [
      ...['deploymentStatus', 'enableActivities', 'enableHistory', 'enableSearch'],
      ...Array(8).fill('fields'),
      'label',
      ...Array(3).fill('listViews'),
      ...['nameField', 'pluralLabel', 'recordTypes', 'recordTypes', 'sharingModel'],
    ])
    assert.match(
      readFileSync(join(carrier, 'settings/Company.settings'), 'utf8'),
      /^<CompanySettings xmlns="http:\/\/soap\.sforce\.com\/2006\/04\/metadata">$/m,
    )
    const manifest = readFileSync(join(carrier, 'package.xml'), 'utf8')
    assert.deepEqual(manifest.match(/(?<=<name>)\w+/g), [
      'CustomField',
      'CustomObject',
      'GlobalValueSet',
      'ListView',
      'PermissionSet',
      'Profile',
      'RecordType',
      'Settings',
    ])
    assert.match(
      manifest,
      /<types>\n {8}<members>Stop__c<\/members>\n {8}<members>Trip__c<\/members>\n {8}<name>CustomObject<\/name>\n {4}<\/types>/,
    )
    assert.match(manifest, /\n {4}<version>68\.0<\/version>\n<\/Package>\n$/)
  })

  test('an org with the standard objects alone has nothing to export', async () => {
    const into = writeDeployment({})
    assert.equal(
      await run('schema', 'export', '--into', into),
      'The org has the standard objects and nothing else.\n',
    )
  })

  test('needs to know where to', async () => {
    const { code, out, error } = await runCommand(['schema', 'export'], settings)
    assert.deepEqual([code, out, error], [2, '', 'Where to? objectry schema export --into deployment\n'])
    const inMetadata = await runCommand(['schema', 'export', '--format', 'metadata'], settings)
    assert.deepEqual(
      [inMetadata.code, inMetadata.error],
      [2, 'Where to? objectry schema export --format metadata --into metadata\n'],
    )
  })
})
