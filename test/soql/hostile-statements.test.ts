import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { ApiError } from '../../src/base/api-error.ts'
import type { ErrorCode } from '../../src/base/error-codes.ts'
import { NAME_ENTITY } from '../../src/schema/objects/name-entity.sql.ts'
import { isSoak, runs } from '../support/runs.ts'
import { firstStatement, QUERY_CONTEXT, SCHEMA, type Statement } from './golden.ts'
import { HOSTILE_TEXTS, VALID } from './hostile-texts.ts'
import { tokenize } from './sql-tokens.ts'

/*
 * Whatever is sent as a query: a refusal with a code of the contract, or a statement that is the compiler's own, made
 * of its words, of names and values of the schema, and of parameters. PROPERTY_EFFORT sends more.
 */

const RUNS = runs(1500)
/** How often a long run says how far it is. */
const REPORT_EVERY = 10_000

/** (docs/reference/api/queries.md#codes) */
const CODES: readonly ErrorCode[] = [
  'MALFORMED_QUERY',
  'INVALID_FIELD',
  'INVALID_TYPE',
  'INVALID_QUERY_FILTER_OPERATOR',
  'INVALID_QUERY_SCOPE',
  'NUMBER_OUTSIDE_VALID_RANGE',
  'QUERY_TOO_COMPLICATED',
]

const WORDS = new Set(
  `all and any array array_to_json as asc asin at avg bool_or boolean by bytea case char child children chr coalesce collate cos count cube
   date day desc distinct dow doy else end extract false filter first float8 from group grouping having hour id in
   integer interval is join json_build_array last lateral least left like limit matched max min month n not
   null nulls num_nulls numeric offset on one or order power quarter radians rollup second select sin
   split_part sqrt string_to_array sum text then time timestamp timestamptz to_char total true union unnest upper v
   when where year zone concat exists referenced_at user_id viewed_at record_id`.split(/\s+/),
)

const { objects } = SCHEMA
const NAMES = new Set([
  'org',
  // The element of a list, a record behind a reference to several objects, the collation of code points.
  ...['v', 'n', 'C', 'default'],
  // When the caller used a record.
  ...['$org', '_recently_used'],
  ...objects.map((object) => object.table),
  ...[...objects, NAME_ENTITY].flatMap((object) => object.fields.flatMap((field) => field.column ?? [])),
])
const isAlias = (name: string) => /^t\d{1,3}$/.test(name)

const CONSTANTS = new Set([
  ...[';', '|', '1 second', 'FM00000', 'UTC', QUERY_CONTEXT.timeZone],
  ...objects.flatMap((object) => [object.name, object.keyPrefix]),
  ...objects.flatMap((object) =>
    object.fields.flatMap((field) => field.picklist.map((entry) => entry.value)),
  ),
])

/** A statement has nothing in it but what the compiler and the schema know. */
function assertOwn({ text, values }: Statement, query: string): void {
  const tokens = tokenize(text)
  assert.ok(tokens !== undefined, `${query}: ${text}`)
  let parameters = 0
  for (const [i, token] of tokens.entries()) {
    const reported = `${token.kind} ${token.text} in the statement of ${query}`
    if (token.kind === 'name') assert.ok(NAMES.has(token.text) || isAlias(token.text), reported)
    if (token.kind === 'constant') assert.ok(CONSTANTS.has(token.text), reported)
    if (token.kind === 'word') assert.ok(WORDS.has(token.text), reported)
    if (token.kind === 'parameter') assert.equal(token.text, `$${++parameters}`, reported)
    // Two would start a comment.
    if (token.text === '-' && token.kind === 'sign') assert.notEqual(tokens[i + 1]?.text, '-', reported)
  }
  assert.equal(parameters, values.length, query)
}

let made = 0
let sent = 0

function assertAnswered(query: string): void {
  sent++
  if (isSoak && sent % REPORT_EVERY === 0) process.stdout.write(`${sent} texts, ${made} statements\n`)
  let statement: Statement
  try {
    statement = firstStatement(query)
  } catch (error) {
    assert.ok(error instanceof ApiError && CODES.includes(error.code), `${error} for ${query}`)
    return
  }
  made++
  assertOwn(statement, query)
}

describe('a text is refused with a code of the contract, or becomes a statement of the compiler', () => {
  const kinds = Object.entries(HOSTILE_TEXTS)
  for (const [kind, text] of kinds) {
    test(kind, () => {
      fc.assert(fc.property(text, assertAnswered), { numRuns: Math.ceil(RUNS / kinds.length) })
    })
  }

  test('the valid queries themselves', () => {
    const before = made
    for (const text of VALID) assertAnswered(text)
    assert.ok(made - before > VALID.length / 2, 'most of them become statements')
  })
})

test('a statement with a foreign part is told from one of the compiler', () => {
  const own = 'select "t0"."id" from "org"."account" "t0" where "t0"."name" = $1 limit 1'
  assertOwn({ text: own, values: ['x'] }, own)
  for (const end of [
    '; select 1',
    ' -- x',
    ' /* x */',
    " and 'x' = 'x'",
    ' or pg_sleep(1)',
    ' or "pg_user"',
    ' $2',
  ])
    assert.throws(() => assertOwn({ text: own + end, values: ['x'] }, own), end)
})
