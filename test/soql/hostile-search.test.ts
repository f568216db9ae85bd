import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import { openOrg, type TestOrg } from '../support/org.ts'
import { PROJECT_SCHEMA } from '../support/project-schema.ts'
import { runs } from '../support/runs.ts'
import { PAYLOADS } from './payloads.ts'

/* Whatever is searched for, and whatever is stored to be found: an answer below 500. */

let o: TestOrg

before(async () => {
  o = await openOrg()
  await o.deploy(PROJECT_SCHEMA)
  await o.create('Account', { Name: "O'Brien & Sons" })
})

async function assertAnswered(path: string, shown: string): Promise<void> {
  const { status, body } = await o.call('GET', path)
  if (status === 200) assert.ok(Array.isArray(body.searchRecords), shown)
  else {
    assert.ok([400, 414].includes(status), `${status} for ${shown}: ${JSON.stringify(body)}`)
    assert.match(body[0].errorCode, /^[A-Z_]+$/, shown)
  }
}

const search = (text: string) =>
  assertAnswered(`/search?q=${encodeURIComponent(text.toWellFormed())}`, JSON.stringify(text))
const byParameter = (text: string) =>
  assertAnswered(
    `/parameterizedSearch?sobject=Account&q=${encodeURIComponent(text.toWellFormed())}`,
    JSON.stringify(text),
  )

/** Words and characters of the search language and of PostgreSQL's own. */
const PIECES = [
  'acme',
  'AND',
  'OR',
  'NOT',
  '(',
  ')',
  '"',
  '*',
  '?',
  '\\',
  "'",
  '&',
  '|',
  '!',
  '<->',
  ':',
  ':*A',
  '}',
  '{',
  '\0',
  'é',
  '日本',
  '🚀',
  '“',
  '\u2028',
  ' ',
]

describe('any text', () => {
  test('as a search is answered or refused', async () => {
    const words = fc.array(
      fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'binary', maxLength: 5 })),
      { maxLength: 12 },
    )
    await fc.assert(
      fc.asyncProperty(words, async (pieces) => {
        await byParameter(pieces.join(''))
        await search(`FIND {${pieces.join(' ')}} RETURNING Account(Id)`)
      }),
      { numRuns: runs(60) },
    )
  })

  test('after the words of a search is answered or refused', async () => {
    const clauses = [
      'IN',
      'NAME',
      'FIELDS',
      'RETURNING',
      'Account',
      'Contact',
      '(',
      ')',
      'Id',
      ',',
      'WHERE',
      "Name = 'x'",
      'LIMIT',
      '1',
      'WITH',
      '=',
      "'",
    ]
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...clauses), { maxLength: 10 }), (pieces) =>
        search(`FIND {acme} ${pieces.join(' ')}`),
      ),
      { numRuns: runs(60) },
    )
  })
})

test('A payload in a search finds nothing but records that have its words', async () => {
  for (const payload of PAYLOADS) {
    await byParameter(payload)
    await search(`FIND {${payload.replaceAll(/[\\}"]/g, '\\$&')}} RETURNING Account(Name)`)
  }
})

test('The longest texts can be stored, whatever words they are made of', async () => {
  let next = 0
  const words = Array.from({ length: 40_000 }, () => String.fromCodePoint(0x20000 + (next++ % 40_000))).join(
    ' ',
  )
  const id = await o.create('Project__c', {
    Name: 'Long',
    Notes__c: words.slice(0, 32_000),
    Summary__c: 'x'.repeat(32_000),
  })
  const found = await o.call(
    'GET',
    `/search?q=${encodeURIComponent(`FIND {${String.fromCodePoint(0x20005)}a OR ${String.fromCodePoint(0x20005)}*} RETURNING Project__c`)}`,
  )
  assert.deepEqual(
    found.body.searchRecords.map((record: { Id: string }) => record.Id),
    [id],
  )
})
