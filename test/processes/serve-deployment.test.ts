import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ON_EMBEDDED, onPostgres } from '../support/engine.ts'
import { makeOwnDatabase, type OwnDatabase } from '../support/own-database.ts'
import {
  credentialsIn,
  failToStart,
  fetchToken,
  makeDataFolder,
  startServer,
  type Variables,
} from '../support/server-process.ts'
import { writeDeployment } from '../support/trigger-files.ts'

/* A start adds and changes the definitions of `OBJECTRY_DEPLOYMENT`, and never loses anything. */

const BOX = 'fields: { Size__c: { type: string, length: 20 }, Twice__c: { type: int, computed: true } }'
const RULES = `export default {
  computed: { Twice__c: ({ Size__c }) => Number(Size__c) * 2 || null },
  validations: { Size: { refuse: ({ Size__c }) => Size__c === 'none', message: 'A box has a size', field: 'Size__c' } },
}`
const FIRST = { 'objects/Box__c.yaml': BOX, 'objects/Box__c.ts': RULES }

test(
  'triggers and rules that do not run are warned of: their object is not there yet',
  ON_EMBEDDED,
  async () => {
    const server = await startServer({
      OBJECTRY_DATA: 'memory',
      OBJECTRY_LOG_LEVEL: 'warn',
      OBJECTRY_DEPLOYMENT: writeDeployment({
        'triggers/known.ts': "export default { object: 'aCCount', beforeInsert() {} }",
        'triggers/event.ts': "export default { object: 'Done__e', afterInsert() {} }",
        'triggers/misspelt.ts': "export default { object: 'Acount', beforeInsert() {} }",
        'objects/Contacts.ts':
          "export default { validations: { No: { refuse: () => true, message: 'No' } } }",
        'objects/Box__c.yaml': 'fields: { Size__c: { type: int } }',
        'objects/Box__c.ts': "export default { validations: { No: { refuse: () => true, message: 'No' } } }",
      }),
    })
    let said = server.greeting
    server.child.stdout!.on('data', (text) => {
      said += text
    })
    await server.end('SIGTERM')
    const warned = [...said.matchAll(/"level":40.*"msg":"\S+\/(\S+ does not run[^"]*)"/g)].map(
      ([, line]) => line,
    )
    assert.deepEqual(warned, [
      'event.ts does not run: there is no object Done__e; deploy it',
      'misspelt.ts does not run: there is no object Acount; did you mean Account?',
      'Contacts.ts does not run: there is no object Contacts; did you mean Contact?',
    ])
  },
)

