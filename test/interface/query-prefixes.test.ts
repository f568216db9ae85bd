import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { makeAccounts, writeAccounts } from '../support/account-rows.sql.ts'
import { fetchRecords } from '../support/ask.ts'
import { openOrg, type TestOrg } from '../support/org.ts'

/*
 * A pattern that begins with characters is found by the index of upper-case names. A condition that is negated twice is not, and finds
 * the same.
 */

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => String.fromCodePoint(from + n))

/** Some Latin, Greek and Cyrillic letters, and where code points end. */
const LETTERS = [
  ...range(0x58, 0x5a),
  ...range(0xdb, 0xe0),
  ...range(0x12e, 0x138),
  ...range(0x3a1, 0x3aa),
  ...range(0x40e, 0x412),
  ...['\u{1e9e}', '\u{fb01}', '\u{ffff}', '\u{e000}', '\u{d7ff}', '\u{1f680}', '\u{10400}', '\u{10ffff}'],
]
const NAMES = LETTERS.flatMap((letter) => [
  letter,
  letter.toLowerCase(),
  `${letter}\u{10ffff}z`,
  `${letter}zz`,
])

let o: TestOrg

before(async () => {
  o = await openOrg()
  await writeAccounts(
    o,
    makeAccounts(NAMES.length).map((row, n) => ({ ...row, name: NAMES[n]! })),
  )
})

test('a prefix of any letter finds by the index what it finds without it', async () => {
  const find = async (condition: string) =>
    (await fetchRecords(o, `SELECT Name FROM Account WHERE ${condition} LIMIT 100`)).map(({ Name }) => Name)
  for (const letter of LETTERS) {
    for (const pattern of [`${letter}%`, `${letter.toLowerCase()}Z%`]) {
      const found = await find(`Name LIKE '${pattern}'`)
      assert.deepEqual(found, await find(`(NOT (NOT Name LIKE '${pattern}'))`), pattern)
      if (pattern.startsWith(letter)) assert.ok(found.length > 0, pattern)
    }
  }
})
