import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { parseQuery } from '../../src/soql/parse/parser.ts'
import { firstItem, refusal, shape, where } from './parsed.ts'

function value(literal: string) {
  const condition = where(`f = ${literal}`)
  assert.ok(condition.kind === 'comparison')
  return { ...condition.value, at: undefined }
}

describe('literals', () => {
  test('a string decodes its escapes, in any letter case', () => {
    assert.deepEqual(value(String.raw`'\n\R\t\B\f\"\'\\\u00e9'`), {
      kind: 'string',
      value: '\n\r\t\b\f"\'\\é',
      at: undefined,
    })
    assert.match(
      refusal(String.raw`SELECT Id FROM A WHERE f = 'a\qb'`),
      /^Invalid string literal 'a\\qb'\. Illegal character sequence '\\q' in string literal\.$/,
    )
    for (const sequence of ['\\u12', '\\u0000', '\\%', '\\_', '\\x', '\\ '])
      assert.match(refusal(`SELECT Id FROM A WHERE f = 'a${sequence}'`), /Illegal character sequence/)
  })

  test('only after LIKE a string is a pattern, where an escaped wildcard stands for itself', () => {
    const pattern = where(String.raw`f LIKE 'a\%b_c\\%\'d\u005c'`)
    assert.ok(pattern.kind === 'like' && pattern.value.kind === 'pattern')
    assert.equal(pattern.value.value, String.raw`a\%b_c\\%'d\\`)
    assert.deepEqual(shape(where('f LIKE 5')), {
      kind: 'like',
      left: { kind: 'path', segments: ['f'] },
      value: { kind: 'number', value: 5 },
    })
  })

  test('a string has at most 4,000 characters, a statement 100,000', () => {
    where(`f = '${'\\n'.repeat(4000)}'`)
    for (const character of ['x', '\\n'])
      assert.match(refusal(`SELECT Id FROM A WHERE f = '${character.repeat(4001)}'`), /4000 characters/)
    const statement = (length: number) => 'SELECT Id FROM A'.padEnd(length)
    parseQuery(statement(100_000))
    assert.match(refusal(statement(100_001)), /100000 characters/)
  })

  test('a number has a sign and a fraction, no exponent', () => {
    assert.deepEqual(value('-12.50'), { kind: 'number', value: -12.5, text: '-12.50', at: undefined })
    assert.deepEqual(value('+3'), { kind: 'number', value: 3, text: '+3', at: undefined })
    for (const text of ['1e5', '.5', '5.', '1,000', '0x1F', '--1', '1.2.3', `1${'0'.repeat(400)}`])
      refusal(`SELECT Id FROM A WHERE f = ${text}`)
  })

  test('dates, datetimes and times are single values, moved to UTC', () => {
    const text = (literal: string) => (value(literal) as { value?: unknown }).value
    assert.equal(text('2024-02-29'), '2024-02-29')
    assert.equal(text('2024-01-01T00:30:00+02:00'), '2023-12-31T22:30:00.000Z')
    assert.equal(text('2024-01-01t00:00:00.1234567-0800'), '2024-01-01T08:00:00.123Z')
    assert.equal(text('4000-12-31T23:59:59z'), '4000-12-31T23:59:59.000Z')
    assert.equal(text('09:30:00Z'), '09:30:00.000Z')
    assert.equal(text('00:30:00.5+02:00'), '22:30:00.500Z')
    assert.equal(text('23:30:00-02:00'), '01:30:00.000Z')
  })

  test('a date that does not exist, is not complete or has no zone is refused', () => {
    assert.equal(refusal('SELECT Id FROM A WHERE f = 2023-02-29'), 'Invalid date: 2023-02-29')
    const day = [
      '2024-1-1',
      '2024-00-01',
      '2024-01-32',
      '1699-12-31',
      '4001-01-01',
      '0024-01-01',
      '2024-01-01X',
    ]
    const clock = [
      '',
      '00:00Z',
      '24:00:00Z',
      '00:60:00Z',
      '00:00:60Z',
      '00:00:00',
      '00:00:00 02:00',
      '0:0:0Z',
    ]
    for (const text of [...day, ...clock.map((time) => `2024-01-01T${time}`), '09:30', '09:30:00'])
      refusal(`SELECT Id FROM A WHERE f = ${text}`)
  })

  test('a named date has its count if it is counted, and only then', () => {
    assert.deepEqual(value('today'), { kind: 'dateLiteral', name: 'TODAY', at: undefined })
    assert.deepEqual(value('Last_N_Days:30'), {
      kind: 'dateLiteral',
      name: 'LAST_N_DAYS',
      n: 30,
      at: undefined,
    })
    for (const text of [
      'TODAY:1',
      'LAST_N_DAYS',
      'LAST_N_DAYS:-1',
      'LAST_N_DAYS:1.5',
      'LAST_N_DAYS:',
      'SOMEDAY',
    ])
      refusal(`SELECT Id FROM A WHERE f = ${text}`)
  })

  test('currency is three letters and a number', () => {
    const amounts = [
      ['USD5000', 'USD', 5000],
      ['eur10.50', 'EUR', 10.5],
      ['Usd-5.25', 'USD', -5.25],
    ] as const
    for (const [text, iso, amount] of amounts)
      assert.deepEqual(value(text), { kind: 'currency', iso, amount, text: text.slice(3), at: undefined })
    assert.equal(firstItem('USD5').kind, 'field')
    for (const text of ['US5', 'USDX5', 'USD', 'USD 5', 'USD-', 'USD5x'])
      refusal(`SELECT Id FROM A WHERE f = ${text}`)
  })

  test('bind variables are refused by name, also where a list has no parentheses', () => {
    for (const text of ['f = :x', 'f IN :x', 'f IN (:x)', 'f LIKE :x', 'f IN ids', 'f INCLUDES :x'])
      assert.equal(refusal(`SELECT Id FROM A WHERE ${text}`), 'Bind variables only allowed in Apex code')
    assert.equal(refusal('SELECT Id FROM A LIMIT :n'), 'Bind variables only allowed in Apex code')
  })

  test('any string comes back from its literal', () => {
    const strings = fc.string({ unit: 'binary', maxLength: 200 }).filter((text) => !text.includes('\0'))
    fc.assert(
      fc.property(strings, (text) => {
        const literal = `'${text.replace(/[\\']/g, '\\$&')}'`
        assert.deepEqual(value(literal), { kind: 'string', value: text, at: undefined })
      }),
    )
  })
})
