import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sql } from '../../src/base/sql.ts'
import { onPostgres } from '../support/engine.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { PROJECT_SCHEMA } from '../support/project-schema.ts'

/** Days as the org's first user counts them: in UTC. */
const now = new Date()
const dayText = (date: Date) => date.toISOString().slice(0, 10)
const TODAY = dayText(now)
const LAST_MONTH = dayText(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 15)))

let org: TestOrg
let acme: string
let ada: string
let project: string

before(async () => {
  org = await openOrg()
  await org.deploy(PROJECT_SCHEMA)
  acme = await org.create('Account', { Name: 'Acme', Industry: 'Energy', AnnualRevenue: 1000 })
  await org.create('Account', { Name: 'beta', Industry: 'Banking', AnnualRevenue: 13 })
  await org.create('Account', { Name: 'gamma', Industry: 'Banking', AnnualRevenue: 100 })
  ada = await org.create('Contact', { FirstName: 'Ada', LastName: 'King', AccountId: acme, Email: 'a@b.co' })
  await org.create('Contact', { LastName: 'Two', AccountId: acme })
  project = await org.create('Project__c', {
    Name: 'P',
    Account__c: acme,
    Tags__c: 'Blue;Red',
    Status__c: 'Running',
    Budget__c: 44000,
    Kickoff__c: '2026-11-20T15:31:00Z',
    Site__Latitude__s: 59.9,
    Site__Longitude__s: 10.7,
  })
  await org.create('Milestone__c', { Name: 'M', Project__c: project })
  await org.create('Task', { Subject: 'Call', WhatId: acme, WhoId: ada, ActivityDate: TODAY })
  await org.create('Task', { Subject: 'Email', WhatId: project, ActivityDate: LAST_MONTH })
  await org.create('Task', { Subject: 'Other' })
})

async function ask(query: string, path = '/query') {
  const { status, body, text } = await org.call('GET', `${path}?q=${encodeURIComponent(query)}`)
  assert.equal(status, 200, text)
  return body
}

