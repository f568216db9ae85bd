import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { makeRecordId } from '../src/base/record-id.ts'

/** The columns of the file that is imported, as API names; their columns in the table are the same in lower case. */
const COLUMNS = [
  'Name',
  'Industry',
  'NumberOfEmployees',
  'AnnualRevenue',
  'BillingCity',
  'BillingCountry',
  'Phone',
  'Website',
  'Description',
  'Bench_Key__c',
]

const INDUSTRIES = ['Energy', 'Banking', 'Retail']

const makeCells = (n: number) =>
  `Account ${n},${INDUSTRIES[n % 3]},${n % 5000},${n * 10},Oslo,Norway,+47 22 00 00 00,https://example.com/${n},An account of the bench,key-${n}`

const SYSTEM = [
  'createdbyid',
  'lastmodifiedbyid',
  'ownerid',
  'createddate',
  'lastmodifieddate',
  'systemmodstamp',
]

/** Columns of the file that COPY reads: what the server adds to a row stands in it. */
export const COPIED = ['id', ...SYSTEM, ...COLUMNS.map((name) => name.toLowerCase())]

const ROWS_AT_ONCE = 1000

function* makeLines(count: number, lineOf: (n: number) => string): Generator<string> {
  for (let start = 0; start < count; start += ROWS_AT_ONCE) {
    const end = Math.min(count, start + ROWS_AT_ONCE)
    let text = ''
    for (let n = start; n < end; n++) text += `${lineOf(n)}\n`
    yield text
  }
}

const write = (file: string, texts: Iterable<string>) =>
  pipeline(Readable.from(texts), createWriteStream(file))

/** Accounts as people export them from elsewhere. */
export async function writeImported(file: string, count: number): Promise<void> {
  function* texts() {
    yield `${COLUMNS.join()}\n`
    yield* makeLines(count, makeCells)
  }
  await write(file, texts())
}

/** The same accounts as COPY takes them, without a header. */
export async function writeCopied(file: string, count: number, userId: string): Promise<void> {
  const now = new Date().toISOString()
  const audit = `${userId},${userId},${userId},${now},${now},${now}`
  await write(
    file,
    makeLines(count, (n) => `${makeRecordId('001', 1_000_000_000 + n)},${audit},${makeCells(n)}`),
  )
}
