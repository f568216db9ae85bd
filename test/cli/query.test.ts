import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { findAdministrator } from '../../src/auth/users/users.ts'
import { readConfig } from '../../src/config/config.ts'
import { type Objectry, start } from '../../src/server/main.ts'
import { loadOrgs } from '../../src/storage/orgs/orgs.ts'
import { makeAccounts, writeAccounts } from '../support/account-rows.sql.ts'
import { runCommandProcess, spawnCommand } from '../support/command-process.ts'
import { writeContacts } from '../support/contact-rows.sql.ts'
import { ON_EMBEDDED, onPostgres } from '../support/engine.ts'
import { makeOwnDatabase, type OwnDatabase } from '../support/own-database.ts'
import { runCommand } from '../support/run-command.ts'
import { fetchToken, makeDataFolder } from '../support/server-process.ts'

/* `objectry query` as people run it, in the three ways in which it reaches an org. */

/** More than two pages. */
const MANY = 4500

const ALL = "SELECT Name, Parent.Name FROM Account WHERE Name LIKE 'account %' ORDER BY Name"
const NAMES = makeAccounts(MANY).map(({ name }) => name)

const quote = 'He said "no, never"\nand left'

/** Records that the rules below look at, in an org that was just made. Gives the way to write more. */
async function fill({ engine, address, firstApp }: Objectry) {
  const { db } = engine
  const [org] = await loadOrgs(db)
  const { id: userId } = (await findAdministrator(db, org!))!
  const location = { org: org!, db, userId }
  await writeAccounts(location, makeAccounts(MANY))
  const create = async (object: string, fields: object) => {
    const token = await fetchToken(address, firstApp!)
    const response = await fetch(`${address}/services/data/v64.0/sobjects/${object}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(fields),
    })
    assert.equal(response.status, 201)
    return ((await response.json()) as { id: string }).id
  }
  const acme = await create('Account', { Name: 'Acme', NumberOfEmployees: 12, Industry: 'Energy' })
  await create('Contact', { LastName: 'Adrift', Birthdate: '1990-01-31' })
  await create('Contact', { FirstName: 'Ada', LastName: 'Byron', AccountId: acme })
  return { location, create }
}

const PARENTS =
  "SELECT LastName, Account.Name, Account.NumberOfEmployees, Birthdate FROM Contact WHERE LastName < 'C' ORDER BY LastName"

const PARENTS_TABLE = `LastName  Account.Name  Account.NumberOfEmployees  Birthdate
--------  ------------  -------------------------  ----------
Adrift                                             1990-01-31
Byron     Acme                                 12
2 records
`

/** Rules that hold wherever the org is. `settings` name its place. */
function holdsEverywhere(settings: () => Readonly<Record<string, string>>) {
  const query = (...args: string[]) => runCommand(['query', ...args], settings())

  test('columns stand in the order of the SELECT list, though the parent of the first record is null', async () => {
    assert.deepEqual(await query(PARENTS), { code: 0, out: PARENTS_TABLE, error: '' })
  })

  test('a long result is printed with all its pages, each record once', async () => {
    const lines = ['Name,Parent.Name', ...NAMES.map((name) => `${name},`), '']
    const csv = await query(ALL, '--format', 'csv')
    assert.deepEqual(csv, { code: 0, out: lines.join('\r\n'), error: '' })
  })

  test('--sql prints the statement and its parameters', async () => {
    const { code, out, error } = await query("SELECT Id FROM Account WHERE Name = 'Acme'", '--sql')
    assert.equal(error, '')
    assert.equal(code, 0)
    assert.match(out, /^select .* from "org_1"\."account" .*\$1.* limit 2000;\n/)
    assert.match(out, /;\n-- \$1 = "Acme"\n$/)
  })

  test('an error of the query is told as the interface tells it, on stderr; the exit code is 1', async () => {
    const error = `INVALID_FIELD: \nSELECT Nme FROM Account\n       ^\nERROR at Row:1:Column:8\nNo such column 'Nme' on entity 'Account'.`
    const said = await query('SELECT Nme FROM Account', '--format', 'json')
    assert.deepEqual([said.code, said.out], [1, ''])
    assert.ok(said.error.startsWith(error), said.error)
  })
}

describe('objectry query on the embedded engine', ON_EMBEDDED, () => {
  const { data, remove } = makeDataFolder()
  const note = join(data, 'server.json')
  const settings = () => ({ OBJECTRY_DATA: data })
  const query = (...args: string[]) => runCommand(['query', ...args], settings())
  let server: Objectry
  let filled: Awaited<ReturnType<typeof fill>>
  let staleNote: string
  let stoppedLeft: boolean

  before(async () => {
    const flags = { data, port: '0', host: '0.0.0.0', sessionSeconds: '1', logLevel: 'silent' }
    server = await start(readConfig({}, flags))
    filled = await fill(server)
  })
  after(remove)

  describe('while a server holds the data folder', () => {
    holdsEverywhere(settings)

    test('the server tells the way to it to the owner of the folder only', () => {
      assert.equal(statSync(note).mode & 0o777, 0o600)
      staleNote = readFileSync(note, 'utf8')
      assert.match(JSON.parse(staleNote).address, /^http:\/\/127\.0\.0\.1:\d+$/)
    })

    test('that way stays open though tokens live a second only', async () => {
      await sleep(1100)
      assert.deepEqual(await query('SELECT COUNT() FROM Organization'), { code: 0, out: '1\n', error: '' })
    })

    test('JSON is one array of all records, a line each, as the interface gives them', async () => {
      const { out } = await query(ALL, '--format', 'json')
      const records = JSON.parse(out)
      assert.deepEqual(
        records.map((record: { Name: string }) => record.Name),
        NAMES,
      )
      assert.deepEqual(Object.keys(records[0]), ['attributes', 'Name', 'Parent'])
      assert.equal(out.split('\n').length, MANY + 3)
      assert.equal(
        (await query("SELECT Id FROM Account WHERE Name = 'none'", '--format', 'json')).out,
        '[]\n',
      )
    })

    test('a result without records shows its columns', async () => {
      const { out } = await query("SELECT Id, Owner.Name, BillingAddress FROM Account WHERE Name = 'none'")
      assert.equal(out, 'Id  Owner.Name  BillingAddress\n--  ----------  --------------\n0 records\n')
    })

    test('rows that sum up have the columns of their SELECT list; COUNT() is a number in any format', async () => {
      const text =
        "SELECT Industry, COUNT(Id) many, MAX(Name) FROM Account WHERE Name = 'Acme' GROUP BY Industry"
      assert.equal((await query(text, '--format', 'csv')).out, 'Industry,many,expr0\r\nEnergy,1,Acme\r\n')
      assert.equal(
        (await query(text)).out,
        'Industry  many  expr0\n--------  ----  -----\nEnergy       1  Acme\n1 record\n',
      )
      const count = 'SELECT COUNT() FROM Account'
      for (const format of ['table', 'json']) {
        assert.equal((await query(count, '--format', format)).out, `${MANY + 1}\n`)
      }
    })

    test('CSV quotes what RFC 4180 quotes; what is made of several values is JSON in its cell', async () => {
      await filled.create('Account', { Name: 'Quoted', Description: quote, BillingCity: 'Oslo' })
      const text =
        "SELECT Name, Description, BillingAddress, (SELECT LastName FROM Contacts) FROM Account WHERE Name IN ('Acme', 'Quoted') ORDER BY Name"
      const { out } = await query(text, '--format', 'csv')
      const lines = [
        'Name,Description,BillingAddress,Contacts',
        'Acme,,,"[{""LastName"":""Byron""}]"',
        'Quoted,"He said ""no, never""\nand left","{""city"":""Oslo"",""country"":null,',
      ]
      assert.ok(out.startsWith(lines.join('\r\n')), out)
      assert.ok(out.endsWith('}",\r\n'))
    })

    test('a table keeps a record on one line, shows no control characters and cuts what is too wide', async () => {
      const Description = `${quote}\u001b[31m\r\t${'日本'.repeat(60)}`
      await filled.create('Account', { Name: 'Wide', Description, NumberOfEmployees: 7 })
      const { out } = await query("SELECT Description, NumberOfEmployees FROM Account WHERE Name = 'Wide'")
      const beginning = 'He said "no, never"\\nand left\\u001b[31m\\r\\t'
      // Those characters are two columns wide; the last column is for the mark.
      const room = Math.floor((79 - beginning.length) / 2)
      const rest = '日本'.repeat(60).slice(0, room)
      const width = beginning.length + 2 * room + 1
      const [head, rule, line, end] = out.split('\n')
      assert.equal(head, `${'Description'.padEnd(width)}  NumberOfEmployees`)
      assert.equal(rule, `${'-'.repeat(width)}  ${'-'.repeat(17)}`)
      assert.equal(line, `${beginning}${rest}…  ${'7'.padStart(17)}`)
      assert.equal(end, '1 record')
    })

    test('child records are counted in a table and all there in JSON, those on pages of their own too', async () => {
      const parent = await filled.create('Account', { Name: 'Parent' })
      await writeContacts(filled.location, parent, 1100)
      const text =
        "SELECT Name, (SELECT LastName FROM Contacts ORDER BY LastName) FROM Account WHERE Name IN ('Parent', 'Quoted') ORDER BY Name"
      assert.equal(
        (await query(text)).out,
        'Name    Contacts\n------  --------\nParent      1100\nQuoted         0\n2 records\n',
      )
      const [{ Contacts }, second] = JSON.parse((await query(text, '--format', 'json')).out)
      assert.deepEqual([Contacts.totalSize, Contacts.done, Contacts.nextRecordsUrl], [1100, true, undefined])
      const names = Contacts.records.map((record: { LastName: string }) => record.LastName)
      assert.deepEqual(
        names,
        Array.from({ length: 1100 }, (_, n) => `contact ${String(n + 1).padStart(4, '0')}`),
      )
      assert.equal(second.Contacts, null)
    })

    test('the query may come from standard input', async () => {
      const said = await runCommandProcess(['query', '-'], settings(), `${PARENTS}\n`)
      assert.deepEqual(said, { code: 0, out: PARENTS_TABLE, error: '' })
    })

    test('--output writes a file, which a query that fails leaves alone', async () => {
      const file = join(data, 'result.txt')
      assert.deepEqual(await query(PARENTS, '--output', file), { code: 0, out: '', error: '' })
      assert.equal(readFileSync(file, 'utf8'), PARENTS_TABLE)
      assert.equal((await query('SELECT', '--output', file)).code, 1)
      assert.equal(readFileSync(file, 'utf8'), PARENTS_TABLE)
    })

    test('a reader that has enough ends the command without a word', async () => {
      const child = spawnCommand(['query', 'SELECT Id, Name FROM Account', '--format', 'csv'], settings())
      let error = ''
      child.stderr!.on('data', (text) => {
        error += text
      })
      await once(child.stdout!, 'data')
      child.stdout!.destroy()
      assert.deepEqual([...(await once(child, 'close')), error], [0, null, ''])
    })

    test('--all-rows finds what is in the recycle bin too, and --sql then shows how', async () => {
      const [row] = makeAccounts(1)
      await writeAccounts(filled.location, [{ ...row!, isDeleted: true }])
      const text = "SELECT COUNT() FROM Account WHERE Name = 'account 0000'"
      assert.equal((await query(text)).out, '0\n')
      assert.equal((await query(text, '--all-rows')).out, '1\n')
      assert.match((await query(text, '--sql')).out, /not "t0"\."isdeleted"/)
      const { out } = await query(text, '--sql', '--all-rows', '--format', 'json')
      const { text: statement, values } = JSON.parse(out)
      assert.doesNotMatch(statement, /not "t0"\."isdeleted"/)
      assert.deepEqual(values, ['account 0000'])
      await writeAccounts(filled.location, [row!])
    })
  })

  describe('without a server, beside the note of one that was killed', () => {
    before(async () => {
      await server.stop()
      stoppedLeft = existsSync(note)
      writeFileSync(note, staleNote, { mode: 0o600 })
    })
    holdsEverywhere(settings)

    test('a server that was stopped left none', () => assert.equal(stoppedLeft, false))

    test('Ctrl-C ends the command with 130 and gives the data folder back', async () => {
      // More than pipes hold: the command still has much to write when the signal comes.
      const wide =
        'SELECT Id, Name, OwnerId, CreatedById, CreatedDate, LastModifiedById, LastModifiedDate, SystemModstamp, Owner.Name, Owner.Username, Owner.Email, CreatedBy.Name, CreatedBy.Username, CreatedBy.Email FROM Account'
      const child = spawnCommand(['query', wide, '--format', 'csv'], settings())
      await once(child.stdout!, 'data')
      child.stdout!.pause()
      child.kill('SIGINT')
      child.stdout!.resume()
      assert.deepEqual(await once(child, 'close'), [130, null])
      assert.equal(existsSync(join(data, 'database.lock')), false)
    })
  })
})

describe('objectry query on PostgreSQL', { skip: !onPostgres }, () => {
  let database: OwnDatabase
  const settings = () => ({ DATABASE_URL: database.url })

  before(async () => {
    database = await makeOwnDatabase(process.env.TEST_DATABASE_URL!, 'cli')
    const flags = { databaseUrl: database.url, port: '0', logLevel: 'silent', poolSize: '2' }
    const server = await start(readConfig({}, flags))
    await fill(server)
    await server.stop()
  })
  after(() => database.drop())
  holdsEverywhere(settings)
})

describe('objectry query says what is missing, exits with 1 and makes nothing', () => {
  const text = 'SELECT Id FROM Account'

  test('a data folder that is not there', async () => {
    const data = join(tmpdir(), `objectry-none-${process.pid}`)
    const error = `There is no org in ${data} yet. Start Objectry on it first: npm start -- --data ${data}\n`
    assert.deepEqual(await runCommand(['query', text, '--data', data]), { code: 1, out: '', error })
    assert.equal(existsSync(data), false)
  })

  test('an org in memory', async () => {
    const { code, out, error } = await runCommand(['query', text], { OBJECTRY_DATA: 'memory' })
    assert.deepEqual([code, out], [1, ''])
    assert.match(
      error,
      /^An org in memory is known to its server only\. .*OBJECTRY_DATA=\.objectry npm start\n$/,
    )
  })

  test('a database that does not answer', async () => {
    const url = 'postgres://x:secret@127.0.0.1:1/x'
    const said = await runCommand(['query', text, '--database-url', url])
    const error =
      'The database cannot be opened: connect ECONNREFUSED 127.0.0.1:1: no database answers there. Start PostgreSQL, or correct DATABASE_URL; objectry doctor looks at it.\n'
    assert.deepEqual(said, { code: 1, out: '', error })
  })

  test('a database on which nothing was started', { skip: !onPostgres }, async () => {
    const database = await makeOwnDatabase(process.env.TEST_DATABASE_URL!, 'empty')
    try {
      const ask = () => runCommand(['query', text, '--database-url', database.url])
      const error =
        'There is no org in this database yet. Start Objectry on it first: npm start, with the same DATABASE_URL\n'
      // Twice: the first one left nothing behind.
      assert.deepEqual(await ask(), { code: 1, out: '', error })
      assert.deepEqual(await ask(), { code: 1, out: '', error })
    } finally {
      await database.drop()
    }
  })
})
