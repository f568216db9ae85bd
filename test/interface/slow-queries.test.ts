import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { AdvisedQuery } from '../../src/admin/slow-queries.ts'
import { makeApiVersion } from '../../src/base/api-version.ts'
import { SlowQueries } from '../../src/slowqueries/slow-queries.ts'
import { adviseIndex } from '../../src/soql/advise/advise-index.ts'
import { compileQuery } from '../../src/soql/compile/compile.ts'
import { maskQuery } from '../../src/soql/parse/mask-query.ts'
import { CASES } from '../soql/cases.ts'
import { SCHEMA } from '../soql/golden.ts'
import { makeAccounts, writeAccounts } from '../support/account-rows.sql.ts'
import { ask } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson } from '../support/people.ts'
import { ACCOUNT_HISTORY, PROJECT_SCHEMA } from '../support/project-schema.ts'

const RECORDS = 20_000
const PATH = '/setup/orgs/current/slow-queries'

let o: TestOrg

before(async () => {
  o = await openOrg({ settings: { slowStatementMilliseconds: '1' } })
  const industries = Array.from({ length: 500 }, (_, n) => `Secret ${n}`)
  await writeAccounts(
    o,
    makeAccounts(RECORDS).map((row, n) => ({ ...row, industry: industries[n % industries.length]! })),
  )
})

const fetchSlow = async () => {
  const { status, body, text } = await o.call('GET', PATH)
  assert.equal(status, 200, text)
  return body as AdvisedQuery[]
}

describe('a slow query', () => {
  test('is noted once for all its values, with none of them, and with the index that it lacks', async () => {
    for (const industry of ['Secret 17', 'Secret 18', 'nobody']) {
      const query = `SELECT Id FROM Account WHERE Industry = '${industry}' AND NumberOfEmployees > 471147 LIMIT 37`
      assert.equal((await ask(o, query)).status, 200)
    }
    const slow = await fetchSlow()
    assert.doesNotMatch(JSON.stringify(slow), /secret|nobody|471147|LIMIT 37/i)
    const found = slow.find(({ query }) => query.includes('Industry ='))!
    assert.equal(
      found.query,
      "SELECT Id FROM Account WHERE Industry = '000000000000000AAA' AND NumberOfEmployees > 0 LIMIT 10",
    )
    assert.ok(found.times >= 1 && found.times <= 3)
    assert.ok(found.milliseconds >= found.maxMilliseconds && found.maxMilliseconds >= 1)
    assert.deepEqual(
      [found.object, found.index, found.definition],
      ['Account', ['Industry', 'NumberOfEmployees'], 'indexes: [[Industry, NumberOfEmployees]]'],
    )
  })

  test('has its index tried without a trace: the costs with it are lower', async () => {
    assert.equal((await ask(o, "SELECT COUNT() FROM Account WHERE Industry = 'Secret 3'")).status, 200)
    const { id } = (await fetchSlow()).find(({ query }) => query.startsWith('SELECT COUNT()'))!
    const { status, body, text } = await o.call('POST', `${PATH}/${id}/try`)
    assert.equal(status, 200, text)
    assert.deepEqual([body.index, body.helps, body.definition], [['Industry'], true, 'indexes: [[Industry]]'])
    assert.ok(body.costAfter * 2 < body.costBefore, text)
    const again = await o.call('POST', `${PATH}/${id}/try`)
    assert.deepEqual(again.body.index, ['Industry'])
    assert.ok(again.body.costAfter * 2 < again.body.costBefore, again.text)
  })

  test('is forgotten when that is asked for, and then has no index to try', async () => {
    const [{ id } = {}] = await fetchSlow()
    assert.equal((await o.call('DELETE', PATH)).status, 204)
    assert.deepEqual(await fetchSlow(), [])
    for (const none of [id, '%00', '..%2f']) {
      assertRefused(await o.call('POST', `${PATH}/${none}/try`), 404, 'NOT_FOUND', /no such slow query/)
    }
  })

  test('is noted by every server of the database, and of an org 200 queries are kept', async () => {
    for (const [server, count] of [
      ['first', 150],
      ['second', 150],
    ] as const) {
      const notes = new SlowQueries(o.db)
      for (let n = 0; n < count; n++) notes.note(o.org.id, `SELECT Id, ${server}_${n}__c FROM Account`, 64, 5)
      await notes.store()
    }
    const noted = new SlowQueries(o.db)
    noted.note(o.org.id, 'SELECT Id, second_7__c FROM Account', 64, 9)
    await noted.store()
    const slow = await fetchSlow()
    assert.equal(slow.length, 200)
    const twice = slow.find(({ query }) => query.includes('second_7__c'))!
    assert.deepEqual([twice.times, twice.milliseconds, twice.maxMilliseconds], [2, 14, 9])
    assert.deepEqual([twice.index, twice.because], [null, 'the schema has changed since'])
  })

  test('is told to administrators only', async () => {
    const person = await addPerson(o, 'clerk')
    for (const [method, path] of [
      ['GET', PATH],
      ['DELETE', PATH],
      ['POST', `${PATH}/x/try`],
    ] as const) {
      assert.equal((await person.call(method, path)).status, 403)
    }
  })
})

