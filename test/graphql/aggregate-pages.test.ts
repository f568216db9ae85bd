import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { loadSnapshot } from '../../src/schema/snapshot/load-snapshot.ts'
import { requireObject } from '../../src/schema/snapshot/snapshot.ts'
import { fetchRefusal, type Group, groupsDocument, invalid } from '../support/aggregate.ts'
import { fetchUiapi } from '../support/graphql.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { writeRows } from '../support/write-rows.sql.ts'

const MAX = 2000
const DAYS = MAX + 5

const cursor = (index: number) => Buffer.from(`v1:${index}`).toString('base64')

let o: TestOrg

before(async () => {
  o = await openOrg()
  const kind = { type: 'picklist', length: 10, values: ['b', 'a'] } as const
  const object = { name: 'Day__c', label: 'Day', labelPlural: 'Days', keyPrefix: '' }
  const fields = [
    { name: 'Name', label: 'Name', type: 'string', length: 80, nameField: true },
    { name: 'Nth__c', label: 'Nth', type: 'int' },
    { name: 'Kind__c', label: 'Kind', ...kind },
  ] as const
  await o.deploy([{ ...object, fields }])
  const id = await o.create('Day__c', { Name: 'first', Nth__c: 0, Kind__c: 'a' })
  const type = requireObject(await loadSnapshot(o.db, o.org), 'Day__c')
  const common = { OwnerId: o.userId, CreatedById: o.userId, LastModifiedById: o.userId, IsDeleted: false }
  const audit = { CreatedDate: '2026-01-01T00:00:00Z', LastModifiedDate: '2026-01-01T00:00:00Z' }
  const rows = Array.from({ length: DAYS - 1 }, (_, n) => ({
    ...common,
    ...audit,
    SystemModstamp: '2026-01-01T00:00:00Z',
    Id: `${id.slice(0, 3)}${String(n).padStart(15, 'Z')}`,
    Name: `day ${n % 4}`,
    Nth__c: n + 1,
    // Two of them are not in the list, and sorted as one.
    Kind__c: [null, 'a', 'b', 'other', 'another'][n % 5]!,
  }))
  await writeRows(o, type, rows)
})

const PAGE = 'totalCount pageResultCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor }'

async function fetchPage(args: string, shown = 'Nth__c { value }', more = PAGE): Promise<Group> {
  const { aggregate } = await fetchUiapi(o, groupsDocument(`Day__c(${args})`, shown, more))
  return aggregate.it
}

const refused = (args: string, more?: string) => fetchRefusal(o, `Day__c(${args})`, undefined, more)

const BY_DAY = 'groupBy: { Nth__c: { group: true } }'

