import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import fc from 'fast-check'
import { ingest, results } from '../support/bulk.ts'
import { deploy, type Objects } from '../support/deploying.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { runs } from '../support/runs.ts'

const OBJECTS: Objects = {
  Thing__c: {
    fields: {
      Key__c: { type: 'string', length: 20, externalId: true, unique: true },
      Short__c: { type: 'string', length: 5 },
      Count__c: { type: 'int' },
      Size__c: { type: 'picklist', restricted: true, values: ['S', 'M', 'L'] },
      Up__c: { type: 'reference', to: 'Thing__c', children: 'Below__r' },
    },
    validations: { Small: { condition: 'Count__c > 1000', message: 'Count is over 1000' } },
  },
}

type Values = Readonly<Record<string, string | undefined>>
type Operation = 'insert' | 'update' | 'upsert' | 'delete'

interface Step {
  readonly operation: Operation
  readonly rows: readonly Values[]
}

const COLUMNS = ['Name', 'Key__c', 'Short__c', 'Count__c', 'Size__c', 'Up__r.Key__c'] as const
const KEYS = ['a', 'b', 'c', 'd', 'e', 'f']
const key = fc.constantFrom(...KEYS)

/** Undefined: no value is given. */
const values = fc.record({
  Name: fc.constantFrom('one', 'two', undefined),
  Key__c: key,
  Short__c: fc.constantFrom('ok', 'too long', '#N/A', undefined),
  Count__c: fc.constantFrom('1', '1001', '999999999', '#N/A', undefined),
  Size__c: fc.constantFrom('S', 'XL', undefined),
  'Up__r.Key__c': fc.constantFrom(undefined, undefined, ...KEYS),
})
// A list of REST has each key of an upsert, and each id, once.
const distinct = fc.uniqueArray(values, { selector: (row) => row.Key__c, minLength: 1, maxLength: 6 })
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    operation: fc.constant('insert' as const),
    rows: fc.array(values, { minLength: 1, maxLength: 8 }),
  }),
  fc.record({ operation: fc.constantFrom('update' as const, 'upsert' as const), rows: distinct }),
  fc.record({
    operation: fc.constant('delete' as const),
    rows: fc
      .uniqueArray(key, { minLength: 1, maxLength: 3 })
      .map((keys) => keys.map((Key__c) => ({ Key__c }))),
  }),
)

let bulk: TestOrg
let twin: TestOrg

before(async () => {
  ;[bulk, twin] = [await openOrg(), await openOrg()]
  for (const org of [bulk, twin]) {
    const deployed = await deploy(org, OBJECTS)
    assert.equal(deployed.status, 200, deployed.text)
  }
})

const SELECT =
  'SELECT Id, Name, Key__c, Short__c, Count__c, Size__c, Up__r.Key__c FROM Thing__c ORDER BY Key__c'

interface Thing {
  readonly Id: string
  readonly Key__c: string
}

async function findAll(org: TestOrg): Promise<readonly Thing[]> {
  return (await org.call('GET', `/query?q=${encodeURIComponent(SELECT)}`)).body.records
}

/** The ids of the records by their keys; for a key without one an id that there is not. */
async function findIds(org: TestOrg): Promise<(row: Values) => string> {
  const ids = new Map((await findAll(org)).map(({ Id, Key__c }) => [Key__c, Id]))
  const prefix = (await org.call('GET', '/sobjects/Thing__c/describe')).body.keyPrefix
  return ({ Key__c }) => ids.get(Key__c!) ?? `${prefix}000000000000AAA`.slice(0, 18)
}

const needsId = (operation: Operation) => operation === 'update' || operation === 'delete'

/** The outcome of each row: its error, or that it was written. Ids differ between orgs. */
const withoutIds = (text: string) => text.replaceAll(/\b[a-zA-Z0-9]{15}(?:[A-Z0-5]{3})?\b/g, '<id>')

async function runInBulk({ operation, rows }: Step): Promise<string[]> {
  const idOf = await findIds(bulk)
  const names =
    operation === 'delete' ? [] : COLUMNS.filter((name) => operation !== 'update' || name !== 'Key__c')
  const header = needsId(operation) ? ['Id', ...names] : names
  const lines = rows.map((row) =>
    [...(needsId(operation) ? [idOf(row)] : []), ...names.map((name) => row[name] ?? '')].join(','),
  )
  const job = await ingest(
    bulk,
    { object: 'Thing__c', operation, ...(operation === 'upsert' && { externalIdFieldName: 'Key__c' }) },
    [header.join(','), ...lines, ''].join('\n'),
  )
  assert.equal(job.state, 'JobComplete', job.errorMessage)
  const { successful, failed } = await results(bulk, job.id)
  const read = (text: string) =>
    text
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => line.slice(1, -1).split('","'))
  const outcomes: string[] = []
  const failures = read(failed)
  const successes = read(successful)
  for (const line of lines) {
    const isSame = (found: readonly string[] | undefined) => found?.slice(2).join(',') === line
    if (isSame(failures[0])) outcomes.push(withoutIds(failures.shift()![1]!))
    else {
      assert.ok(isSame(successes[0]), line)
      outcomes.push(`written, created: ${successes.shift()![1]}`)
    }
  }
  return outcomes
}

async function runByCollections({ operation, rows }: Step): Promise<string[]> {
  const idOf = await findIds(twin)
  if (operation === 'delete') {
    const ids = rows.map(idOf).join(',')
    return readOutcomes(await twin.call('DELETE', `/composite/sobjects?ids=${ids}`), operation)
  }
  const records = rows.map((row) => {
    const record: Record<string, unknown> = { attributes: { type: 'Thing__c' } }
    if (operation === 'update') record.Id = idOf(row)
    for (const name of COLUMNS) {
      const value = row[name]
      if (value === undefined || (operation === 'update' && name === 'Key__c')) continue
      if (name === 'Up__r.Key__c') record.Up__r = { Key__c: value }
      else record[name] = value === '#N/A' ? null : value
    }
    return record
  })
  const [method, path] =
    operation === 'insert'
      ? ['POST', '']
      : operation === 'update'
        ? ['PATCH', '']
        : ['PATCH', '/Thing__c/Key__c']
  return readOutcomes(
    await twin.call(method!, `/composite/sobjects${path}`, { body: { records } }),
    operation,
  )
}

interface RecordResult {
  readonly success: boolean
  readonly created?: boolean
  readonly errors: readonly { statusCode: string; message: string; fields: readonly string[] }[]
}

function readOutcomes(answer: { status: number; body: RecordResult[]; text: string }, operation: Operation) {
  assert.equal(answer.status, 200, answer.text)
  return answer.body.map(({ success, created = operation === 'insert', errors }) =>
    success
      ? `written, created: ${created}`
      : withoutIds(
          errors
            .map(({ statusCode, message, fields }) => {
              const named = fields.length === 0 ? '' : `${fields.join(',')} `
              return `${statusCode}:${message}:${named}--`
            })
            .join(';'),
        ),
  )
}

const withoutId = ({ Id: _, attributes: __, ...record }: Thing & { attributes?: unknown }) =>
  JSON.parse(withoutIds(JSON.stringify(record)))

test('rows of bulk jobs have the outcomes and errors of the same records in lists, and leave the same records', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 4 }), async (steps) => {
      for (const one of steps) {
        assert.deepEqual(await runInBulk(one), await runByCollections(one), one.operation)
        assert.deepEqual((await findAll(bulk)).map(withoutId), (await findAll(twin)).map(withoutId))
      }
    }),
    { numRuns: runs(8) },
  )
})
