import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { canonicalRecordId, makeRecordId } from '../../src/base/record-id.ts'
import { RecordIds } from '../../src/storage/orgs/record-ids.ts'
import { openOrg } from '../support/org.ts'

/** Ids that were published in both forms. (docs/reference/api/records.md#ids) */
const PUBLISHED = [
  ['001D000000K0fXO', 'IAZ'],
  ['003RO0000016kOu', 'YAI'],
  ['012000000000000', 'AAA'],
] as const

describe('the check characters of an id', () => {
  test('are those of the published examples', () => {
    for (const [id, check] of PUBLISHED) {
      assert.equal(canonicalRecordId(id), id + check)
      assert.equal(canonicalRecordId(id + check), id + check)
    }
  })

  test('are found in any case and always given in upper case', () => {
    assert.equal(canonicalRecordId('001D000000K0fXOiaz'), '001D000000K0fXOIAZ')
  })

  test('tell each letter in upper case from the same in lower case, wherever it stands', () => {
    const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
    for (let place = 0; place < 15; place++) {
      // One of five letters in upper case: 1, 2, 4, 8 or 16 of 32 characters.
      const expected = ['A', 'A', 'A'].with(Math.floor(place / 5), 'BCEIQ'[place % 5]!).join('')
      for (const letter of upper) {
        const id = ('0'.repeat(place) + letter).padEnd(15, '0')
        assert.equal(canonicalRecordId(id), id + expected)
        assert.equal(canonicalRecordId(id.toLowerCase()), `${id.toLowerCase()}AAA`)
      }
    }
  })

  test('that do not fit make the text no id, as a wrong length or character does', () => {
    for (const text of [
      '001D000000K0fXOIAA',
      '001D000000K0fX',
      '001D000000K0fXOI',
      '001D000000K0fXOIAZA',
      '001D00000-K0fXO',
      '001D00000éK0fXO',
      '',
      ' 01D000000K0fXO',
      '001D000000K0fXO\0\0\0',
    ]) {
      assert.equal(canonicalRecordId(text), undefined, text)
    }
  })
})

describe('new ids', () => {
  test('have 18 characters, begin with the prefix of their object, and are canonical', () => {
    for (const n of [0, 1, 61, 62, 12_345_678, 62 ** 8]) {
      const id = makeRecordId('a0Z', n)
      assert.match(id, /^a0Z[0-9A-Za-z]{15}$/)
      assert.equal(canonicalRecordId(id.slice(0, 15)), id)
    }
  })

  test('sort in the order in which they were made, as the database sorts them', () => {
    const numbers = [0, 1, 9, 10, 35, 36, 61, 62, 3843, 3844, 238_327, 238_328, 1e9, 62 ** 7 + 5]
    const ids = numbers.map((n) => makeRecordId('001', n))
    assert.deepEqual([...ids].sort(), ids)
  })

  test('of an org rise without a gap in a block, and never repeat, also when several ask at once', async () => {
    const { org, db } = await openOrg()
    const ids = new RecordIds(org, db)
    const made = await Promise.all(Array.from({ length: 2500 }, () => ids.make('001')))
    assert.equal(new Set(made).size, 2500)
    const more = [await ids.make('001'), await ids.make('001')]
    assert.ok(made.every((id) => id < more[0]!) && more[0]! < more[1]!)
  })

  test('of two processes on one org differ', async () => {
    const { org, db } = await openOrg()
    const [one, other] = [new RecordIds(org, db), new RecordIds(org, db)]
    const made = await Promise.all(Array.from({ length: 1200 }, (_, i) => (i % 2 ? one : other).make('001')))
    assert.equal(new Set(made).size, 1200)
  })

  test('can be made in a transaction, and are not made again when it is undone', async () => {
    const { org, db } = await openOrg()
    const ids = new RecordIds(org, db)
    const lost: string[] = []
    const undone = db.transaction(async (tx) => {
      for (let i = 0; i < 1500; i++) lost.push(await ids.make('001', tx))
      throw new Error('undone')
    })
    await assert.rejects(undone, /undone/)
    const next = await ids.make('001')
    assert.ok(!lost.includes(next))
    assert.equal(new Set(lost).size, 1500)
  })
})
