import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import { systemClock } from '../../src/base/clock.ts'
import { readConfig } from '../../src/config/config.ts'
import { assemble } from '../../src/server/assemble.ts'
import { type AccountRow, accountId, removeAccounts, writeAccounts } from '../support/account-rows.sql.ts'
import { queryPath } from '../support/ask.ts'
import { sharedEngine } from '../support/engine.ts'
import { makeAnswer, openOrg, type TestOrg } from '../support/org.ts'
import { runs } from '../support/runs.ts'
import { SECRETS } from '../support/secrets.ts'

/*
 * The law: every record that matched at query time and still exists appears on exactly one page, however much is
 * inserted, updated (sort keys and filter values too) or deleted between the pages; any server serves any page.
 */

const PAGE = 200
const INDUSTRIES = ['Energy', 'Banking', 'Apparel', null]

let o: TestOrg
let second: FastifyInstance

before(async () => {
  o = await openOrg()
  second = assemble(await sharedEngine(), readConfig({}, { logLevel: 'silent' }), systemClock, SECRETS).server
})
after(() => second.close())

/** The meaning of a query, written again by hand: which accounts match, and how two of them are sorted. */
interface Meaning {
  readonly text: string
  readonly matches?: (row: AccountRow, rows: ReadonlyMap<string, AccountRow>) => boolean
  readonly compare?: (a: AccountRow, b: AccountRow, rows: ReadonlyMap<string, AccountRow>) => number
  readonly limit?: number
}

type Value = string | number | null
const ascending = (a: Value, b: Value) => (a === b ? 0 : a === null ? -1 : b === null ? 1 : a < b ? -1 : 1)
const location = (industry: string | null) =>
  industry === null ? null : ['Apparel', 'Banking', 'Energy'].indexOf(industry)
const parentName = (row: AccountRow, rows: ReadonlyMap<string, AccountRow>) =>
  row.parentId === null ? null : rows.get(row.parentId)!.name.toUpperCase()

const MEANINGS: readonly Meaning[] = [
  { text: '' },
  { text: 'ORDER BY Id' },
  { text: 'LIMIT 450', limit: 450 },
  { text: 'ORDER BY Id DESC', compare: (a, b) => ascending(b.id, a.id) },
  { text: 'WHERE NumberOfEmployees >= 30', matches: (row) => row.employees !== null && row.employees >= 30 },
  {
    text: 'ORDER BY Name DESC, NumberOfEmployees NULLS LAST',
    compare: (a, b) =>
      ascending(b.name.toUpperCase(), a.name.toUpperCase()) ||
      ascending(a.employees ?? 1e9, b.employees ?? 1e9),
  },
  {
    text: "WHERE Industry != 'Energy' ORDER BY Industry, NumberOfEmployees DESC LIMIT 430",
    matches: (row) => row.industry !== 'Energy',
    compare: (a, b) =>
      ascending(location(a.industry), location(b.industry)) ||
      // Nulls are first in both directions.
      ascending(a.employees === null ? -1e9 : -a.employees, b.employees === null ? -1e9 : -b.employees),
    limit: 430,
  },
  {
    text: "WHERE Parent.Name != 'name 3' OR Industry IN ('Energy', null) ORDER BY Parent.Name",
    matches: (row, rows) => parentName(row, rows) !== 'NAME 3' || ['Energy', null].includes(row.industry),
    compare: (a, b, rows) => ascending(parentName(a, rows), parentName(b, rows)),
  },
]

function idsMatching({ matches, compare, limit }: Meaning, rows: ReadonlyMap<string, AccountRow>): string[] {
  const matching = [...rows.values()].filter((row) => !row.isDeleted && (matches?.(row, rows) ?? true))
  matching.sort((a, b) => compare?.(a, b, rows) || ascending(a.id, b.id))
  return matching.slice(0, limit).map((row) => row.id)
}

/** A change of many accounts at once, in the middle of the ids too, where another process may be writing. */
type Write =
  | { readonly kind: 'insert'; readonly at: number; readonly count: number; readonly step: number }
  | { readonly kind: 'update'; readonly every: number; readonly from: number; readonly value: number }
  | { readonly kind: 'delete'; readonly every: number; readonly from: number }

const write: fc.Arbitrary<Write> = fc.oneof(
  fc.record({
    kind: fc.constant('insert' as const),
    at: fc.nat(1200),
    count: fc.integer({ min: 1, max: 250 }),
    step: fc.integer({ min: 1, max: 9 }),
  }),
  fc.record({
    kind: fc.constant('update' as const),
    every: fc.integer({ min: 1, max: 7 }),
    from: fc.nat(6),
    value: fc.nat(100),
  }),
  fc.record({
    kind: fc.constant('delete' as const),
    every: fc.integer({ min: 2, max: 30 }),
    from: fc.nat(29),
  }),
)

function makeRow(n: number, value: number): AccountRow {
  return {
    id: accountId(n),
    name: `${value % 2 === 0 ? 'name' : 'Name'} ${(n + value) % 13}`,
    industry: INDUSTRIES[(n * 7 + value) % 4]!,
    employees: (n + value) % 9 === 0 ? null : (n * 31 + value) % 97,
    parentId: null,
    isDeleted: false,
  }
}

