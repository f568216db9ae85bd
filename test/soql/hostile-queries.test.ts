import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import { sql } from '../../src/base/sql.ts'
import { ask, fetchRecords } from '../support/ask.ts'
import { makeAllTables } from '../support/make-all-tables.sql.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { PROJECT_SCHEMA } from '../support/project-schema.ts'
import { isSoak, runs } from '../support/runs.ts'
import { SAMPLE } from '../support/sample-schema.ts'
import { HOSTILE_TEXTS } from './hostile-texts.ts'
import { PAYLOADS } from './payloads.ts'

/* Any text sent as a query gets a status below 500 and changes no data. */

let o: TestOrg
let unharmed: unknown

/** Everything that the org holds: the tables of its schema, and the accounts to the last byte. */
async function contents(): Promise<unknown> {
  const { schemaName } = o.org
  const tables = await o.db.query(
    sql`select table_name from information_schema.tables where table_schema = ${schemaName} order by 1`,
  )
  const accounts = await o.db.query(
    sql`select md5(string_agg(a::text, ';' order by id)) as hash from ${sql.id(schemaName, 'account')} a`,
  )
  return { tables, accounts }
}

before(async () => {
  // Its addresses are longer than others.
  o = await openOrg({ settings: { lenient: 'true' } })
  await o.deploy([SAMPLE, ...PROJECT_SCHEMA])
  for (const payload of PAYLOADS) {
    await o.call('POST', '/sobjects/Account', { body: { Name: payload, Site: 'x', NumberOfEmployees: 1 } })
  }
  await makeAllTables(o)
  unharmed = await contents()
})

async function assertAnswered(text: string): Promise<number> {
  const { status, body } = await ask(o, text.toWellFormed())
  const shown = JSON.stringify(text.slice(0, 500))
  if (status === 200) assert.ok(Array.isArray(body.records), shown)
  else {
    assert.ok([400, 414].includes(status), `${status} for ${shown}: ${JSON.stringify(body)}`)
    // That is a page.
    if (status === 414) return status
    assert.match(body[0].errorCode, /^[A-Z_]+$/, shown)
  }
  return status
}