/** Records without their attributes, at every depth. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([name]) => name !== 'attributes')
  return Object.fromEntries(entries.map(([name, inner]) => [name, plain(inner)]))
}

const rows = async (query: string) => plain((await ask(query)).records) as Record<string, unknown>[]

describe('child queries', () => {
  test('children are in their record as a result of their own, null when there are none, nested too', async () => {
    const found = await rows(
      'SELECT Name, (SELECT LastName FROM Contacts ORDER BY LastName DESC), (SELECT Name, (SELECT Name FROM Milestones__r) FROM Projects__r) FROM Account ORDER BY Name LIMIT 2',
    )
    const result = (records: unknown[]) => ({ totalSize: records.length, done: true, records })
    assert.deepEqual(found, [
      {
        Name: 'Acme',
        Contacts: result([{ LastName: 'Two' }, { LastName: 'King' }]),
        Projects__r: result([{ Name: 'P', Milestones__r: result([{ Name: 'M' }]) }]),
      },
      { Name: 'beta', Contacts: null, Projects__r: null },
    ])
  })

  test('before 58.0 a child query has no child query', async () => {
    const q = 'SELECT Name, (SELECT Name, (SELECT Name FROM Milestones__r) FROM Projects__r) FROM Account'
    const { status, body } = await org.call('GET', `/services/data/v57.0/query?q=${encodeURIComponent(q)}`)
    assert.equal(status, 400)
    assert.equal(body[0].errorCode, 'MALFORMED_QUERY')
  })

  test('more than 199 children of a record come on pages of their own, each once and in order', async () => {
    const parent = await org.create('Account', { Name: 'Parent of many' })
    await org.db.query(sql`
      insert into ${sql.id(org.org.schemaName, 'contact')}
        (id, lastname, accountid, createddate, createdbyid, lastmodifieddate, lastmodifiedbyid, systemmodstamp)
      select '003CHILD0' || lpad(n::text, 9, '0'), 'Child ' || lpad(n::text, 5, '0'), ${parent}, now(), ${org.userId}, now(), ${org.userId}, now()
      from generate_series(1, 1200) n`)
    const q = `SELECT Name, (SELECT LastName FROM Contacts ORDER BY LastName) FROM Account WHERE Id = '${parent}'`
    for (const [batchSize, sizes] of [
      [2000, [199, 1001]],
      [400, [199, 400, 400, 201]],
    ] as const) {
      const headers = { 'svc-query-options': `batchSize=${batchSize}` }
      const { body } = await org.call('GET', `/query?q=${encodeURIComponent(q)}`, { headers })
      let page = body.records[0].Contacts
      const pages: string[][] = []
      for (;;) {
        assert.equal(page.totalSize, 1200)
        pages.push(page.records.map((record: { LastName: string }) => record.LastName))
        if (page.done) break
        page = (await org.call('GET', page.nextRecordsUrl)).body
      }
      assert.deepEqual(
        pages.map((names) => names.length),
        sizes,
      )
      const names = pages.flat()
      assert.equal(new Set(names).size, 1200)
      assert.deepEqual(names, [...names].sort())
    }
  })
})

describe('parents behind a reference to several objects', () => {
  test('a path shows the Name entity, whose address is the record itself', async () => {
    const { records } = await ask("SELECT What.Name, What.Type, Who.Email FROM Task WHERE Subject = 'Call'")
    assert.deepEqual(plain(records), [{ What: { Name: 'Acme', Type: 'Account' }, Who: { Email: 'a@b.co' } }])
    assert.deepEqual(records[0].What.attributes, {
      type: 'Name',
      url: `/services/data/v64.0/sobjects/Account/${acme}`,
    })
  })

  test('TYPEOF shows the fields of the branch that fits, else those of ELSE, else null', async () => {
    const branches = 'TYPEOF What WHEN Project__c THEN Budget__c ELSE Name END'
    const { records } = await ask(`SELECT Subject, ${branches} FROM Task ORDER BY Subject`)
    assert.deepEqual(plain(records), [
      { Subject: 'Call', What: { Name: 'Acme' } },
      { Subject: 'Email', What: { Budget__c: 44000 } },
      { Subject: 'Other', What: null },
    ])
    assert.equal(records[1].What.attributes.type, 'Project__c')
  })

  test('Type is compared as the name of the object', async () => {
    assert.deepEqual(await rows("SELECT Subject FROM Task WHERE What.Type IN ('project__c')"), [
      { Subject: 'Email' },
    ])
  })
})

describe('aggregates', () => {
  const named = "WHERE Name IN ('Acme', 'beta', 'gamma')"

  test('a row has its group, its functions by alias or exprN, and no address', async () => {
    const { records } = await ask(
      `SELECT Industry, COUNT(Id), SUM(AnnualRevenue) total, MAX(Name) FROM Account ${named} GROUP BY Industry ORDER BY COUNT(Id) DESC`,
    )
    assert.deepEqual(records, [
      { attributes: { type: 'AggregateResult' }, Industry: 'Banking', expr0: 2, total: 113, expr1: 'gamma' },
      { attributes: { type: 'AggregateResult' }, Industry: 'Energy', expr0: 1, total: 1000, expr1: 'Acme' },
    ])
  })

  test('without groups there is one row, over no records too', async () => {
    const [row] = await rows("SELECT COUNT(Id), SUM(AnnualRevenue) FROM Account WHERE Name = 'nobody'")
    assert.deepEqual(row, { expr0: 0, expr1: null })
  })

  test('ROLLUP adds a row for every level, which GROUPING tells apart', async () => {
    const found = await rows(
      `SELECT Industry, COUNT(Id) n, GROUPING(Industry) g FROM Account ${named} GROUP BY ROLLUP(Industry) ORDER BY GROUPING(Industry), Industry`,
    )
    assert.deepEqual(found, [
      { Industry: 'Banking', n: 2, g: 0 },
      { Industry: 'Energy', n: 1, g: 0 },
      { Industry: null, n: 3, g: 1 },
    ])
  })

  test('HAVING narrows groups, by functions and by the group itself', async () => {
    const having = "HAVING COUNT(Id) > 1 AND Industry LIKE 'b%'"
    assert.deepEqual(await rows(`SELECT Industry FROM Account ${named} GROUP BY Industry ${having}`), [
      { Industry: 'Banking' },
    ])
  })

  test('parts of a date group records, in UTC or in the user’s time zone', async () => {
    const found = await rows(
      'SELECT CALENDAR_YEAR(ActivityDate) y, CALENDAR_MONTH(ActivityDate) m, COUNT(Id) n FROM Task WHERE ActivityDate != null GROUP BY CALENDAR_YEAR(ActivityDate), CALENDAR_MONTH(ActivityDate) ORDER BY CALENDAR_YEAR(ActivityDate), CALENDAR_MONTH(ActivityDate)',
    )
    assert.deepEqual(found, [
      { y: Number(LAST_MONTH.slice(0, 4)), m: Number(LAST_MONTH.slice(5, 7)), n: 1 },
      { y: Number(TODAY.slice(0, 4)), m: Number(TODAY.slice(5, 7)), n: 1 },
    ])
  })
})

describe('conditions', () => {
  const subjects = async (condition: string) =>
    (await rows(`SELECT Subject FROM Task WHERE ${condition} ORDER BY Subject`)).map((row) => row.Subject)

  test('a named date is a range of days: in it, before it, after it, outside it', async () => {
    assert.deepEqual(await subjects('ActivityDate = TODAY'), ['Call'])
    assert.deepEqual(await subjects('ActivityDate = LAST_MONTH'), ['Email'])
    assert.deepEqual(await subjects('ActivityDate < THIS_MONTH'), ['Email'])
    assert.deepEqual(await subjects('ActivityDate >= LAST_N_DAYS:5'), ['Call'])
    assert.deepEqual(await subjects('ActivityDate != TODAY'), ['Email', 'Other'])
    assert.deepEqual(await subjects('ActivityDate IN (TODAY, null)'), ['Call', 'Other'])
  })

  test('a semi-join keeps those that the inner query names, an anti-join the others', async () => {
    const inner = "(SELECT AccountId FROM Contact WHERE LastName LIKE 'K%')"
    const named = "Name IN ('Acme', 'beta')"
    assert.deepEqual(await rows(`SELECT Name FROM Account WHERE ${named} AND Id IN ${inner}`), [
      { Name: 'Acme' },
    ])
    assert.deepEqual(await rows(`SELECT Name FROM Account WHERE ${named} AND Id NOT IN ${inner}`), [
      { Name: 'beta' },
    ])
  })

  test('the inner query of a semi-join does not see what is deleted, unless the whole query does', async () => {
    const account = await org.create('Account', { Name: 'Left alone' })
    const contact = await org.create('Contact', { LastName: 'Gone', AccountId: account })
    await org.call('DELETE', `/sobjects/Contact/${contact}`)
    const query = (operator: string) =>
      `SELECT Name FROM Account WHERE Name = 'Left alone' AND Id ${operator} (SELECT AccountId FROM Contact)`
    const counts = await Promise.all(
      ['/query', '/queryAll'].flatMap((path) =>
        ['IN', 'NOT IN'].map(async (operator) => (await ask(query(operator), path)).totalSize),
      ),
    )
    assert.deepEqual(counts, [0, 1, 1, 0])
  })

  test('INCLUDES asks for all values of one of its items, EXCLUDES for none of them', async () => {
    const projects = (condition: string) => rows(`SELECT Name FROM Project__c WHERE Tags__c ${condition}`)
    assert.deepEqual(await projects("INCLUDES ('Red;Blue', 'Green')"), [{ Name: 'P' }])
    assert.deepEqual(await projects("INCLUDES ('Red;Green')"), [])
    assert.deepEqual(await projects("EXCLUDES ('Green')"), [{ Name: 'P' }])
  })

  test('a distance is compared and shown in kilometres or miles', async () => {
    const from = 'DISTANCE(Site__c, GEOLOCATION(59.9, 10.8), '
    const [found] = await rows(`SELECT ${from}'km') d FROM Project__c WHERE ${from}'mi') < 4`)
    assert.ok(Math.abs((found!.d as number) - 5.58) < 0.01)
    assert.deepEqual(await rows(`SELECT Name FROM Project__c WHERE ${from}'km') < 5`), [])
  })
})

describe('presentation', () => {
  test('FORMAT gives text as the user writes it, toLabel the label', async () => {
    const [found] = await rows(
      'SELECT FORMAT(Budget__c) b, FORMAT(Kickoff__c) k, toLabel(Status__c) FROM Project__c',
    )
    assert.deepEqual(found, { b: '$44,000.00', k: '11/20/2026, 3:31 PM', Status__c: 'Running' })
  })

  test('a function of a field of a parent stands in the parent record, as django-salesforce reads it', async () => {
    const [found] = await rows(
      `SELECT Name, toLabel(Account.Name), toLabel(Account.Industry), Account.Phone, FORMAT(Account.AnnualRevenue),
        FORMAT(convertCurrency(Account.AnnualRevenue)) money, toLabel(Account.Owner.UserType)
      FROM Contact WHERE Id = '${ada}'`,
    )
    assert.deepEqual(found, {
      Name: 'Ada King',
      Account: {
        Name: 'Acme',
        Industry: 'Energy',
        Phone: null,
        AnnualRevenue: '$1,000.00',
        Owner: { UserType: 'Standard' },
      },
      money: '$1,000.00',
    })
    const children = '(SELECT toLabel(Account.Industry) FROM Contacts LIMIT 1)'
    const [account] = await rows(`SELECT ${children} FROM Account WHERE Id = '${acme}'`)
    assert.deepEqual((account!.Contacts as { records: unknown }).records, [
      { Account: { Industry: 'Energy' } },
    ])
    const [orphan] = await rows("SELECT toLabel(Account.Industry) FROM Contact WHERE Account.Name = 'none'")
    assert.equal(orphan, undefined)
  })

  test('a field and its label, of a parent too, are refused beside each other without an alias', async () => {
    for (const path of ['LeadSource', 'Account.Industry']) {
      for (const items of [`${path}, toLabel(${path})`, `toLabel(${path}), ${path}`]) {
        const q = encodeURIComponent(`SELECT ${items} FROM Contact`)
        assert.equal((await org.call('GET', `/query?q=${q}`)).status, 400, items)
      }
    }
  })

  test('columns=true tells what the columns are and runs nothing', async () => {
    const q = encodeURIComponent('SELECT Name, Owner.Name, (SELECT Id FROM Contacts) FROM Account')
    const { body } = await org.call('GET', `/query?q=${q}&columns=true`)
    const shown = body.columnMetadata.map((column: Record<string, unknown>) => [
      column.columnName,
      column.apexType,
      column.foreignKeyName,
      column.aggregate,
    ])
    assert.deepEqual(shown, [
      ['Name', 'String', null, false],
      ['Owner', null, 'OwnerId', false],
      ['Contacts', null, null, true],
    ])
    assert.equal(body.records, undefined)
  })

  test('explain shows which index leads, and which conditions have none', async () => {
    const explain = async (query: string) =>
      (await org.call('GET', `/query?explain=${encodeURIComponent(query)}`)).body.plans[0]
    const byId = await explain(`SELECT Name FROM Account WHERE Id = '${acme}'`)
    assert.deepEqual([byId.leadingOperationType, byId.fields, byId.notes], ['Index', ['Id'], []])
    const scan = await explain("SELECT Name FROM Account WHERE Industry = 'Energy'")
    assert.equal(scan.leadingOperationType, 'TableScan')
    assert.deepEqual(scan.notes[0].fields, ['Industry'])
  })

  test('explain tells the SQL statement only when it is asked for', async () => {
    const path = `/query?explain=${encodeURIComponent("SELECT Name FROM Account WHERE Name = 'Acme'")}`
    assert.deepEqual(Object.keys((await org.call('GET', path)).body), ['plans', 'sourceQuery'])
    const { statement } = (await org.call('GET', `${path}&statement=true`)).body
    assert.match(statement.text, /^select .* = upper\(\$1\b.* limit 2000$/)
    assert.deepEqual(statement.values, ['Acme'])
  })
})

test('queryAll answers with what is in the recycle bin too', async () => {
  const id = await org.create('Account', { Name: 'Gone' })
  await org.call('DELETE', `/sobjects/Account/${id}`)
  const q = "SELECT Name, IsDeleted FROM Account WHERE Name = 'Gone'"
  assert.deepEqual((await ask(q)).records, [])
  assert.deepEqual(plain((await ask(q, '/queryAll')).records), [{ Name: 'Gone', IsDeleted: true }])
})

test('FIELDS(ALL) shows every field, and needs a bound', async () => {
  const [row] = await rows(`SELECT FIELDS(ALL) FROM Contact WHERE Id = '${ada}'`)
  const { body } = await org.call('GET', '/sobjects/Contact/describe')
  assert.deepEqual(
    Object.keys(row!),
    body.fields.map((field: { name: string }) => field.name),
  )
})

test('a statement that runs too long is cancelled and answers QUERY_TIMEOUT', {
  skip: !onPostgres && 'the embedded engine cannot be interrupted',
}, async () => {
  const { toApiError } = await import('../../src/calls/dispatch.ts')
  const cancelled = await org.db
    .transaction(async (tx) => {
      await tx.query(sql`set local statement_timeout = 20`)
      await tx.query(sql`select pg_sleep(5)`)
    })
    .catch((error: unknown) => toApiError(error, { observe: () => {} }))
  assert.deepEqual([cancelled?.code, cancelled?.status], ['QUERY_TIMEOUT', 400])
})