/** The rows that a write leaves changed, in the model; the caller writes them to the database. */
function apply(change: Write, rows: Map<string, AccountRow>): AccountRow[] {
  if (change.kind === 'insert') {
    const { at, count, step } = change
    const made = Array.from({ length: count }, (_, i) => makeRow((at + i) * 10 + step, i))
    const inserted = made.filter((row) => !rows.has(row.id))
    for (const row of inserted) rows.set(row.id, row)
    return inserted
  }
  const changed = [...rows.values()].filter((row, i) => !row.isDeleted && i % change.every === change.from)
  for (const [i, row] of changed.entries()) {
    if (change.kind === 'delete') row.isDeleted = true
    else Object.assign(row, { ...makeRow(i, change.value), id: row.id, parentId: row.parentId })
  }
  return changed
}

async function getFrom(server: FastifyInstance, url: string) {
  const headers = { authorization: `Bearer ${o.token}`, 'svc-query-options': `batchSize=${PAGE}` }
  const answer = makeAnswer(await server.inject({ method: 'GET', url, headers }))
  assert.equal(answer.status, 200, answer.text)
  const ids: string[] = answer.body.records.map((record: { Id: string }) => record.Id)
  return { ids, next: answer.body.nextRecordsUrl as string | undefined, totalSize: answer.body.totalSize }
}

/** Writes before a page is read or while it is, and its readers: the first server, the second, or both at once. */
const turn = fc.record({
  writes: fc.array(write, { maxLength: 3 }),
  meanwhile: fc.boolean(),
  readers: fc.constantFrom('first', 'second', 'both'),
  /** One of the pages before is read again, by the other server. */
  again: fc.option(fc.nat(20), { nil: undefined }),
})

const story = fc.record({
  count: fc.integer({ min: 650, max: 1000 }),
  value: fc.nat(1000),
  turns: fc.array(turn, { minLength: 12, maxLength: 12 }),
})

type Story = typeof story extends fc.Arbitrary<infer Reported> ? Reported : never

function makeRows(count: number, value: number): Map<string, AccountRow> {
  const rows = new Map<string, AccountRow>()
  for (let i = 0; i < count; i++) {
    const row = makeRow(i * 10, value)
    if (i % 3 === 0 && i > 0) row.parentId = accountId(Math.floor(i / 2) * 10)
    rows.set(row.id, row)
  }
  return rows
}

async function assertLaw(meaning: Meaning, { count, value, turns }: Story) {
  const rows = makeRows(count, value)
  await removeAccounts(o)
  await writeAccounts(o, [...rows.values()])
  const matched = idsMatching(meaning, rows)
  const known = new Set(matched)
  const others = new Set([...rows.keys()].filter((id) => !known.has(id)))
  const living = (ids: readonly string[]) => ids.filter((id) => known.has(id) && !rows.get(id)!.isDeleted)

  const path = `/services/data/v64.0${queryPath(`SELECT Id FROM Account ${meaning.text}`)}`
  let page = await getFrom(o.server, path)
  assert.deepEqual(page.ids, matched.slice(0, PAGE))
  const seen = [...page.ids]
  const read: { readonly url: string; readonly page: typeof page }[] = []
  for (let i = 0; page.next !== undefined; i++) {
    const url = page.next
    const { writes, meanwhile, readers, again } = turns[i % turns.length]!
    const changes = i < turns.length ? writes.map((change) => [...apply(change, rows)]) : []
    const writing = (async () => {
      for (const change of changes) await writeAccounts(o, change)
    })()
    if (!meanwhile) await writing
    const [first, ...same] = await Promise.all([
      ...(readers === 'second' ? [] : [getFrom(o.server, url)]),
      ...(readers === 'first' ? [] : [getFrom(second, url)]),
    ])
    await writing
    page = first!
    read.push({ url, page })
    const earlier = again === undefined ? [] : [read[again % read.length]!]
    for (const { url, page } of earlier) {
      const reread = await getFrom(readers === 'first' ? second : o.server, url)
      assert.deepEqual([living(reread.ids), reread.next], [living(page.ids), page.next])
    }
    for (const { ids, next } of same) assert.deepEqual([living(ids), next], [living(page.ids), page.next])
    assert.equal(page.totalSize, matched.length)
    seen.push(...page.ids)
  }
  assert.equal(new Set(seen).size, seen.length, 'no record appears twice')
  assert.deepEqual(living(seen), living(matched), 'what matched and lives appears, in order')
  assert.deepEqual(
    seen.filter((id) => others.has(id)),
    [],
    'what did not match never appears',
  )
  if (meaning.limit !== undefined) assert.ok(seen.length <= meaning.limit)
}

describe('every record that matched and still exists is on exactly one page, whatever is written meanwhile', () => {
  for (const meaning of MEANINGS) {
    const name = meaning.text === '' ? 'no conditions' : meaning.text
    test(name, () =>
      fc.assert(
        fc.asyncProperty(story, (s) => assertLaw(meaning, s)),
        { numRuns: runs(2), endOnFailure: true },
      ),
    )
  }
})

test('a result ends where it ended at query time: its last page read again is the same, whatever was created since', async () => {
  for (const text of ['', 'ORDER BY Name', 'LIMIT 300']) {
    await removeAccounts(o)
    await writeAccounts(o, [...makeRows(300, 0).values()])
    const path = `/services/data/v64.0${queryPath(`SELECT Id FROM Account ${text}`)}`
    const first = await getFrom(o.server, path)
    const last = await getFrom(o.server, first.next!)
    assert.equal(last.next, undefined)
    await writeAccounts(o, [...makeRows(700, 0).values()])
    assert.deepEqual(await getFrom(second, first.next!), last)
  }
})
