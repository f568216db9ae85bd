import assert from 'node:assert/strict'
import { makeApiVersion } from '../../../src/base/api-version.ts'
import { compileQuery } from '../../../src/soql/compile/compile.ts'
import { assertRefused } from '../../support/assert-refused.ts'
import { evaluateAggregate } from './evaluate-aggregate.ts'
import { evaluateCount, evaluateRecords } from './evaluate-plan.ts'
import type { Fixture } from './fixture.ts'
import { sameJson, sameRuns } from './same-json.ts'
import { wholeResult } from './whole-result.ts'

/** More groups than this are refused. (docs/reference/api/queries.md#groups) */
const MAX_GROUPS = 2000

/** A random query, asked for live records or for all. */
export interface Question {
  readonly text: string
  readonly deletedToo: boolean
}

/** The answer of the API is what the oracle says. */
export async function assertAsOracle(fixture: Fixture, { text, deletedToo }: Question): Promise<void> {
  const { o, world } = fixture
  const asker = { ...fixture.asker, deletedToo }
  const { plan } = compileQuery(text, world.schema, makeApiVersion(64))
  const path = `/${deletedToo ? 'queryAll' : 'query'}?q=${encodeURIComponent(text)}`
  if (plan.kind === 'aggregate') {
    const runs = evaluateAggregate(plan, world, asker)
    const records = runs.flat()
    if (records.length > MAX_GROUPS) {
      return assertRefused(await o.call('GET', path), 400, 'EXCEEDED_ID_LIMIT', /queryMore/)
    }
    const actual = await wholeResult(o, path, asker.pageSize)
    assert.equal(actual.totalSize, records.length, text)
    if (!sameRuns(actual.records, runs)) assert.deepEqual(actual.records, records, text)
    return
  }
  const evaluate = plan.kind === 'count' ? evaluateCount : evaluateRecords
  const expected = evaluate(plan as never, world, asker)
  const actual = await wholeResult(o, path, asker.pageSize)
  if (!sameJson(actual, expected)) assert.deepEqual(actual, expected, text)
}
