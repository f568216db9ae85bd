import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { ApiError } from '../../src/base/api-error.ts'
import { parseQuery } from '../../src/soql/parse/parser.ts'
import type { Query } from '../../src/soql/parse/tree.ts'
import { measureUsualTime } from '../support/processor-time.ts'
import { runs } from '../support/runs.ts'
import { CASES } from './cases.ts'
import { refusal } from './parsed.ts'

describe('whatever is sent', () => {
  const answers = (text: string): Query | undefined => {
    try {
      return parseQuery(text)
    } catch (error) {
      assert.ok(error instanceof ApiError && error.code === 'MALFORMED_QUERY', `${text}: ${error}`)
      return undefined
    }
  }

  test('any text is parsed or refused', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 60 }), answers as (text: string) => void))
    fc.assert(fc.property(fc.string(), (text) => void answers(`SELECT Id FROM A WHERE ${text}`)))
  })

  test('any row of tokens is parsed or refused', () => {
    const words = [...new Set(CASES.flatMap(({ q }) => q.match(/'[^']*'|\w+|\S/g) ?? []))]
    const soup = fc.array(fc.constantFrom(...words), { maxLength: 30 })
    fc.assert(
      fc.property(soup, (tokens) => void answers(tokens.join(' '))),
      { numRuns: runs(400) },
    )
    fc.assert(
      fc.property(soup, (tokens) => void answers(`SELECT ${tokens.join('')}`)),
      { numRuns: runs(400) },
    )
  })

  test('any damage to a valid statement leaves one that is parsed or refused', () => {
    const valid = fc.constantFrom(...CASES.filter((c) => c.valid).map((c) => c.q))
    const damage = fc.tuple(valid, fc.nat(), fc.nat(5), fc.string({ maxLength: 3 }))
    fc.assert(
      fc.property(damage, ([text, location, size, patch]) => {
        const at = location % text.length
        answers(text.slice(0, at) + patch + text.slice(at + size))
      }),
      { numRuns: runs(700) },
    )
  })

  test('nesting is limited long before the stack is', () => {
    const nested = (depth: number) => `SELECT Id FROM A WHERE ${'('.repeat(depth)}a=1${')'.repeat(depth)}`
    assert.equal(parseQuery(nested(100)).where?.kind, 'comparison')
    assert.match(refusal(nested(101)), /at most 100 levels/)
    const openings = ['(', '(NOT (', 'Id IN (SELECT a FROM B WHERE ', 'FORMAT(']
    for (const opening of openings)
      assert.match(refusal(`SELECT Id FROM A WHERE ${opening.repeat(3000)}`), /at most 100 levels/)
    assert.match(refusal(`SELECT ${'(SELECT a,'.repeat(9000)}`), /at most 100 levels/)
    assert.match(refusal('('.repeat(100_000)), /unexpected token: '\('/)
  })

  test('a long statement costs no more than its length', async () => {
    for (const text of [
      `SELECT Id FROM A WHERE a IN (${'1,'.repeat(49_000)}1)`,
      `SELECT Id FROM A WHERE ${'a=1 OR '.repeat(14_000)}a=1`,
      `SELECT ${'a,'.repeat(49_000)}a FROM A`,
      `${'\n'.repeat(99_990)}!`,
      `SELECT Id FROM A WHERE a = '${'\\n'.repeat(49_000)}'`,
    ])
      assert.ok((await measureUsualTime(() => answers(text))) < 2, text.slice(0, 50))
  })
})
