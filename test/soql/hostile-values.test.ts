import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { ApiError } from '../../src/base/api-error.ts'
import { bindValues } from '../../src/soql/analyze/bind-values.ts'
import { parseQuery } from '../../src/soql/parse/parser.ts'
import { runs } from '../support/runs.ts'
import { TEMPLATES } from './bind-templates.ts'
import { makePattern, TEXTS } from './bound-texts.ts'
import { shape } from './parsed.ts'

/* Whatever value comes into a query, and wherever: the tree has it in one place and is the same everywhere else. */

type Node = { readonly [key: string]: unknown; readonly kind?: string; readonly at?: number }

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

/** A tree with other nodes where `change` gives some. */
function changed(node: unknown, change: (node: Node) => unknown): unknown {
  if (Array.isArray(node)) return node.map((one) => changed(one, change))
  if (!isNode(node)) return node
  const other = change(node)
  if (other !== undefined) return other
  return Object.fromEntries(Object.entries(node).map(([key, child]) => [key, changed(child, change)]))
}

/** True if a value became this node. */
function isLiteralOf({ kind, value, n }: Node, given: unknown): boolean {
  if (given === null) return kind === 'null'
  if (given instanceof Date) return kind === 'datetime' && value === given.toISOString()
  if (isNode(given)) return kind === 'date' && value === given.date
  if (typeof given === 'number') return (kind === 'dateLiteral' ? n : value) === given
  return kind === 'pattern' ? value === makePattern(String(given)) : value === given
}

/** The second tree is the first one, but for the second value where that has the first value. */
function assertAlike(one: unknown, other: unknown, first: unknown, second: unknown): void {
  if (!isNode(one) || !isNode(other)) {
    assert.equal(one, other)
  } else if (!isLiteralOf(one, first) || !isLiteralOf(other, second)) {
    assert.deepEqual(Object.keys(one), Object.keys(other))
    for (const [key, child] of Object.entries(one)) assertAlike(child, other[key], first, second)
  }
}

/** Two values that can stand in the same places. */
const PAIRS: fc.Arbitrary<readonly [unknown, unknown]> = fc.oneof(
  TEXTS.map((text) => ['a text that no query has', text] as const),
  fc.constant(['a text that no query has', null] as const),
  fc.constant([false, true] as const),
  fc.nat().map((n) => [987_654, n] as const),
  fc.constant([1999, 2026] as const),
  fc.constant([12, 23] as const),
  fc.double({ min: -1, max: -Number.MIN_VALUE, noNaN: true }).map((n) => [-0.5, n] as const),
  fc.constant([{ date: '1999-12-31' }, { date: '2026-01-31' }] as const),
  fc.constant([new Date(0), new Date(1)] as const),
)

const split = (lines: readonly string[]) => lines.flatMap((line) => line.split('|'))
/** Good places for a value, and bad ones. */
const PUT = split([
  ':v| :v |,:v|, :v|(:v| (:v)|.:v|x:v|5:v|-:v|:v-01-01|:v:00:00Z|:v.5|.Like :v|.In (:v)|LAST_N_DAYS:v',
  ' = :v| LIKE :v | IN :vs | IN (:v| IN (SELECT :v| LIMIT :v | OFFSET :v| GROUP BY a, :v| ORDER BY a, :v',
  " AND f = :v| AND f IN (:v, :v)| AND f NOT IN :vs| AND DISTANCE(f, GEOLOCATION(:v, :v), 'km') < :v",
  ' WHERE f LIKE :v| AND f IN (SELECT a, :v FROM B)| AND f IN (1) GROUP BY a, :v',
])
/** Texts that make a good place a bad one. */
const DAMAGE = split([
  "-|.|:|(|)|,|'| |5|x| f |-01-01|.Like |.Limit | Offset ",
  'SELECT | IN | LIKE | LIMIT | FROM | AND | OR | NOT ',
])

const template = fc.constantFrom(...TEMPLATES)
/** Templates with a text behind one of their words: one that damages, where a variable is renamed to v, or one with :v. */
const LOCATIONS = fc
  .oneof(
    fc.record({ template, which: fc.nat(), location: fc.nat(), patch: fc.constantFrom(...DAMAGE) }),
    fc.record({
      template,
      which: fc.constant(undefined),
      location: fc.nat(),
      patch: fc.constantFrom(...PUT),
    }),
  )
  .map(({ template: { text, values, names }, which, location, patch }) => {
    const chosen = which === undefined ? text : text.replace(new RegExp(`\\bv${which % names.size}\\b`), 'v')
    const ends = [...chosen.matchAll(/(?<=\w)\b|$/g)].map(({ index }) => index)
    const at = ends[location % ends.length]!
    return { text: chosen.slice(0, at) + patch + chosen.slice(at), values }
  })

describe('a value', () => {
  test('makes the query that its literal makes, for every literal of the corpus', () => {
    assert.ok(TEMPLATES.length > 70, `${TEMPLATES.length}`)
    for (const { query, text, values } of TEMPLATES) {
      assert.deepEqual(shape(parseQuery(bindValues(text, values))), shape(parseQuery(query)), text)
    }
  })

  test('that is a text is this text in its literal, whatever it holds', () => {
    const isText = (value: unknown) => typeof value === 'string'
    const templates = TEMPLATES.filter(({ values }) => Object.values(values).some(isText))
    assert.ok(templates.length > 30, `${templates.length}`)
    const list = fc.array(TEXTS, { minLength: 5, maxLength: 5 })
    fc.assert(
      fc.property(fc.constantFrom(...templates), list, ({ query, text, values, names }, texts) => {
        const given = Object.fromEntries(
          Object.entries(values).map(([name, value], index) => [
            name,
            isText(value) ? texts[index % texts.length] : value,
          ]),
        )
        const expected = changed(parseQuery(query), ({ kind, at }) => {
          const value = given[names.get(at ?? -1) ?? '']
          if (kind === 'string') return { kind, value }
          if (kind === 'pattern') return { kind, value: makePattern(String(value)) }
        })
        assert.deepEqual(shape(parseQuery(bindValues(text, given))), shape(expected))
      }),
      { numRuns: runs(700) },
    )
  })

  test('is one value or refused wherever it is put', () => {
    const parseTree = (text: string, values: Readonly<Record<string, unknown>>): unknown => {
      try {
        return shape(parseQuery(bindValues(text, values)))
      } catch (error) {
        assert.ok(error instanceof ApiError && error.code === 'MALFORMED_QUERY', `${text}: ${error}`)
        return undefined
      }
    }
    let taken = 0
    fc.assert(
      fc.property(LOCATIONS, PAIRS, ({ text, values }, [first, second]) => {
        const [one, other] = [first, second].map((v) => parseTree(text, { ...values, v, vs: [v, v] }))
        assert.equal(one === undefined, other === undefined)
        if (one === undefined) return
        taken++
        assertAlike(one, other, first, second)
      }),
      { numRuns: runs(3000) },
    )
    assert.ok(taken > runs(90), `${taken}`)
  })
})
