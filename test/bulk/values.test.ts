import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import { createJob, untilOver } from '../support/bulk.ts'
import { deploy, type Objects } from '../support/deploying.ts'
import { parseWithTexts } from '../support/number-texts.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { runs } from '../support/runs.ts'

const OBJECTS: Objects = {
  Row__c: {
    fields: {
      Up__c: { type: 'reference', to: 'Row__c', children: 'Below__r' },
      Text__c: { type: 'string', length: 200 },
      Secret__c: { type: 'encryptedstring', length: 20 },
      Long__c: { type: 'longtextarea', length: 1000 },
      Flag__c: { type: 'boolean' },
      Count__c: { type: 'int' },
      Whole__c: { type: 'double', precision: 18, scale: 0 },
      Price__c: { type: 'currency', precision: 18, scale: 2 },
      Part__c: { type: 'double', precision: 12, scale: 6 },
      Tiny__c: { type: 'double', precision: 18, scale: 15 },
      Day__c: { type: 'date' },
      Moment__c: { type: 'datetime' },
      Clock__c: { type: 'time' },
      Ratio__c: { type: 'double', scale: 10, formula: 'Part__c / Whole__c' },
      Power__c: { type: 'double', scale: 2, formula: 'Count__c * Count__c / 10' },
      Words__c: { type: 'string', formula: "Text__c & ' \"' & Name" },
      Later__c: { type: 'datetime', formula: 'Moment__c + 0.3' },
      Due__c: { type: 'date', formula: 'Day__c + 30' },
      Yes__c: { type: 'boolean', formula: 'NOT(Flag__c)' },
    },
  },
}

/** Columns that the database writes, and then one that it does not. */
const PLAIN = [
  'Id,Name,Text__c,Long__c,Flag__c,Count__c,Whole__c,Price__c,Part__c,Tiny__c,Day__c,Moment__c,Clock__c,CreatedDate,Up__c',
  'Up__r.Name,Up__r.Flag__c,Up__r.Moment__c,Owner.Username,Ratio__c,Power__c,Words__c,Later__c,Due__c,Yes__c',
].join(',')
const DECODED = `${PLAIN},Secret__c,Up__r.Yes__c`

const text = fc.oneof(
  fc.constantFrom('"', '""', 'a"b', ',', 'a\r\nb', "'", '\\', '\\N', 'ü€😀', ' x', '{}', '%', '\u0001'),
  fc.string({ unit: 'grapheme', maxLength: 60 }).map((one) => one.replaceAll('\0', '')),
)
const decimal = (digits: number, scale: number) =>
  fc.oneof(
    fc.constantFrom(0, 1, -1, 10 ** -scale, 10 ** (digits - scale) / 3, 100),
    fc.integer({ min: -999_999_999, max: 999_999_999 }).map((n) => n / 10 ** scale),
    fc.double({ noNaN: true, min: -(10 ** (digits - scale)) / 2, max: 10 ** (digits - scale) / 2 }),
  )
const record = fc.record(
  {
    Text__c: text,
    Long__c: text,
    Secret__c: fc.constantFrom('one', 'two'),
    Flag__c: fc.boolean(),
    Count__c: fc.integer({ min: -99_999_999, max: 99_999_999 }),
    Whole__c: decimal(18, 0),
    Price__c: decimal(18, 2),
    Part__c: decimal(12, 6),
    Tiny__c: decimal(18, 15).filter((n) => Math.abs(n) < 999),
    Day__c: fc.constantFrom('1700-01-01', '2024-02-29', '3999-12-31'),
    Moment__c: fc.constantFrom('1701-01-01T00:00:00Z', '2026-06-01T23:59:59+02:00', '3999-11-30T12:00:00Z'),
    Clock__c: fc.constantFrom('00:00:00.000Z', '23:59:59.999Z', '12:30:00.120Z'),
  },
  { requiredKeys: [] },
)

let org: TestOrg

before(async () => {
  org = await openOrg()
  const deployed = await deploy(org, OBJECTS)
  assert.equal(deployed.status, 200, deployed.text)
})

async function findRows(ids: readonly string[], columns: string, more: object): Promise<string> {
  const query = `SELECT ${columns} FROM Row__c WHERE Id IN ('${ids.join("','")}') ORDER BY Id`
  const { id } = await createJob(org, { operation: 'query', query, ...more }, 'query')
  const job = await untilOver(org, id, 'query')
  assert.equal(job.state, 'JobComplete', job.errorMessage)
  return (await org.call('GET', `/jobs/query/${id}/results`)).text
}

/** The rows as the answer of a query has them. */
async function writeRows(ids: readonly string[], columns: string, delimiter: string, lineEnding: string) {
  const query = `SELECT ${columns} FROM Row__c WHERE Id IN ('${ids.join("','")}') ORDER BY Id`
  const { text } = await org.call('GET', `/query?q=${encodeURIComponent(query)}`)
  const names = columns.split(',')
  const line = (values: readonly string[]) =>
    values.map((value) => `"${value.replaceAll('"', '""')}"`).join(delimiter) + lineEnding
  const rows = parseWithTexts(text).records.map((found: object) =>
    line(
      names.map((name) => {
        let value: unknown = found
        for (const part of name.split('.')) value = (value as Record<string, unknown> | null)?.[part] ?? null
        return value === null ? '' : String(value).replace(/^(\d{4}-.*)\+0000$/, '$1Z')
      }),
    ),
  )
  return [line(names), ...rows].join('')
}

describe('whatever records have', () => {
  test('the result of a bulk query has the texts of other queries', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 20 }), async (records) => {
        const ids: string[] = []
        for (const [index, one] of records.entries()) {
          const up = index > 0 && { Up__c: ids[index - 1] }
          const answer = await org.call('POST', '/sobjects/Row__c', {
            body: { Name: `r"${index}`, ...one, ...up },
          })
          if (answer.status === 201) ids.push(answer.body.id)
          else break
        }
        fc.pre(ids.length > 0)
        for (const columns of [PLAIN, DECODED]) {
          assert.equal(await findRows(ids, columns, {}), await writeRows(ids, columns, ',', '\n'))
        }
        const more = { columnDelimiter: 'CARET', lineEnding: 'CRLF' }
        assert.equal(await findRows(ids, PLAIN, more), await writeRows(ids, PLAIN, '^', '\r\n'))
      }),
      { numRuns: runs(8) },
    )
  })
})
