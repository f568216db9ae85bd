import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { readConfig } from '../../src/config/config.ts'
import { type Objectry, start } from '../../src/server/main.ts'
import { ON_EMBEDDED, onPostgres } from '../support/engine.ts'
import { makeOwnDatabase, type OwnDatabase } from '../support/own-database.ts'
import { runCommand } from '../support/run-command.ts'
import { fetchToken, makeDataFolder } from '../support/server-process.ts'

/* `objectry demo` as people run it, and what it wrote as clients see it. */

const TODAY = '2026-03-01'

// biome-ignore lint/suspicious/noExplicitAny: records of every shape
type Row = any

/** Calls to the orgs of a server, by their names. */
async function callsTo({ address, firstApp }: Objectry) {
  const home = await fetchToken(address, firstApp!)
  const send = async (token: string, method: string, path: string, body?: unknown) => {
    const response = await fetch(address + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    })
    assert.ok(response.ok, `${method} ${path}: ${response.status}`)
    return (await response.json()) as Row
  }
  const call = async (org: string, method: string, path: string, body?: unknown) => {
    const { token } = await send(home, 'POST', `/setup/orgs/${org}/token`)
    return send(token, method, path, body)
  }
  return {
    call,
    makeOrg: (name: string) => send(home, 'POST', '/setup/orgs', { name }),
    async query(org: string, soql: string): Promise<Row[]> {
      const q = new URLSearchParams({ q: soql })
      return (await call(org, 'GET', `/services/data/v64.0/query?${q}`)).records
    },
    async describe(org: string, object: string): Promise<Row> {
      return call(org, 'GET', `/services/data/v64.0/sobjects/${object}/describe`)
    },
  }
}

type Calls = Awaited<ReturnType<typeof callsTo>>

/** How many records of each object the command says it wrote. */
const saidCounts = (out: string) =>
  new Map(
    [...out.matchAll(/^(\w+) +([\d,]+)$/gm)].map(([, name, count]) => [
      name!,
      Number(count!.replaceAll(',', '')),
    ]),
  )

/** Queries whose results are the same in two orgs with the same data: nothing of ids and the moment of writing. */
const SAME = [
  'SELECT Name, ProductCode, StockKeepingUnit FROM Product2 ORDER BY ProductCode',
  'SELECT Product2.ProductCode, UnitPrice FROM PricebookEntry ORDER BY Product2.ProductCode',
  'SELECT Name, Type, Status, StartDate, EndDate, BudgetedCost FROM Campaign ORDER BY Name, StartDate, BudgetedCost',
  'SELECT AccountNumber, Name, Industry, BillingStreet, AnnualRevenue FROM Account ORDER BY AccountNumber',
  'SELECT Name, Email, Title, Birthdate, Account.AccountNumber FROM Contact ORDER BY Email, Birthdate',
  'SELECT Name, Company, Status, Email FROM Lead ORDER BY Email, Company',
  'SELECT Name, StageName, CloseDate, Amount FROM Opportunity ORDER BY Name, CloseDate, Amount',
  'SELECT Subject, Status, Priority FROM Case ORDER BY Subject, Status, Priority',
  'SELECT Subject, Status, ActivityDate, Who.Name FROM Task ORDER BY Who.Name, ActivityDate, Subject, Status',
  'SELECT Location, StartDateTime, EndDateTime FROM Event ORDER BY StartDateTime, Location',
]

const fetchData = async ({ query }: Calls, org: string) => {
  const lists = await Promise.all(SAME.map((soql) => query(org, soql)))
  return lists
    .flat()
    .map((record) => JSON.stringify(record, (key, value) => (key === 'attributes' ? undefined : value)))
}

