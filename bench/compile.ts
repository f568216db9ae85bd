import { readFileSync } from 'node:fs'
import { makeApiVersion } from '../src/base/api-version.ts'
import { CALENDAR_YEAR } from '../src/base/fiscal-year.ts'
import { makeSnapshot } from '../src/schema/snapshot/snapshot.ts'
import type { QueryContext } from '../src/soql/analyze/query-context.ts'
import { compileQuery } from '../src/soql/compile/compile.ts'
import { querySql } from '../src/soql/sql/statement.sql.ts'
import { STANDARD_OBJECTS } from '../src/standard/standard-objects.ts'
import { PROJECT_SCHEMA } from '../test/support/project-schema.ts'

/*
 * `node bench/compile.ts`: what it costs to turn the text of a query into a statement, for every valid query of the
 * cases, when the text is new and when it was seen before.
 */

const ORG = { id: '00DOB0000000001AAA', schemaName: 'org', name: 'Bench' }
const QUERY_CONTEXT: Omit<QueryContext, 'visible'> = {
  userId: '005OB0000000001AAA',
  today: '2026-11-20',
  now: '2026-11-20T12:00:00Z',
  timeZone: 'Europe/Oslo',
  fiscalYear: CALENDAR_YEAR,
  weekStart: 0,
  deletedToo: false,
  visibleRows: () => undefined,
}
const VERSION = makeApiVersion(64)
const ROUNDS = 200

const queries = readFileSync(`${import.meta.dirname}/../test/soql/cases.jsonl`, 'utf8')
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => JSON.parse(line) as { q: string; valid: boolean })
  .filter(({ valid }) => valid)
  .map(({ q }) => q)

/** A fresh schema remembers nothing. */
const freshSchema = () =>
  makeSnapshot(1, new Date(0), [
    ...STANDARD_OBJECTS,
    ...PROJECT_SCHEMA.map((object, i) => ({ ...object, keyPrefix: `a0${i}` })),
  ])

function compileStatement(text: string, schema: ReturnType<typeof freshSchema>): number {
  const query = compileQuery(text, schema, VERSION)
  const queryContext = { ...QUERY_CONTEXT, visible: schema }
  switch (query.kind) {
    case 'count':
      return querySql.count(ORG, query.plan, queryContext).text.length
    case 'aggregate':
      return querySql.aggregate(ORG, query.plan, queryContext, 2001).text.length
    case 'records':
      return querySql.first(ORG, query, queryContext, 2001).text.length
  }
}

const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1]!

/** Microseconds for one query: the median of the rounds. The suffix makes its text another one. */
function measure(
  text: string,
  schema: ReturnType<typeof freshSchema>,
  suffix: (round: number) => string,
): number {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const varied = text + suffix(round)
    const start = performance.now()
    compileStatement(varied, schema)
    times.push((performance.now() - start) * 1000)
  }
  return median(times)
}

console.log('| text | queries | median µs | slowest µs | slowest query |')
console.log('|---|---|---|---|---|')
const schema = freshSchema()
for (const [name, suffix] of [
  ['new', (round: number) => ' '.repeat(round + 1)],
  ['seen before', () => ''],
] as const) {
  const measured = queries.map((text) => ({ text, time: measure(text, schema, suffix) }))
  const slowest = measured.reduce((a, b) => (b.time > a.time ? b : a))
  const middle = median(measured.map(({ time }) => time))
  console.log(
    `| ${name} | ${queries.length} | ${middle.toFixed(1)} | ${slowest.time.toFixed(1)} | ${slowest.text.slice(0, 100)} |`,
  )
}
