import assert from 'node:assert/strict'
import { afterEach, before, describe, test } from 'node:test'
import { fetchRecords } from '../support/ask.ts'
import { ingest, results } from '../support/bulk.ts'
import { HIERARCHY_SCHEMA } from '../support/hierarchy-schema.ts'
import { openOrg, type TestOrg } from '../support/org.ts'

/* Records and keys that a job names more than once. (docs/reference/strict-rules.md) */

let org: TestOrg
/** Of accounts. */
let ids: readonly string[]

const ROWS = 750

before(async () => {
  org = await openOrg({ settings: { allowFaults: 'true' } })
  await org.deploy(HIERARCHY_SCHEMA)
  const rows = Array.from({ length: ROWS }, (_, n) => `a${n}\n`).join('')
  await ingest(org, { object: 'Account', operation: 'insert' }, `Name\n${rows}`)
  const accounts = await fetchRecords(org, `SELECT Id FROM Account WHERE Name LIKE 'a%' LIMIT ${ROWS}`)
  ids = accounts.map(({ Id }) => Id as string)
})
afterEach(() => org.call('DELETE', '/setup/faults'))

/** Numbers of rows that have the record of another row. */
const ACROSS = { 200: 198, 604: 590 }
const WITHIN = { 399: 201, 555: 450 }

/** A row of each record, but for those. */
const makeRows = <T>(make: (record: number, row: number) => T): T[] => {
  const others: Readonly<Record<number, number>> = { ...ACROSS, ...WITHIN }
  return Array.from({ length: ROWS }, (_, row) => make(others[row] ?? row, row))
}

async function breakUpChunks(): Promise<void> {
  for (const step of [1, 3]) {
    const body = {
      match: { route: '/jobs/ingest/:id/batches', step },
      effect: { error: { code: 'QUERY_TIMEOUT', message: 'too long' } },
      until: { count: 8 },
    }
    const answer = await org.call('PUT', `/setup/faults/planned${step}`, { body })
    assert.ok(answer.status < 300, answer.text)
  }
}

describe('a record or key that is in a group of 200 rows of a job more than once, counted from its first row', () => {
  for (const broken of [false, true]) {
    const how = broken ? ', however few rows are written at a time' : ''

    test(`is refused in each of these rows of an update, and changed again in another group${how}`, async () => {
      if (broken) await breakUpChunks()
      const rows = makeRows((record, row) => `${ids[record]},${row}\n`).join('')
      const job = await ingest(org, { object: 'Account', operation: 'update' }, `Id,Site\n${rows}`)
      assert.equal(job.numberRecordsProcessed, ROWS)
      const { failed } = await results(org, job.id)
      const refused = failed.split('\n').filter((line) => line.includes('DUPLICATE_VALUE'))
      assert.deepEqual(
        refused.map((line) => /"(\d+)"$/.exec(line)![1]),
        ['201', '399', '450', '555'],
      )
      const written = async (record: number) =>
        (await org.call('GET', `/sobjects/Account/${ids[record]}`)).body.Site
      assert.deepEqual([await written(198), await written(590)], ['200', '604'])
    })

    test(`is refused in each of these rows of an upsert by a key, in any case of letters${how}`, async () => {
      if (broken) await breakUpChunks()
      const prefix = broken ? 'b' : 'a'
      const rows = makeRows(
        (record, row) => `${row === record ? prefix : prefix.toUpperCase()}${record},${row}\n`,
      )
      const body = { object: 'House__c', operation: 'upsert', externalIdFieldName: 'Plate__c' }
      const job = await ingest(org, body, `Plate__c,Name\n${rows.join('')}`)
      assert.equal(job.numberRecordsProcessed, ROWS)
      const { failed } = await results(org, job.id)
      const refused = failed.split('\n').filter((line) => line.includes('DUPLICATE_VALUE'))
      assert.deepEqual(refused, [
        ...[
          [`${prefix}201`, 201],
          [`${prefix.toUpperCase()}201`, 399],
          [`${prefix}450`, 450],
          [`${prefix.toUpperCase()}450`, 555],
        ].map(
          ([key, row]) =>
            `"","DUPLICATE_VALUE:Duplicate external id specified: ${key}:Plate__c --","${key}","${row}"`,
        ),
      ])
      const written = await fetchRecords(
        org,
        `SELECT Name FROM House__c WHERE Plate__c IN ('${prefix}198', '${prefix}590') ORDER BY Name`,
      )
      assert.deepEqual(written, [{ Name: '200' }, { Name: '604' }])
    })
  }
})
