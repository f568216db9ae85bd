import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { readConfig } from '../../src/config/config.ts'
import { type Objectry, start } from '../../src/server/main.ts'
import { ON_EMBEDDED, onPostgres } from '../support/engine.ts'
import { makeOwnDatabase, type OwnDatabase } from '../support/own-database.ts'
import { runCommand } from '../support/run-command.ts'
import { fetchToken, makeDataFolder } from '../support/server-process.ts'
import { writeDeployment } from '../support/trigger-files.ts'

/* `objectry deploy` as people run it: a process of its own, in the three ways in which it reaches an org. */

const BOX = `
fields:
  Size__c: { type: string, length: 20 }
  Code__c: { type: string, length: 10, unique: true, externalId: true }
  Account__c: { type: reference, to: Account }
`
const TWO = { 'objects/Box__c.yaml': BOX, 'objects/Lid__c.yaml': '' }
const NONE = { 'objects/README.md': 'No objects of our own.' }

const PLAN = `  + Box__c: new object with 4 fields
  + Lid__c: new object with 1 field

2 to add.
`

const versionIn = (out: string) => Number(/version (\d+)/.exec(out)?.[1])

type Settings = Readonly<Record<string, string>>

const deploying =
  (settings: () => Settings) =>
  (files: Readonly<Record<string, string>>, ...flags: string[]) =>
    runCommand(['deploy', '--deployment', writeDeployment(files), ...flags], settings())

let sets = 0

/** Rules that hold wherever the org is. `settings` name its place. */
function holdsEverywhere(settings: () => Settings) {
  const deploy = deploying(settings)

  test('--plan tells what would be done and does nothing', async () => {
    assert.deepEqual(await deploy(TWO, '--plan'), { code: 0, out: PLAN, error: '' })
  })

  test('the plan is told and carried out, and then there is nothing to do', async () => {
    const { code, out, error } = await deploy(TWO)
    assert.deepEqual([code, error], [0, ''])
    const version = versionIn(out)
    assert.equal(out, `${PLAN}Deployed. The schema is at version ${version}.\n`)
    const again = `Nothing to do: the org has these objects already (version ${version}).\n`
    assert.deepEqual(await deploy(TWO), { code: 0, out: again, error: '' })
  })

  test('permission sets and profiles are part of it, and keep the version of the schema', async () => {
    // The org keeps them when their files are gone.
    const name = `Packing${++sets}`
    const withRights = (objects: string) => ({
      ...TWO,
      [`permission-sets/${name}.yaml`]: `objects: ${objects}\nfields: { Box__c.Size__c: edit }`,
      [`profiles/${name}.yaml`]: 'system: [ApiEnabled]',
    })
    const files = withRights('{ Box__c: [read, create] }')
    const plan = `  + PermissionSet ${name}: new, with rights on 1 object and 1 field
  + Profile ${name}: new, with ApiEnabled, rights on 0 objects and 0 fields

2 to add.
`
    assert.deepEqual(await deploy(files, '--plan'), { code: 0, out: plan, error: '' })
    const { out } = await deploy(files)
    const version = versionIn((await deploy(TWO)).out)
    assert.equal(out, `${plan}Deployed. The schema is at version ${version}.\n`)
    assert.match((await deploy(files)).out, /^Nothing to do/)
    const change = `  ~ PermissionSet ${name}: Box__c: read, create → read\n\n1 to change.\n`
    assert.equal((await deploy(withRights('{ Box__c: [read] }'), '--plan')).out, change)
  })

  test('what the deployment does not name goes when that is allowed', async () => {
    const { code, out } = await deploy(NONE, '--allow-destructive')
    assert.equal(code, 0)
    const plan =
      '  - Box__c: goes with its records (no record loses anything)\n  - Lid__c: goes with its records (no record loses anything)\n\n2 to destroy.\n'
    assert.ok(out.startsWith(`${plan}Deployed.`), out)
  })
}