test('the calls by which a server warms up are in no call log and are not counted', ON_EMBEDDED, async () => {
  const app = { clientId: 'tests', clientSecret: 'secret of the tests' }
  const server = await startServer({
    OBJECTRY_DATA: 'memory',
    OBJECTRY_DEPLOYMENT: writeDeployment({
      'resources/echo.js': "export default { path: '/echo', GET: () => 'echo' }",
    }),
    OBJECTRY_CLIENT_ID: app.clientId,
    OBJECTRY_CLIENT_SECRET: app.clientSecret,
  })
  try {
    const headers = { authorization: `Bearer ${await fetchToken(server.address, app)}` }
    const get = async (path: string) => fetch(`${server.address}${path}`, { headers })
    const limits = await get('/services/data/v64.0/limits')
    assert.match(limits.headers.get('Svc-Limit-Info') ?? '', /^api-usage=1\//)
    const log = await get('/setup/orgs/current/calls?limit=500')
    const { calls } = (await log.json()) as { calls: { path: string }[] }
    assert.deepEqual(
      calls.map(({ path }) => path),
      ['/services/data/v64.0/limits'],
    )
  } finally {
    await server.end('SIGTERM')
  }
})

function holdsAtStarts(location: () => Variables) {
  const app = { clientId: 'tests', clientSecret: 'secret of the tests' }

  /** A start with these files, and what it serves. */
  async function serve<T>(
    files: Readonly<Record<string, string>>,
    work: (call: (method: string, path: string, body?: unknown) => Promise<Response>) => Promise<T>,
  ): Promise<T> {
    const server = await startServer({
      ...location(),
      OBJECTRY_DEPLOYMENT: writeDeployment(files),
      OBJECTRY_CLIENT_ID: app.clientId,
      OBJECTRY_CLIENT_SECRET: app.clientSecret,
    })
    try {
      const token = await fetchToken(server.address, credentialsIn(server.greeting) ?? app)
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      return await work((method, path, body) =>
        fetch(`${server.address}/services/data/v64.0${path}`, {
          method,
          headers,
          body: body === undefined ? null : JSON.stringify(body),
        }),
      )
    } finally {
      await server.end('SIGTERM')
    }
  }

  let box: string

  test('the first one makes the objects, with their rules', async () => {
    await serve(FIRST, async (call) => {
      const made = await call('POST', '/sobjects/Box__c', { Size__c: '21' })
      assert.equal(made.status, 201)
      box = ((await made.json()) as { id: string }).id
      const { Twice__c } = (await (await call('GET', `/sobjects/Box__c/${box}`)).json()) as {
        Twice__c: number
      }
      assert.equal(Twice__c, 42)
      const refused = await call('POST', '/sobjects/Box__c', { Size__c: 'none' })
      assert.match(await refused.text(), /A box has a size/)
    })
  })

  test('a later one keeps what its files no longer name, and adds what they name now', async () => {
    const files = {
      'objects/Box__c.yaml': 'fields: { New__c: { type: int, default: 7 } }',
      'objects/Lid__c.yaml': '',
    }
    await serve(files, async (call) => {
      const record = (await (await call('GET', `/sobjects/Box__c/${box}`)).json()) as Record<string, unknown>
      assert.equal(record.Size__c, '21')
      assert.ok('New__c' in record)
      assert.equal((await call('POST', '/sobjects/Lid__c', {})).status, 201)
    })
  })

  test('standard objects keep what no file names any more, too', async () => {
    const labelled = { ...FIRST, 'objects/Case.yaml': 'fields: { Origin: { label: Way } }' }
    const other = { ...FIRST, 'objects/Case.yaml': 'fields: { Size__c: { type: int } }' }
    for (const files of [labelled, FIRST, other]) {
      await serve(files, async (call) => {
        const answer = await call('GET', '/sobjects/Case/describe')
        const { fields } = (await answer.json()) as { fields: { name: string; label: string }[] }
        assert.equal(fields.find(({ name }) => name === 'Origin')!.label, 'Way')
      })
    }
  })

  test('permission sets and profiles grant what their files say, whatever was changed meanwhile', async () => {
    const files = {
      ...FIRST,
      'permission-sets/Packing.yaml': 'objects: { Box__c: [read] }',
      'profiles/Packer.yaml': 'system: [ApiEnabled]',
    }
    type Call = Parameters<Parameters<typeof serve>[1]>[0]
    const ask = async (call: Call, query: string) => {
      const { records } = (await (await call('GET', `/query?q=${encodeURIComponent(query)}`)).json()) as {
        records: Record<string, unknown>[]
      }
      return records
    }
    const rights =
      "SELECT Id, PermissionsRead, PermissionsDelete FROM ObjectPermissions WHERE Parent.Name = 'Packing'"
    await serve(files, async (call) => {
      const [right] = await ask(call, rights)
      assert.deepEqual([right!.PermissionsRead, right!.PermissionsDelete], [true, false])
      assert.equal((await ask(call, "SELECT Id FROM Profile WHERE Name = 'Packer'")).length, 1)
      const changed = await call('PATCH', `/sobjects/ObjectPermissions/${right!.Id}`, {
        PermissionsDelete: true,
      })
      assert.equal(changed.status, 204)
    })
    await serve(FIRST, async (call) => assert.equal((await ask(call, rights))[0]!.PermissionsDelete, true))
    await serve(files, async (call) => assert.equal((await ask(call, rights))[0]!.PermissionsDelete, false))
  })

  test('settings of the org are what their file says, whatever was changed meanwhile', async () => {
    const files = { ...FIRST, 'settings/Company.yaml': 'fiscalYear: { startMonth: 4 }' }
    const query = `/query?q=${encodeURIComponent('SELECT Id, FiscalYearStartMonth FROM Organization')}`
    for (const month of [2, 9]) {
      await serve(files, async (call) => {
        const { records } = (await (await call('GET', query)).json()) as {
          records: Record<string, unknown>[]
        }
        assert.equal(records[0]!.FiscalYearStartMonth, 4)
        const changed = await call('PATCH', `/sobjects/Organization/${records[0]!.Id}`, {
          FiscalYearStartMonth: month,
        })
        assert.equal(changed.status, 204)
      })
    }
  })

  test('one that would break what records hold does not come about, and says why', async () => {
    await serve(FIRST, async (call) => {
      assert.equal((await call('PATCH', `/sobjects/Box__c/${box}`, { Size__c: 'huge' })).status, 204)
    })
    const files = { 'objects/Box__c.yaml': 'fields: { Size__c: { type: int } }' }
    const { code, out, error } = await failToStart({
      ...location(),
      OBJECTRY_DEPLOYMENT: writeDeployment(files),
    })
    assert.deepEqual([code, out], [1, ''])
    assert.match(error, /^Objectry did not start: .*Box__c\.Size__c.*"huge" is not a valid int/)
    assert.ok(error.includes(box), error)
    await serve(FIRST, async (call) => {
      const { Size__c } = (await (await call('GET', `/sobjects/Box__c/${box}`)).json()) as { Size__c: string }
      assert.equal(Size__c, 'huge')
    })
  })

  test('definitions and rules that cannot be read are told with their places', async () => {
    for (const [files, message] of [
      [
        { 'objects/Box__c.yaml': 'fields: { Size__c: { type: sting } }' },
        /objects\/Box__c\.yaml:1:22 fields\.Size__c\.type: "sting"/,
      ],
      [{ 'objects/Box__c.yaml': BOX }, /Nothing computes Box__c\.Twice__c: write objects\/Box__c\.ts/],
    ] as const) {
      const { code, error } = await failToStart({
        ...location(),
        OBJECTRY_DEPLOYMENT: writeDeployment(files),
      })
      assert.equal(code, 1)
      assert.match(error, message)
    }
  })
}

describe('a start with a deployment', ON_EMBEDDED, () => {
  const folder = makeDataFolder()
  after(() => folder.remove())
  holdsAtStarts(() => ({ OBJECTRY_DATA: folder.data }))
})

describe('a start with a deployment on PostgreSQL', { skip: !onPostgres }, () => {
  let database: OwnDatabase
  before(async () => {
    database = await makeOwnDatabase(process.env.TEST_DATABASE_URL!, 'serve_deployment')
  })
  after(() => database.drop())
  holdsAtStarts(() => ({ DATABASE_URL: database.url }))
})
