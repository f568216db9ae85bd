import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { checkRow, evaluateInProcess, type RowFields } from '../support/formula-rows.sql.ts'
import { QUESTIONS } from './java-patterns/questions.ts'

/** The answers of Java 17: a digit for each text, or `refused`. `java-patterns/questions.ts` says how they are made. */
const ANSWERS: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'java-patterns', 'answers.json'), 'utf8'),
)

/** Java takes these; here they are refused, and never read as something else. */
const REFUSED: readonly string[] = [
  '[a&&&b]',
  '[&&a]',
  '[a&&]',
  '{2}',
  'a{2}{3}',
  '\\N{LATIN SMALL LETTER A}',
  '\\X',
  '\\G',
  '(?x)a b',
  '(?U)\\w',
  '\\1',
  '\\2(a)(b)',
  '(a)\\2',
  '.*(?<=o+)',
]

const FIELDS: RowFields = { Given: { type: 'Text' }, Pattern: { type: 'Text' } }
const FORMULA = checkRow('REGEX(Given, Pattern)', {
  fields: FIELDS,
  result: 'Boolean',
  zero: false,
  place: 'rule',
})

function answer(pattern: string, texts: readonly string[]): string {
  const rows = texts.map((text) => ({ Given: text, Pattern: pattern }))
  const results = evaluateInProcess(FORMULA, {}, FIELDS, rows)
  return results.some((result) => 'error' in result)
    ? 'refused'
    : results.map((result) => ('value' in result && result.value === 'true' ? '1' : '0')).join('')
}

describe('REGEX', () => {
  test('answers as Java does, or refuses the pattern', () => {
    let number = 0
    const refused: string[] = []
    for (const [texts, patterns] of QUESTIONS) {
      for (const pattern of patterns) {
        const expected = ANSWERS[`${number++} ${pattern}`]!
        const given = answer(pattern, texts)
        if (given === 'refused' && expected !== 'refused') refused.push(pattern)
        else assert.equal(given, expected, pattern)
      }
    }
    assert.equal(number, Object.keys(ANSWERS).length)
    assert.deepEqual(refused, REFUSED)
  })

  test('of a literal that Java or this platform does not take is refused when it is deployed, with the reason', () => {
    for (const [pattern, reason] of [
      ['(?x)a b', '(?x is not supported'],
      ['[a-z&&]', '&& needs characters on both sides'],
      ['(?<=a*)b', 'what is looked for behind has no greatest length'],
      ['\\\\p{IsEmoji}', '\\p{IsEmoji} is not supported'],
      ['a{2', 'a repetition has no end'],
    ] as const) {
      assert.throws(
        () =>
          checkRow(`REGEX("x", "${pattern}")`, { fields: {}, result: 'Boolean', zero: false, place: 'rule' }),
        (error: Error) => error.message.includes(reason),
        pattern,
      )
    }
  })

  test('that goes back to earlier choices for too long is an error, not a wait', () => {
    for (const pattern of ['(?=(a+)+$)a+b', '(a|aa)+\\\\1b', '(?:a|a)*(?<=b)', '(a*)*(a*)*(?=b)']) {
      const text = `REGEX("${'a'.repeat(60)}", "${pattern}")`
      const formula = checkRow(text, { fields: {}, result: 'Boolean', zero: false, place: 'rule' })
      const [result] = evaluateInProcess(formula, {}, {}, [{}])
      assert.deepEqual(result, pattern.startsWith('(?=') ? { value: 'false' } : { error: true }, pattern)
    }
  })
})
