import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from '../../src/base/sql.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { runs } from '../support/runs.ts'
import { indexWords, writeManyAccounts } from '../support/search-indexes.ts'

/*
 * Random writes of accounts, and searches for them, against a list in memory: what a search finds does not depend on which records
 * have been indexed when.
 */

const TEXTS = [
  'acme',
  'ACME',
  'Acmé',
  'Zürich',
  'zurich nord',
  'Straße 7',
  'strasse',
  'o2',
  'foo-bar',
  'foobar',
  '4711',
  '(0)30 47-11',
  'Größe & Co. acme@example.com',
  'привет',
  '50% acm_e',
] as const

const WORDS = ['acme', 'ACMÉ', 'zurich', 'Zürich', 'strasse', 'o2', 'foo', 'foobar', '4711', '0304711']
const MORE = ['привет', 'co', 'nord', 'example', 'acm', '50', '30']

const text = fc.constantFrom(...TEXTS)
const word = fc.constantFrom(...WORDS, ...MORE)
const chosen = fc.nat(1000)

const fields = fc.record({ Name: text, Description: fc.option(text), Phone: fc.option(text) })
const action = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('create' as const), fields }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('change' as const), chosen, fields }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), chosen }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('undelete' as const), chosen }) },
  // As a restored snapshot or a clock that was set back leaves records.
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('date' as const),
      chosen,
      hours: fc.integer({ min: -9, max: 9 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('index' as const) }) },
)
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never

const term = fc.record({ word, open: fc.boolean() })
const search = fc.record({
  terms: fc.array(term, { minLength: 1, maxLength: 3 }),
  operator: fc.constantFrom('AND', 'OR', 'AND NOT'),
  inNames: fc.boolean(),
})
type Search = typeof search extends fc.Arbitrary<infer T> ? T : never

interface Account {
  readonly id: string
  fields: { readonly Name: string; readonly Description: string | null; readonly Phone: string | null }
  isDeleted: boolean
}

const fold = (value: string) =>
  value
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replaceAll(/([a-z])\p{M}+/gu, '$1')
    .normalize('NFC')

const split = (value: string) => fold(value).match(/[\p{L}\p{N}]+/gu) ?? []

function wordsOf({ fields: { Name, Description, Phone } }: Account, inNames: boolean): string[] {
  const names = split(Name)
  if (inNames) return names
  return [...names, ...split(Description ?? ''), ...split(Phone ?? ''), (Phone ?? '').replaceAll(/\D/g, '')]
}

function isFound(account: Account, { terms, operator, inNames }: Search): boolean {
  const words = wordsOf(account, inNames).filter((one) => one !== '')
  const has = terms.map((one) =>
    words.some((known) => (one.open ? known.startsWith(fold(one.word)) : known === fold(one.word))),
  )
  if (operator === 'AND') return has.every(Boolean)
  return operator === 'OR' ? has.some(Boolean) : has[0]! && !has.slice(1).some(Boolean)
}

const format = ({ terms, operator, inNames }: Search) =>
  `FIND {${terms.map((one) => one.word + (one.open ? '*' : '')).join(` ${operator} `)}} IN ${inNames ? 'NAME' : 'ALL'} FIELDS RETURNING Account(Id)`

async function carryOut(o: TestOrg, accounts: Account[], one: Action): Promise<void> {
  if (one.kind === 'create') {
    const id = await o.create('Account', one.fields)
    accounts.push({ id, fields: one.fields, isDeleted: false })
    return
  }
  if (one.kind === 'index') {
    await writeManyAccounts(o)
    return indexWords(o)
  }
  const isWanted = (account: Account) => account.isDeleted === (one.kind === 'undelete')
  const possible = accounts.filter(isWanted)
  const account = possible[one.chosen % possible.length]
  if (account === undefined) return
  const address = `/sobjects/Account/${account.id}`
  if (one.kind === 'change') {
    assert.equal((await o.call('PATCH', address, { body: one.fields })).status, 204)
    account.fields = one.fields
  } else if (one.kind === 'date') {
    const table = sql.id(o.org.schemaName, 'account')
    const [row] = await o.db.query<{ moved: string }>(
      sql`select (systemmodstamp + ${one.hours}::integer * interval '1 hour')::text as moved from ${table} where id = ${account.id}`,
    )
    await o.db.query(
      sql`update ${table} set systemmodstamp = ${row!.moved}::timestamptz where id = ${account.id}`,
    )
  } else if (one.kind === 'delete') {
    assert.equal((await o.call('DELETE', address)).status, 204)
    account.isDeleted = true
  } else {
    const { body } = await o.call('POST', '/undelete', { body: { ids: [account.id] } })
    assert.ok(body[0].success)
    account.isDeleted = false
  }
}

async function assertFound(o: TestOrg, accounts: readonly Account[], asked: Search): Promise<void> {
  const { status, body } = await o.call('GET', `/search?q=${encodeURIComponent(format(asked))}`)
  assert.equal(status, 200)
  const found = body.searchRecords.map(({ Id }: { Id: string }) => Id).sort()
  const wanted = accounts.filter((account) => !account.isDeleted && isFound(account, asked))
  assert.deepEqual(found, wanted.map(({ id }) => id).sort(), format(asked))
}

test('a search finds the same whichever records have been indexed', async () => {
  const o = await openOrg()
  const accounts: Account[] = []
  const round = fc.record({
    actions: fc.array(action, { minLength: 1, maxLength: 15 }),
    searches: fc.array(search, { minLength: 5, maxLength: 5 }),
  })
  await fc.assert(
    fc.asyncProperty(round, async ({ actions, searches }) => {
      for (const one of actions) await carryOut(o, accounts, one)
      for (const asked of searches) await assertFound(o, accounts, asked)
    }),
    { numRuns: runs(25), endOnFailure: true },
  )
})