const escaped = (text: string) => text.replaceAll(/[\\']/g, '\\$&')

describe('a payload', () => {
  test('inside a literal is a value: it finds the records that have it, and no other', async () => {
    const names = (await fetchRecords(o, 'SELECT Name FROM Account')).map((record) => String(record.Name))
    assert.ok(names.length > PAYLOADS.length - 5)
    for (const name of names) {
      const literal = escaped(name)
      const expected = names.filter((other) => other.toUpperCase() === name.toUpperCase())
      for (const condition of [`= '${literal}'`, `IN ('${literal}')`]) {
        const found = await fetchRecords(o, `SELECT Name FROM Account WHERE Name ${condition}`)
        assert.deepEqual(found.map((record) => record.Name).sort(), expected.toSorted(), condition)
      }
      const pattern = literal.replaceAll(/[%_]/g, '\\$&')
      const like = await fetchRecords(o, `SELECT Name FROM Account WHERE Name LIKE '${pattern}'`)
      assert.deepEqual(like.map((record) => record.Name).sort(), expected.toSorted(), pattern)
    }
  })

  test('anywhere else is refused or harmless', async () => {
    const templates = [
      (p: string) => p,
      (p: string) => `SELECT ${p} FROM Account`,
      (p: string) => `SELECT Id, Account.${p} FROM Contact`,
      (p: string) => `SELECT ${p}.Name FROM Contact`,
      (p: string) => `SELECT Id FROM ${p}`,
      (p: string) => `SELECT Id FROM Account ${p}`,
      (p: string) => `SELECT Id FROM Account WHERE ${p} = 'x'`,
      (p: string) => `SELECT Id FROM Account WHERE Name ${p} 'x'`,
      (p: string) => `SELECT Id FROM Account WHERE Name = '${p}'`,
      (p: string) => `SELECT Id FROM Account WHERE Name LIKE '${p}'`,
      (p: string) => `SELECT Id FROM Account WHERE Name IN ('${p}')`,
      (p: string) => `SELECT Id FROM Account WHERE Id = '${p}'`,
      (p: string) => `SELECT Id FROM Account WHERE NumberOfEmployees = ${p}`,
      (p: string) => `SELECT Id FROM Account WHERE CreatedDate > ${p}`,
      (p: string) => `SELECT Id FROM Account WHERE Name = 'x' ${p}`,
      (p: string) => `SELECT Id FROM Account ORDER BY ${p}`,
      (p: string) => `SELECT Id FROM Account ORDER BY Name ${p}`,
      (p: string) => `SELECT Id FROM Account LIMIT ${p}`,
      (p: string) => `SELECT Id FROM Account LIMIT 1 OFFSET ${p}`,
      (p: string) => `SELECT COUNT() FROM Account ${p}`,
    ]
    for (const payload of PAYLOADS) for (const template of templates) await assertAnswered(template(payload))
  })

  test('as a locator is refused', async () => {
    for (const payload of PAYLOADS) {
      const locator = encodeURIComponent(payload.toWellFormed())
      const { status } = await o.call('GET', `/query/${locator}`)
      assert.equal(status, 400, payload)
    }
  })

  test('in the header for the page size is ignored', async () => {
    for (const payload of PAYLOADS.filter((text) => /^[\x20-\x7e]*$/.test(text))) {
      const headers = { 'svc-query-options': `batchSize=${payload}` }
      assert.equal((await ask(o, 'SELECT Id FROM Account', headers)).status, 200)
    }
  })
})

describe('random text', () => {
  test('of any bytes, also such as are no UTF-8', async () => {
    const bytes = fc.uint8Array({ maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(bytes, async (text) => {
        const q = [...text].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
        const { status } = await o.call('GET', `/query?q=SELECT+Id+FROM+Account+WHERE+Name='${q}'`)
        assert.ok([200, 400].includes(status), `${status} for ${q}`)
      }),
      { numRuns: runs(30) },
    )
  })

  for (const [kind, text] of Object.entries(HOSTILE_TEXTS)) {
    test(`that is ${kind}`, async () => {
      await fc.assert(
        fc.asyncProperty(text, async (one) => void (await assertAnswered(one))),
        { numRuns: runs(40) },
      )
    })
  }
})

describe('a statement that the analysis takes', () => {
  const LITERALS = [
    'null',
    'true',
    'FALSE',
    '0',
    '-1',
    '+99999999999999999999.5',
    '0.000000000000000001',
    "''",
    "'a'",
    "'%'",
    "'001000000000001'",
    "'A;B'",
    "'\\n\\\\\\''",
    '2024-02-29',
    '1700-01-01',
    '4000-12-31',
    '2024-02-29T00:00:00Z',
    '1700-01-01T00:00:00+23:59',
    '4000-12-31T23:59:59.999-23:59',
    '00:00:00Z',
    '23:59:59.999+12:00',
    'TODAY',
    'USD5',
  ]
  const OPERATORS = ['=', '!=', '<', '<=', '>', '>=', 'LIKE', 'IN', 'NOT IN']

  test('runs, for a field of every type with every operator and every literal', async () => {
    let [requested, ran] = [0, 0]
    const { fields } = (await o.call('GET', '/sobjects/Sample__c/describe')).body
    const ofEachType = new Map(fields.map((field: { type: string }) => [field.type, field])).values()
    for (const { name } of (isSoak ? fields : ofEachType) as Iterable<{ name: string }>) {
      for (const operator of OPERATORS) {
        for (const literal of LITERALS) {
          // The suite asks every second one, which are others for the next operator.
          if (requested++ % 2 === 1 && !isSoak) continue
          const value = operator.endsWith('IN') ? `(${literal}, null, ${literal})` : literal
          const condition = `(NOT ${name} ${operator} ${value}) OR ${name} ${operator} ${value}`
          if ((await assertAnswered(`SELECT ${name} FROM Sample__c WHERE ${condition}`)) === 200) ran++
        }
      }
    }
    assert.ok(ran > 300, `${ran} ran`)
  })

  test('runs with random conditions and orders over parents too', async () => {
    const paths = [
      'Name',
      'Id',
      'Industry',
      'NumberOfEmployees',
      'AnnualRevenue',
      'CreatedDate',
      'IsDeleted',
      'OwnerId',
    ]
    const path = fc
      .tuple(
        fc.constantFrom('', 'Parent.', 'Parent.Parent.', 'Owner.', 'CreatedBy.Manager.'),
        fc.constantFrom(...paths),
      )
      .map(([parent, field]) => parent + field)
    const literal = fc.constantFrom(...LITERALS)
    const { condition } = fc.letrec<{ condition: string; term: string }>((tie) => ({
      term: fc.oneof(
        { depthSize: 'small' },
        fc
          .tuple(path, fc.constantFrom(...OPERATORS), literal)
          .map(([p, op, v]) => `${p} ${op} ${op.endsWith('IN') ? `(${v})` : v}`),
        tie('condition').map((inner) => `(${inner})`),
      ),
      condition: fc.oneof(
        tie('term'),
        tie('term').map((term) => `NOT ${term}`),
        fc.array(tie('term'), { minLength: 2, maxLength: 4 }).map((terms) => terms.join(' AND ')),
        fc.array(tie('term'), { minLength: 2, maxLength: 4 }).map((terms) => terms.join(' OR ')),
      ),
    }))
    const order = fc
      .tuple(path, fc.constantFrom('', ' ASC', ' DESC'), fc.constantFrom('', ' NULLS FIRST', ' NULLS LAST'))
      .map((parts) => parts.join(''))
    const query = fc
      .tuple(
        fc.uniqueArray(path, { minLength: 1, maxLength: 5 }),
        condition,
        fc.array(order, { maxLength: 3 }),
      )
      .map(([list, where, orders]) => {
        const sorting = orders.length === 0 ? '' : ` ORDER BY ${orders}`
        return `SELECT ${list} FROM Account WHERE ${where}${sorting}`
      })
    await fc.assert(
      fc.asyncProperty(query, async (text) => void (await assertAnswered(text))),
      { numRuns: runs(100) },
    )
  })
})

describe('what is long or deep', () => {
  test('is answered', async () => {
    const from = 'SELECT Id FROM Account WHERE'
    const many = (count: number, term: string, between: string) => Array(count).fill(term).join(between)
    for (const text of [
      `${from} Name = '${'x'.repeat(4000)}'`,
      `${from} Name = '${'x'.repeat(4001)}'`,
      `${from} Name LIKE '${'%_'.repeat(1500)}'`,
      `${from} Name LIKE '${'\\\\'.repeat(1500)}'`,
      `${from} NumberOfEmployees = ${'9'.repeat(308)}`,
      `${from} NumberOfEmployees = ${'9'.repeat(309)}`,
      `${from} AnnualRevenue > 0.${'0'.repeat(990)}1`,
      `${from} AnnualRevenue > 0.${'0'.repeat(20_000)}1`,
      `${from} NumberOfEmployees IN (1.${'0'.repeat(20_000)})`,
      `${from} Name IN (${many(2000, "'a'", ',')})`,
      `${from} ${many(600, "Fax='a'", ' OR ')}`,
      `${from} ${'(NOT '.repeat(99)}Name = 'a'${')'.repeat(99)}`,
      `${from} ${'('.repeat(5000)}`,
      `SELECT Id FROM Account ORDER BY ${many(1500, 'Fax', ',')}`,
      `SELECT Id FROM Account LIMIT 9007199254740991 OFFSET 2000`,
      `SELECT Id FROM Account LIMIT 9007199254740992`,
      `SELECT Id FROM Account LIMIT ${'9'.repeat(400)}`,
      `SELECT COUNT() FROM Account LIMIT 9007199254740991`,
      `SELECT ${'Parent.'.repeat(500)}Id FROM Account`,
      `SELECT ${'x'.repeat(10_000)} FROM Account`,
      `${'\n'.repeat(5000)}SELECT Foo FROM Account`,
      'x'.repeat(40_000),
    ])
      await assertAnswered(text)
  })
})

test('none of it changed the data', async () => assert.deepEqual(await contents(), unharmed))