describe('objectry demo', ON_EMBEDDED, () => {
  const folder = makeDataFolder()
  const demo = (...args: string[]) =>
    runCommand(['demo', '--date', TODAY, ...args], { OBJECTRY_DATA: folder.data })
  let server: Objectry
  let calls: Calls
  let counts: ReadonlyMap<string, number>

  const query = (soql: string) => calls.query('current', soql)

  before(async () => {
    server = await start(readConfig({}, { data: folder.data, port: '0', logLevel: 'silent' }))
    calls = await callsTo(server)
    const { code, out, error } = await demo('--size', 's')
    assert.equal(code, 0, error)
    counts = saidCounts(out)
  })
  after(() => folder.remove())

  test('writes as many records as it says', async () => {
    assert.equal(counts.size, 21)
    for (const [name, count] of counts) {
      if (name === 'All') continue
      const soql = `SELECT COUNT(Id) n FROM ${name}`
      assert.equal((await query(soql))[0].n, count, name)
    }
    const sum = counts.values().reduce((total, count) => total + count, 0) - counts.get('All')!
    assert.equal(counts.get('All'), sum)
    assert.ok(sum > 150 && sum < 300, String(sum))
  })

  test('the same seed, size and day give the same records, another seed gives others', async () => {
    for (const name of ['Same', 'Other']) await calls.makeOrg(name)
    assert.equal((await demo('--org', 'Same')).code, 0)
    assert.equal((await demo('--org', 'Other', '--seed', '7')).code, 0)
    const first = await fetchData(calls, 'current')
    const listed = SAME.map((soql) => counts.get(/FROM (\w+)/.exec(soql)![1]!)!)
    assert.equal(
      first.length,
      listed.reduce((sum, count) => sum + count),
    )
    assert.deepEqual(await fetchData(calls, 'Same'), first)
    assert.notDeepEqual(await fetchData(calls, 'Other'), first)
  })

  test('every picklist value is one of those that the describe offers', async () => {
    for (const name of counts.keys()) {
      if (name === 'All') continue
      const { fields } = await calls.describe('current', name)
      const lists = fields.filter(({ type }: Row) => type === 'picklist')
      if (lists.length === 0) continue
      const records = await query(`SELECT ${lists.map((field: Row) => field.name).join(', ')} FROM ${name}`)
      for (const { name: field, picklistValues } of lists) {
        const allowedValues = new Set([null, ...picklistValues.map(({ value }: Row) => value)])
        const strange = records.map((record) => record[field]).filter((value) => !allowedValues.has(value))
        assert.deepEqual(strange, [], `${name}.${field}`)
      }
    }
  })

  test('every contact has an account, and its mail goes to the domain of that account', async () => {
    const contacts = await query('SELECT Email, Account.Website FROM Contact')
    for (const { Email, Account } of contacts) {
      assert.equal(`https://www.${Email.split('@')[1]}`, Account.Website)
      assert.match(Email, /^[a-z.-]+@[a-z.-]+\.example$/)
    }
  })

  test('the lines of an opportunity, of its quote and of its order add up to its amount', async () => {
    const cents = (lines: Row[]) =>
      lines.reduce((sum, { Quantity, UnitPrice }) => sum + Math.round(Quantity * UnitPrice * 100), 0)
    const opportunities = await query(
      'SELECT Id, Amount, (SELECT Quantity, UnitPrice, TotalPrice FROM OpportunityLineItems) FROM Opportunity',
    )
    const amounts = new Map<string, number>()
    for (const { Id, Amount, OpportunityLineItems } of opportunities) {
      const lines = OpportunityLineItems.records
      assert.equal(cents(lines), Math.round(Amount * 100))
      for (const line of lines) assert.equal(cents([line]), Math.round(line.TotalPrice * 100))
      amounts.set(Id, cents(lines))
    }
    for (const [object, lines] of [
      ['Quote', 'QuoteLineItems'],
      ['Order', 'OrderItems'],
    ] as const) {
      const documents = await query(
        `SELECT OpportunityId, (SELECT Quantity, UnitPrice FROM ${lines}) FROM ${object}`,
      )
      assert.ok(documents.length > 0, object)
      for (const document of documents) {
        assert.equal(cents(document[lines].records), amounts.get(document.OpportunityId), object)
      }
    }
  })

  test('closed opportunities lie in the past, open ones ahead, and only won ones are ordered', async () => {
    const opportunities = await query(
      'SELECT StageName, CloseDate, Account.Type, (SELECT Id FROM Orders) FROM Opportunity',
    )
    for (const { StageName, CloseDate, Account, Orders } of opportunities) {
      assert.equal(CloseDate < TODAY, StageName.startsWith('Closed'), `${StageName} ${CloseDate}`)
      assert.equal(Orders !== null, StageName === 'Closed Won')
      if (StageName === 'Closed Won') assert.match(Account.Type, /^Customer/)
    }
  })

  test('says of every record what the platform derives of it', async () => {
    for (const one of await query(
      'SELECT StageName, IsWon, IsClosed, HasOpportunityLineItem FROM Opportunity',
    )) {
      const [won, closed] = [one.StageName === 'Closed Won', one.StageName.startsWith('Closed')]
      assert.deepEqual([one.IsWon, one.IsClosed, one.HasOpportunityLineItem], [won, closed, true])
    }
    for (const one of await query('SELECT TotalAmount, StatusCode, Opportunity.Amount FROM Order'))
      assert.deepEqual([one.TotalAmount, one.StatusCode], [one.Opportunity.Amount, 'Activated'])
    for (const one of await query('SELECT StatusCode, EndDate, ActivatedDate FROM Contract'))
      assert.ok(one.StatusCode === 'Activated' && one.EndDate !== null && one.ActivatedDate !== null)
    for (const { IsClosed, Status } of await query('SELECT IsClosed, Status FROM Case'))
      assert.equal(IsClosed, Status === 'Closed')
  })

  test('dates are in order', async () => {
    const inOrder = (...days: readonly string[]) => assert.deepEqual(days, [...days].sort())
    for (const { StartDate, EndDate, Status } of await query(
      'SELECT StartDate, EndDate, Status FROM Campaign',
    )) {
      if (Status === 'Completed') inOrder(StartDate, EndDate, TODAY)
      if (Status === 'In Progress') inOrder(StartDate, TODAY, EndDate)
      if (Status === 'Planned') inOrder(TODAY, StartDate, EndDate)
    }
    for (const one of await query(
      'SELECT PoDate, EffectiveDate, Opportunity.CloseDate, Quote.ExpirationDate FROM Order',
    )) {
      inOrder(one.Opportunity.CloseDate, one.PoDate, one.EffectiveDate, one.Quote.ExpirationDate)
    }
    for (const one of await query('SELECT CustomerSignedDate, CompanySignedDate, StartDate FROM Contract')) {
      inOrder(one.CustomerSignedDate, one.CompanySignedDate, one.StartDate)
    }
    for (const one of await query('SELECT PurchaseDate, InstallDate FROM Asset')) {
      inOrder(one.PurchaseDate, one.InstallDate, TODAY)
    }
    for (const one of await query('SELECT StartDateTime, EndDateTime, What.Name FROM Event')) {
      inOrder(one.StartDateTime, one.EndDateTime)
    }
    for (const { Status, ActivityDate } of await query('SELECT Status, ActivityDate FROM Task')) {
      assert.equal(ActivityDate < TODAY, Status === 'Completed')
    }
  })

  test('tasks and cases belong to a person of their company', async () => {
    const tasks = await query(
      "SELECT WhoId, TYPEOF What WHEN Opportunity THEN AccountId END FROM Task WHERE What.Type = 'Opportunity'",
    )
    const people = new Map(
      (await query('SELECT Id, AccountId FROM Contact')).map((one) => [one.Id, one.AccountId]),
    )
    assert.ok(tasks.length > 0)
    for (const { WhoId, What } of tasks) assert.equal(people.get(WhoId), What.AccountId)
    for (const { ContactId, AccountId, Asset } of await query(
      'SELECT ContactId, AccountId, Asset.AccountId FROM Case',
    )) {
      assert.deepEqual([people.get(ContactId), Asset.AccountId], [AccountId, AccountId])
    }
  })

  test('is refused where there is sample data, and writes more with --again', async () => {
    const count = async () => (await query('SELECT COUNT(Id) n FROM Account'))[0].n
    const before = await count()
    const { code, out, error } = await demo()
    assert.deepEqual([code, out], [1, ''])
    assert.equal(
      error,
      'The org has sample data already: 8 products whose code begins with DEMO-. Write more beside it with --again, or empty the org first: objectry org reset current\n',
    )
    assert.equal(await count(), before)
    assert.equal((await demo('--again', '--seed', '1')).code, 0)
    assert.equal(await count(), before * 2)
  })

  test('stops at the first record that is refused, with the message of the interface', async () => {
    await calls.makeOrg('Strict')
    const fields = { Level__c: { type: 'string', required: true } }
    await calls.call('Strict', 'PUT', '/setup/orgs/current/schema', { objects: { Contact: { fields } } })
    const { code, out, error } = await demo('--org', 'Strict')
    assert.deepEqual([code, out], [1, ''])
    assert.match(error, /^REQUIRED_FIELD_MISSING: .*Level__c/)
    assert.match(error, /\nThe org refused this Contact: \{"Salutation":/)
    assert.match(error, /\n25 records were written before and stay\.\n$/)
    assert.deepEqual(await calls.query('Strict', 'SELECT Id FROM Contact'), [])
  })

  test('does not take a seed or a day that is none', async () => {
    for (const [args, message] of [
      [['--seed', '-1'], /It is a whole number from 0 to 4294967295/],
      [['--seed', '4294967296'], /It is a whole number/],
      [['--date', '2026-02-30'], /It is a day like 2026-03-01/],
      [['--size', 'xl'], /Allowed choices are s, m, l/],
    ] as const) {
      const { code, error } = await demo('--org', 'Nobody', ...args)
      assert.equal(code, 2)
      assert.match(error, message)
    }
  })

  test('needs no server', async () => {
    await server.stop()
    const { code, out, error } = await demo('--again', '--seed', '2')
    assert.equal(code, 0, error)
    assert.ok(saidCounts(out).get('All')! > 100)
  })
})

describe('objectry demo on PostgreSQL', { skip: !onPostgres }, () => {
  let database: OwnDatabase
  let server: Objectry

  before(async () => {
    database = await makeOwnDatabase(process.env.TEST_DATABASE_URL!, 'demo')
    server = await start(readConfig({}, { databaseUrl: database.url, port: '0', logLevel: 'silent' }))
  })
  after(async () => {
    await server.stop()
    await database.drop()
  })

  test('writes the same records however its calls overtake each other', async () => {
    const calls = await callsTo(server)
    await calls.makeOrg('Same')
    for (const org of ['Objectry', 'Same']) {
      const args = ['demo', '--size', 'm', '--date', TODAY, '--org', org]
      const { code, error } = await runCommand(args, { DATABASE_URL: database.url })
      assert.equal(code, 0, error)
    }
    const data = await fetchData(calls, 'current')
    assert.ok(data.length > 1500)
    assert.deepEqual(await fetchData(calls, 'Same'), data)
  })
})