describe('objectry deploy on the embedded engine', ON_EMBEDDED, () => {
  const folder = makeDataFolder()
  const settings = () => ({ OBJECTRY_DATA: folder.data })
  const deploy = deploying(settings)
  let server: Objectry
  let send: (method: string, path: string, body?: unknown) => Promise<Response>

  before(async () => {
    server = await start(readConfig({}, { data: folder.data, port: '0', logLevel: 'silent' }))
    const token = await fetchToken(server.address, server.firstApp!)
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    send = (method, path, body) =>
      fetch(`${server.address}/services/data/v64.0${path}`, {
        method,
        headers,
        body: body === undefined ? null : JSON.stringify(body),
      })
  })
  after(() => folder.remove())

  async function create(object: string, fields: object): Promise<string> {
    const response = await send('POST', `/sobjects/${object}`, fields)
    const { id } = (await response.json()) as { id: string }
    assert.equal(response.status, 201)
    return id
  }

  const fieldNames = async (object: string) => {
    const response = await send('GET', `/sobjects/${object}/describe`)
    const { fields } = (await response.json()) as { fields: { name: string; custom: boolean }[] }
    return fields
      .filter(({ custom }) => custom)
      .map(({ name }) => name)
      .sort()
  }

  describe('while a server holds the data folder', () => {
    holdsEverywhere(settings)

    describe('where there are records', () => {
      let box: string
      let version: number

      before(async () => {
        version = versionIn((await deploy(TWO)).out)
        box = await create('Box__c', { Name: 'one', Size__c: 'big', Code__c: 'codes' })
        await create('Box__c', { Name: 'two', Size__c: null })
        await create('Lid__c', { Name: 'lid' })
      })

      const unchanged = async () => {
        assert.deepEqual(await fieldNames('Box__c'), ['Account__c', 'Code__c', 'Size__c'])
        assert.equal(versionIn((await deploy(TWO)).out), version)
      }

      test('steps that lose data are marked with what they lose, and refused', async () => {
        const { code, out, error } = await deploy({ 'objects/Box__c.yaml': 'label: Crate' })
        assert.equal(code, 1)
        const lines = [
          '  ~ Box__c.Name: label "Box Name" → "Crate Name"',
          '  - Box__c.Size__c: goes with its values (1 record loses something)',
          '  - Box__c.Code__c: goes with its values (1 record loses something)',
          '  - Box__c.Account__c: goes with its values (no record loses anything)',
          '  ~ Box__c: label "Box" → "Crate", labelPlural "Boxes" → "Crates"',
          '  - Lid__c: goes with its records (1 record loses something)',
          '',
          '2 to change, 4 to destroy.',
          '',
        ]
        assert.equal(out, lines.join('\n'))
        const refusal =
          'Nothing was deployed: steps marked with - lose data. Run it again with --allow-destructive if that is meant, or with --keep to leave alone what the deployment does not name.\n'
        assert.equal(error, refusal)
        await unchanged()
      })

      test('records that stand in the way are named; no flag overrides them', async () => {
        const files = { ...TWO, 'objects/Box__c.yaml': BOX.replace('string, length: 20', 'int') }
        for (const flags of [[], ['--allow-destructive'], ['--keep']]) {
          const { code, out, error } = await deploy(files, ...flags)
          assert.equal(code, 1)
          assert.match(out, /^ {2}~ Box__c\.Size__c: type "string" → "int", length 20 → none\n/)
          assert.ok(out.includes(`\n  ! Box__c.Size__c: 1 record with a value`), out)
          assert.ok(out.includes(`: "big" is not a valid int: ${box}\n`), out)
          const refusal =
            'Nothing was deployed: mend the records or the definitions that are marked with ! first.\n'
          assert.equal(error, refusal)
        }
        await unchanged()
      })

      test('--keep leaves alone what the deployment does not name', async () => {
        const files = { 'objects/Box__c.yaml': 'fields: { New__c: { type: int } }' }
        const { code, out } = await deploy(files, '--keep')
        assert.equal(code, 0)
        assert.ok(out.startsWith('  + Box__c.New__c: new int\n\n1 to add.\nDeployed.'), out)
        assert.deepEqual(await fieldNames('Box__c'), ['Account__c', 'Code__c', 'New__c', 'Size__c'])
        assert.equal((await send('GET', '/sobjects/Lid__c')).status, 200)
      })

      test('--allow-destructive carries out what loses data; the rest stays', async () => {
        const { code } = await deploy({ 'objects/Box__c.yaml': BOX }, '--allow-destructive')
        assert.equal(code, 0)
        assert.deepEqual(await fieldNames('Box__c'), ['Account__c', 'Code__c', 'Size__c'])
        assert.equal((await send('GET', '/sobjects/Lid__c')).status, 404)
        const { Size__c } = (await (await send('GET', `/sobjects/Box__c/${box}`)).json()) as {
          Size__c: string
        }
        assert.equal(Size__c, 'big')
      })
    })

    describe('says what is missing or wrong, exits with 1 and changes nothing:', () => {
      const cases: readonly (readonly [string, Readonly<Record<string, string>>, RegExp])[] = [
        [
          'a deployment without a folder objects',
          { 'triggers/a.ts': '' },
          /^There is no folder objects in \S+\. Write \S+\/objects\/Project__c\.yaml, or bring a schema that you have: objectry schema import\n$/,
        ],
        [
          'YAML that is broken, with its place',
          { ...TWO, 'objects/Bad__c.yaml': 'fields:\n  A__c: [\n' },
          /^objects\/Bad__c\.yaml:3:1: Flow sequence/,
        ],
        [
          'every definition that means nothing, with its place',
          {
            'objects/Bad__c.yaml':
              'fields:\n  A__c: { type: sting }\n  B__c: { type: string, length: 900 }\n',
          },
          /^objects\/Bad__c\.yaml:2:11 fields\.A__c\.type: "sting" is no type of field; did you mean string\?.*\nobjects\/Bad__c\.yaml:3:25 fields\.B__c\.length: must be at most 255, not 900\n$/,
        ],
      ]
      for (const [what, files, message] of cases) {
        test(what, async () => {
          const { code, out, error } = await deploy(files, '--allow-destructive')
          assert.deepEqual([code, out], [1, ''])
          assert.match(error, message)
        })
      }

      test('no deployment', async () => {
        const error = 'Which deployment? Name its folder: OBJECTRY_DEPLOYMENT=deployment objectry deploy\n'
        assert.deepEqual(await runCommand(['deploy'], settings()), { code: 2, out: '', error })
      })

      test('a deployment that is not there', async () => {
        const { code, error } = await runCommand(['deploy', '--deployment', '/nowhere'], settings())
        assert.equal(code, 2)
        assert.equal(error, 'OBJECTRY_DEPLOYMENT must be a folder that is there, not "/nowhere".\n')
      })
    })
  })

  describe('without a server', () => {
    before(async () => {
      await deploy(NONE, '--allow-destructive')
      await server.stop()
    })
    holdsEverywhere(settings)
  })
})

describe('objectry deploy on PostgreSQL', { skip: !onPostgres }, () => {
  let database: OwnDatabase
  let server: Objectry

  before(async () => {
    database = await makeOwnDatabase(process.env.TEST_DATABASE_URL!, 'deploy')
    server = await start(readConfig({}, { databaseUrl: database.url, port: '0', logLevel: 'silent' }))
  })
  after(async () => {
    await server.stop()
    await database.drop()
  })
  holdsEverywhere(() => ({ DATABASE_URL: database.url }))
})
