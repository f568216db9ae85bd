import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import { sql } from '../../src/base/sql.ts'
import { fetchRecords } from '../support/ask.ts'
import { fetchResults, statusesOf } from '../support/composite.ts'
import {
  expect,
  type ModelRecord,
  makeSubrequest,
  type Operation,
  type Target,
  type Text,
} from '../support/composite-model.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { runs } from '../support/runs.ts'
import { SPECIMEN } from '../support/specimen-schema.ts'

const RUNS = { numRuns: runs(15) }

let o: TestOrg

before(async () => {
  o = await openOrg()
  await o.deploy([SPECIMEN])
})

const KEYS = ['k0', 'k1', 'k2', 'k3', 'k4']
const BEFORE: readonly ModelRecord[] = [
  { key: 'k0', text: "it's", alive: true },
  { key: 'k1', text: 'plain', alive: true },
  { key: 'k2', text: '\\', alive: true },
]

/** Steps are named by numbers up to the most that there are: some are earlier ones, some later, some themselves. */
const stepNumber = fc.oneof(fc.nat(1), fc.nat(7))
const target: fc.Arbitrary<Target> = fc.oneof(
  fc.record({ record: fc.nat(BEFORE.length - 1) }),
  fc.record({ step: stepNumber }),
)
const text: fc.Arbitrary<Text> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ text: fc.constantFrom("it's", 'plain', '\\', '"}', "\\' OR Id != '") }),
  },
  { weight: 2, arbitrary: fc.record({ step: stepNumber }) },
)
const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({ kind: fc.constantFrom('create', 'upsert'), key: fc.constantFrom(...KEYS), text }),
  fc.record({ kind: fc.constant('update'), target, text }),
  fc.record({ kind: fc.constantFrom('delete', 'read'), target }),
  fc.record({ kind: fc.constant('query'), text }),
)
/** Composites often begin with reads, whose texts later steps use. */
const READS: readonly Operation[] = [
  { kind: 'read', target: { record: 2 } },
  { kind: 'read', target: { record: 0 } },
]
/** More queries than these are refused as a whole. */
const MAX_QUERIES = 5

const withinLimits = (list: readonly Operation[]) => {
  let queries = 0
  return list.filter(({ kind }) => kind !== 'query' || ++queries <= MAX_QUERIES)
}

const operations = fc
  .tuple(fc.array(operation, { minLength: 1, maxLength: 7 }), fc.boolean(), fc.boolean(), fc.nat(7))
  .map(([list, reads, fails, location]): readonly Operation[] => {
    const all = reads ? [...READS, ...list] : list
    return withinLimits(fails ? all.toSpliced(location % (all.length + 1), 0, { kind: 'wrong' }) : all)
  })

/** The records of before, and nothing else. */
async function fillTable(): Promise<string[]> {
  await o.db.query(sql`delete from ${sql.id(o.org.schemaName, 'specimen__c')}`)
  const ids: string[] = []
  for (const { key, text } of BEFORE) ids.push(await o.create('Specimen__c', { Key__c: key, Text__c: text }))
  return ids
}

async function tableNow() {
  const records = await fetchRecords(o, 'SELECT Key__c, Text__c FROM Specimen__c ORDER BY Key__c')
  return records.map(({ Key__c, Text__c }) => `${Key__c} ${Text__c}`)
}

describe('whatever the steps of a composite are', () => {
  for (const allOrNone of [true, false]) {
    test(`with allOrNone ${allOrNone} it leaves what the same operations leave ${allOrNone ? 'together or not at all' : 'one by one'}`, async () => {
      await fc.assert(
        fc.asyncProperty(operations, async (list) => {
          const ids = await fillTable()
          const results = await fetchResults(
            o,
            list.map((one) => makeSubrequest(one, ids)),
            { allOrNone },
          )
          const expected = expect(BEFORE, list, allOrNone)
          assert.deepEqual(statusesOf(results), expected.statuses)
          assert.deepEqual(
            results.map(({ body, httpStatusCode }) => (httpStatusCode === 200 ? body.totalSize : undefined)),
            expected.found,
          )
          const alive = expected.records.filter((record) => record.alive)
          assert.deepEqual(await tableNow(), alive.map((record) => `${record.key} ${record.text}`).sort())
        }),
        RUNS,
      )
    })
  }
})