describe('Pages of groups', () => {
  test('A page begins behind a cursor, holds as many as were asked for, and tells where it is', async () => {
    const first = await fetchPage(`${BY_DAY}, first: 3`)
    assert.deepEqual(
      first.edges.map(({ node }: Group) => node.aggregate.Nth__c.value),
      [0, 1, 2],
    )
    assert.equal(first.totalCount, DAYS)
    assert.equal(first.pageResultCount, 3)
    assert.deepEqual(first.pageInfo, {
      hasNextPage: true,
      hasPreviousPage: false,
      startCursor: cursor(0),
      endCursor: cursor(2),
    })
    const last = await fetchPage(`${BY_DAY}, first: 3, after: "${cursor(DAYS - 3)}"`)
    assert.deepEqual(
      last.edges.map(({ node }: Group) => node.aggregate.Nth__c.value),
      [DAYS - 2, DAYS - 1],
    )
    assert.equal(last.totalCount, DAYS)
    assert.deepEqual(last.pageInfo, {
      hasNextPage: false,
      hasPreviousPage: true,
      startCursor: cursor(DAYS - 2),
      endCursor: cursor(DAYS - 1),
    })
  })

  test('Each edge has its cursor', async () => {
    const query = `{ uiapi { aggregate { Day__c(${BY_DAY}, first: 2, after: "${cursor(6)}") { edges { cursor } } } } }`
    const { aggregate } = await fetchUiapi(o, query)
    assert.deepEqual(aggregate.Day__c, { edges: [{ cursor: cursor(7) }, { cursor: cursor(8) }] })
  })

  test('Behind the last group there is nothing, and the total is still told', async () => {
    assert.deepEqual(await fetchPage(`${BY_DAY}, first: 3, after: "${cursor(9000)}"`), {
      totalCount: DAYS,
      pageResultCount: 0,
      pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
      edges: [],
    })
    assert.deepEqual((await fetchPage(`first: 1, after: "${cursor(0)}"`, 'Id { count { value } }')).edges, [])
  })

  test('Without first all groups come, up to 2,000; beyond, first has to be used', async () => {
    const where = (max: number) => `${BY_DAY}, where: { Nth__c: { lt: ${max} } }`
    const all = await fetchPage(where(MAX))
    assert.equal(all.edges.length, MAX)
    assert.equal(all.totalCount, MAX)
    assert.equal(all.pageInfo.hasNextPage, false)
    for (const more of ['', 'totalCount']) {
      assert.match(await refused(where(MAX + 1), more), /more than 2000 groups: use first/)
    }
    const rest = await fetchPage(`${BY_DAY}, after: "${cursor(4)}"`)
    assert.equal(rest.edges.length, MAX)
    assert.equal((await fetchPage(`${BY_DAY}, first: ${MAX}`)).edges.length, MAX)
  })

  test('How many there are can be asked for alone', async () => {
    const totals = `{ uiapi { aggregate { all: Day__c { totalCount } days: Day__c(${BY_DAY}) { totalCount }
      page: Day__c(${BY_DAY}, first: 1, after: "${cursor(3)}") { totalCount }
      few: Day__c(groupBy: { Name: { group: true }, type: ROLLUP }) { totalCount } } } }`
    assert.deepEqual((await fetchUiapi(o, totals)).aggregate, {
      all: { totalCount: 1 },
      days: { totalCount: DAYS },
      page: { totalCount: DAYS },
      few: { totalCount: 6 },
    })
  })

  for (const [first, message] of [
    ['first: 0', 'first must be between 1 and 2000'],
    ['first: 2001', 'first must be between 1 and 2000'],
    ['first: -1', 'first must be between 1 and 2000'],
    ['after: "nonsense"', "'nonsense' is not a valid cursor"],
  ] as const) {
    test(`A page that cannot be: ${first}`, async () => {
      assert.equal(await refused(`${BY_DAY}, ${first}`), message)
    })
  }

  test('There is no upperBound, because there is no bound', async () => {
    const message = await invalid(o, `Day__c(${BY_DAY}, upperBound: 5000)`, 'Id { count { value } }')
    assert.match(message, /Unknown argument "upperBound"/)
  })

  for (const orderBy of ['', ', orderBy: { Kind__c: {} }', ', orderBy: { Id: { function: COUNT } }']) {
    test(`Pages follow one another without a gap, whatever ties there are${orderBy}`, async () => {
      const args = `groupBy: { type: CUBE, Name: { group: true }, Kind__c: { group: true } }${orderBy}`
      const shown = `Name { value grouping { value } } Kind__c { value grouping { value } } Id { count { value } }`
      const whole = await fetchPage(args, shown, '')
      const edges: unknown[] = []
      for (let at = 0; at < whole.edges.length; at += 7) {
        const after = at === 0 ? '' : `, after: "${cursor(at - 1)}"`
        const { edges: next } = await fetchPage(`${args}, first: 7${after}`, shown, at % 2 === 0 ? '' : PAGE)
        edges.push(...next)
      }
      assert.equal(whole.edges.length, 32)
      assert.deepEqual(edges, whole.edges)
    })
  }
})
