import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { approve } from '../../src/auth/authorize/approvals.ts'
import { revokeClient } from '../../src/auth/tokens/revoke.ts'
import { systemClock } from '../../src/base/clock.ts'
import { fetchNames } from '../support/ask.ts'
import { makeCertificate } from '../support/certificate.ts'
import { makeApp } from '../support/make-app.ts'
import type { TestOrg } from '../support/org.ts'
import { openSfClient, SF_NEEDED, type Sf, type SfClient } from '../support/sf.ts'
import { type Fields, family } from '../support/sf-files.ts'

/* The sf command of the registry, unmodified, over a real port: `npm run test:sf`. */

let o: TestOrg
let sf: Sf
let address: string
let close: SfClient['close']

describe('the sf command', SF_NEEDED, () => {
  before(async () => {
    ;({ o, sf, address, close } = await openSfClient())
  })
  after(() => close())

  test('signs in with an assertion that it signs, and asks for another token when that one has ended', async () => {
    const { privateKey, certificate } = makeCertificate()
    sf.write('key.pem', privateKey.export({ type: 'pkcs8', format: 'pem' }) as string)
    const certificates = { enableJwtBearer: true, certificates: certificate }
    const clientId = await makeApp(o, { ...certificates, scopes: ['api', 'refresh_token'] })
    await approve(o.db, systemClock, {
      ...{ org: o.org, userId: o.userId, clientId },
      scopes: ['api', 'refresh_token'],
    })
    const signIn = [
      'org',
      'login',
      'jwt',
      '--client-id',
      clientId,
      '--jwt-key-file',
      'key.pem',
      '--alias',
      'signed',
    ]
    const { code, error } = await sf.run(
      ...[...signIn, '--username', 'admin@objectry.test', '--instance-url', address],
    )
    assert.equal(code, 0, error)
    const ask = () => sf.run('data', 'query', '-o', 'signed', '-q', 'SELECT Username FROM User')
    assert.match((await ask()).out, /admin@objectry\.test/)
    await revokeClient(o.db, o.org, clientId)
    const again = await ask()
    assert.match(again.out, /admin@objectry\.test/, again.error)
  })

  test('signs in with an access token', async () => {
    const signIn = ['org', 'login', 'access-token', '--no-prompt', '--alias', 'here']
    const { code, error } = await sf.run(...signIn, '--instance-url', address)
    assert.equal(code, 0, error)
    const { out } = await sf.run('data', 'query', '-o', 'here', '-q', 'SELECT Username FROM User')
    assert.match(out, /admin@objectry\.test/)
  })

  describe('single records', () => {
    test('are created, read, updated and deleted; numbers arrive as texts', async () => {
      const created = await sf.json(
        ...['data', 'create', 'record', '-s', 'Account', '-v', "Name='Acme Corp' NumberOfEmployees=5"],
      )
      assert.deepEqual([created.status, created.result.success], [0, true])
      const { id } = created.result
      const where = ['-s', 'Account', '-w', "Name='Acme Corp'"]
      const read = await sf.json('data', 'get', 'record', ...where)
      assert.deepEqual([read.result.Id, read.result.NumberOfEmployees], [id, 5])
      const updated = await sf.ask('data', 'update', 'record', ...where, '-v', 'NumberOfEmployees=7')
      assert.match(updated.out, new RegExp(`Successfully updated record: ${id}`))
      assert.equal((await sf.json('data', 'get', 'record', ...where)).result.NumberOfEmployees, 7)
      const deleted = await sf.ask('data', 'delete', 'record', '-s', 'Account', '-i', id)
      assert.match(deleted.out, new RegExp(`Successfully deleted record: ${id}`))
      assert.deepEqual(await fetchNames(o, "Account WHERE Name = 'Acme Corp'"), [])
    })

    test('are read and updated by their id, and deleted by a condition', async () => {
      const id = await o.create('Account', { Name: 'By id', NumberOfEmployees: 3 })
      const named = ['-s', 'Account', '-i', id]
      const read = await sf.ask('data', 'get', 'record', ...named)
      assert.match(read.out, /^Name: By id$/m)
      assert.match(read.out, /^NumberOfEmployees: 3$/m)
      const updated = await sf.json('data', 'update', 'record', ...named, '-v', "Phone='1 2' Industry=Energy")
      assert.deepEqual([updated.status, updated.result.success], [0, true])
      const { result } = await sf.json('data', 'get', 'record', ...named)
      assert.deepEqual([result.Phone, result.Industry], ['1 2', 'Energy'])
      const deleted = await sf.json('data', 'delete', 'record', '-s', 'Account', '-w', "Name='By id'")
      assert.deepEqual([deleted.status, deleted.result.id], [0, id])
      assert.deepEqual(await fetchNames(o, "Account WHERE Name = 'By id'"), [])
    })

    test('that a condition does not find, or finds twice, stay as they are', async () => {
      for (const Phone of ['1', '2']) await o.create('Account', { Name: 'Two of it', Phone })
      const twice = await sf.json('data', 'delete', 'record', '-s', 'Account', '-w', "Name='Two of it'")
      assert.equal(twice.status, 1)
      assert.equal((await fetchNames(o, "Account WHERE Name = 'Two of it'")).length, 2)
      const none = await sf.json('data', 'get', 'record', '-s', 'Account', '-w', "Name='None of it'")
      assert.equal(none.status, 1)
    })

    test('that are refused end the command with our message', async () => {
      const create = ['data', 'create', 'record', '-s', 'Account', '-v']
      const { code, error } = await sf.ask(...create, 'Phone=5')
      assert.equal(code, 1)
      assert.match(error, /Required fields are missing: \[Name\]/)
      const unknown = await sf.json(...create, 'Nope=5')
      assert.equal(unknown.name, 'INVALID_FIELD')
      assert.equal(unknown.message, "No such column 'Nope' on sobject of type Account")
    })
  })

  describe('a query', () => {
    const text =
      "SELECT Name, NumberOfEmployees, Parent.Name, (SELECT LastName FROM Contacts) FROM Account WHERE Name LIKE 'Shown%' ORDER BY Name"

    before(async () => {
      const ParentId = await o.create('Account', { Name: 'Shown a, b', NumberOfEmployees: 12 })
      const AccountId = await o.create('Account', { Name: 'Shown c', ParentId })
      await o.create('Contact', { LastName: 'Leaf', AccountId })
    })

    test('is shown as a table with parents and children', async () => {
      const { out } = await sf.ask('data', 'query', '-q', text)
      assert.match(out, /NAME +│ NUMBEROFEMPLOYEES │ PARENT\.NAME +│ CONTACTS\.LASTNAME/)
      assert.match(out, /Shown a, b │ 12 +│ +│ /)
      assert.match(out, /Shown c +│ null +│ Shown a, b +│ Leaf/)
      assert.match(out, /Total number of records retrieved: 2\./)
    })

    test('is shown as CSV', async () => {
      const flat =
        "SELECT Name, NumberOfEmployees, Parent.Name FROM Account WHERE Name LIKE 'Shown%' ORDER BY Name"
      const { out } = await sf.ask('data', 'query', '-q', flat, '-r', 'csv')
      assert.equal(out, 'Name,NumberOfEmployees,Parent.Name\n"Shown a, b",12,\nShown c,,"Shown a, b"\n')
    })

    test('is given as JSON', async () => {
      const { result } = await sf.json('data', 'query', '-q', text)
      assert.deepEqual([result.totalSize, result.done], [2, true])
      assert.equal(result.records[1].Parent.Name, 'Shown a, b')
      assert.equal(result.records[1].Contacts.records[0].LastName, 'Leaf')
    })

    const grouped = (item: string) =>
      `SELECT Name, ${item} FROM Account WHERE Name LIKE 'Shown%' GROUP BY Name ORDER BY Name`

    test('with aggregates has columns named after the functions, or after their aliases', async () => {
      const { out } = await sf.ask('data', 'query', '-q', grouped('COUNT(Id)'), '-r', 'csv')
      assert.equal(out, 'Name,count(Id)\n"Shown a, b",1\nShown c,1\n')
      const table = await sf.ask('data', 'query', '-q', grouped('COUNT(Id) many'))
      assert.match(table.out, /NAME +│ MANY/)
      assert.match(table.out, /Shown c +│ 1/)
    })

    test('with aliases of aggregates is shown as CSV', async () => {
      const { out } = await sf.ask('data', 'query', '-q', grouped('COUNT(Id) many'), '-r', 'csv')
      assert.equal(out, 'Name,many\n"Shown a, b",1\nShown c,1\n')
    })

    test('that is wrong ends with our message', async () => {
      const { name, message } = await sf.json('data', 'query', '-q', 'SELECT Nope FROM Account')
      assert.equal(name, 'INVALID_FIELD')
      assert.match(message, /No such column 'Nope' on entity 'Account'/)
    })
  })

  describe('a request of any kind', () => {
    const request = async (path: string, ...args: readonly string[]) => {
      const said = await sf.ask('api', 'request', 'rest', `/services/data/v64.0${path}`, ...args)
      return { ...said, body: JSON.parse(said.out) }
    }
    const post = (path: string, file: string) => request(path, '-X', 'POST', '-b', `@${file}`)
    const step = (referenceId: string, object: string, body: Fields) => ({
      method: 'POST',
      url: `/services/data/v64.0/sobjects/${object}`,
      referenceId,
      body,
    })

    test('may be a query', async () => {
      const { body } = await request('/query?q=SELECT+Username+FROM+User+ORDER+BY+Username')
      assert.equal(body.records[0].Username, 'admin@objectry.test')
    })

    test('may be a GraphQL document, and so tells why one is refused', async () => {
      const graphql = async (document: string) => {
        sf.write('document.graphql', document)
        const said = await sf.ask('api', 'request', 'graphql', '--body', 'document.graphql')
        return { ...said, body: JSON.parse(said.out) }
      }
      const { code, body } = await graphql(
        'query Users { uiapi { query { User(first: 1) { edges { node { Username { value } } } } } } }',
      )
      assert.equal(code, 0)
      assert.deepEqual(body, {
        data: {
          uiapi: { query: { User: { edges: [{ node: { Username: { value: 'admin@objectry.test' } } }] } } },
        },
        errors: [],
      })
      const refused = await graphql('query { uiapi { query { Nope { totalCount } } } }')
      assert.equal(refused.body.errors[0].extensions.ErrorType, 'ValidationError')
    })

    test('may be a composite with references, all or nothing', async () => {
      sf.write('composite.json', {
        allOrNone: true,
        compositeRequest: [
          step('a', 'Account', { Name: 'Composed' }),
          step('c', 'Contact', { LastName: 'L', AccountId: '@{a.id}' }),
        ],
      })
      const { code, body } = await post('/composite', 'composite.json')
      assert.equal(code, 0)
      assert.deepEqual(
        body.compositeResponse.map(({ httpStatusCode }: Fields) => httpStatusCode),
        [201, 201],
      )
      assert.equal((await fetchNames(o, "Contact WHERE Account.Name = 'Composed'")).length, 1)
      sf.write('torn.json', {
        allOrNone: true,
        compositeRequest: [step('a', 'Account', { Name: 'Torn' }), step('c', 'Contact', {})],
      })
      const torn = await post('/composite', 'torn.json')
      assert.deepEqual(
        torn.body.compositeResponse.map(({ httpStatusCode }: Fields) => httpStatusCode),
        [400, 400],
      )
      assert.deepEqual(await fetchNames(o, "Account WHERE Name = 'Torn'"), [])
    })

    test('may be a tree; a refused one is shown and ends the command with 1', async () => {
      sf.write('tree.json', family('Raw tree', { LastName: 'Child' }))
      const { code, body } = await post('/composite/tree/Account', 'tree.json')
      assert.deepEqual([code, body.hasErrors, body.results.length], [0, false, 2])
      sf.write('bad-tree.json', family('Raw bad tree', {}))
      const bad = await post('/composite/tree/Account', 'bad-tree.json')
      assert.deepEqual([bad.code, bad.body.hasErrors], [1, true])
      assert.equal(bad.body.results[0].referenceId, 'ContactRef1')
    })
  })

  test('describes objects and lists them', async () => {
    const { result } = await sf.json('sobject', 'describe', '-s', 'Account')
    assert.equal(result.name, 'Account')
    const { out } = await sf.ask('sobject', 'list')
    assert.ok(out.split('\n').includes('Contact'))
  })
})