describe('the advice', () => {
  const advise = (query: string) => {
    const compiled = compileQuery(query, SCHEMA, makeApiVersion(64))
    return adviseIndex(compiled.plan)
  }
  const first = (query: string) => advise(query).indexes[0]

  test('for conditions has the fields that equal values first, then one with a range', () => {
    assert.deepEqual(first("SELECT Id FROM Account WHERE AnnualRevenue > 5 AND Industry = 'x'"), [
      'Industry',
      'AnnualRevenue',
    ])
    assert.deepEqual(first("SELECT Id FROM Account WHERE Phone LIKE '47%'"), ['Phone'])
    assert.deepEqual(first('SELECT Id FROM Account WHERE CreatedDate = LAST_N_DAYS:3'), ['CreatedDate'])
    assert.deepEqual(first("SELECT COUNT() FROM Account WHERE Industry IN ('a', 'b')"), ['Industry'])
    assert.deepEqual(first("SELECT Industry, COUNT(Id) FROM Account WHERE Phone = 'x' GROUP BY Industry"), [
      'Phone',
    ])
  })

  test('for an order has its fields, unless the order is none of an index', () => {
    assert.deepEqual(first('SELECT Id FROM Account ORDER BY AnnualRevenue LIMIT 5'), ['AnnualRevenue'])
    assert.deepEqual(
      first('SELECT Id FROM Account ORDER BY AnnualRevenue DESC NULLS LAST, Phone DESC NULLS LAST'),
      ['AnnualRevenue', 'Phone'],
    )
    assert.match(advise('SELECT Id FROM Account ORDER BY AnnualRevenue DESC LIMIT 5').because, /NULLS LAST/)
    assert.equal(first('SELECT Id FROM Account ORDER BY Industry'), undefined)
    assert.equal(first('SELECT Id FROM Account ORDER BY Parent.Name'), undefined)
  })

  test('for a condition and an order has both', () => {
    assert.deepEqual(first("SELECT Id FROM Account WHERE Industry = 'x' ORDER BY AnnualRevenue"), [
      'Industry',
      'AnnualRevenue',
    ])
    assert.deepEqual(
      advise('SELECT Id FROM Account WHERE NumberOfEmployees > 5 ORDER BY AnnualRevenue').indexes,
      [['NumberOfEmployees'], ['AnnualRevenue']],
    )
  })

  test('is none where an index serves the query, and says which', () => {
    for (const [query, index] of [
      ["SELECT Id FROM Account WHERE Name = 'x'", 'Name'],
      ["SELECT Id FROM Account WHERE Name LIKE 'x%' ORDER BY Name", 'Name'],
      ["SELECT Id FROM Account WHERE Id = '001000000000001' AND Industry = 'x'", 'Id'],
      ["SELECT Id FROM Contact WHERE AccountId = '001000000000001'", 'AccountId'],
    ] as const) {
      const { indexes, because } = advise(query)
      assert.deepEqual([indexes, because], [[], `the index of ${index} serves it`])
    }
  })

  test('is none for what no index serves, and says so', () => {
    for (const [query, because] of [
      ['SELECT Id FROM Account', /reads all records/],
      ["SELECT Id FROM Account WHERE Phone LIKE '%x'", /begins with a wildcard/],
      ["SELECT Id FROM Account WHERE Phone != 'x'", /negation/],
      ["SELECT Id FROM Account WHERE Phone = 'x' OR Industry = 'y'", /alternatives/],
      ['SELECT Id FROM Account WHERE Phone = null', /null/],
      ["SELECT Id FROM Contact WHERE Account.Industry = 'x'", /something else/],
    ] as const) {
      const advice = advise(query)
      assert.deepEqual(advice.indexes, [])
      assert.match(advice.because, because)
    }
  })
})

describe('a masked query', () => {
  const ANY = "'000000000000000AAA'"
  for (const [query, masked] of [
    [
      "select  Id\nfrom Account where Name='x'and Phone  LIKE '%y'",
      `select Id from Account where Name = ${ANY} and Phone LIKE '%?'`,
    ],
    [
      "SELECT Id FROM Account WHERE Name IN ('a', null, 'b') AND X__c > 3.5",
      `SELECT Id FROM Account WHERE Name IN (${ANY}) AND X__c > 0`,
    ],
    [
      'SELECT Id FROM A WHERE D = LAST_N_DAYS:45 AND E > 2024-05-06 AND F < 2024-05-06T07:08:09Z LIMIT 345 OFFSET 20',
      'SELECT Id FROM A WHERE D = LAST_N_DAYS:10 AND E > 2000-01-01 AND F < 2000-01-01T00:00:00Z LIMIT 100 OFFSET 10',
    ],
    [
      "SELECT Id FROM A WHERE B = false AND C = USD500 AND Id IN (SELECT P FROM Q WHERE R LIKE 's%')",
      "SELECT Id FROM A WHERE B = true AND C = 0 AND Id IN (SELECT P FROM Q WHERE R LIKE '?%')",
    ],
    [
      "SELECT COUNT(Id) FROM A WHERE DISTANCE(S__c, GEOLOCATION(59.9, 10.8), 'km') < 20",
      "SELECT COUNT(Id) FROM A WHERE DISTANCE(S__c, GEOLOCATION(0, 0), 'km') < 0",
    ],
  ] as const) {
    test(`has no value of ${JSON.stringify(query)}`, () => {
      assert.equal(maskQuery(query), masked)
      assert.equal(maskQuery(masked), masked)
    })
  }

  test('is a query that is answered, whatever query it was made of', async () => {
    const small = await openOrg()
    await small.deploy([...PROJECT_SCHEMA, ACCOUNT_HISTORY])
    for (const { q } of CASES.filter(({ valid }) => valid)) {
      const masked = maskQuery(q)
      assert.equal(maskQuery(masked), masked)
      const { status, text } = await ask(small, masked)
      assert.equal(status, 200, `${q}\n${masked}\n${text}`)
    }
  })
})
