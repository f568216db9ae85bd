import { ApiError } from '../../base/api-error.ts'
import type { Call } from '../../calls/call.ts'
import { ByteStream, type Reply } from '../../calls/reply.ts'
import type { Context } from '../../context.ts'
import { pieceSql } from '../jobs/job.sql.ts'
import { type Job, wrongState } from '../jobs/job.ts'
import { CSV_TYPE, joinPieces, readPiece, type StoredPiece } from '../jobs/stored-pieces.ts'
import { compileBulkQuery } from './compile-query.ts'
import { RECORDS_END } from './record-text.ts'

/** Records of a page that is read beside others, and how many pages are named at a time. */
const PARALLEL_RECORDS = 100_000
const PARALLEL_PAGES = 5

const QUOTE = 34
const LINE_FEED = 10

/** Where a page begins in the result of a job. Some clients do not encode it, so it has none but plain characters. */
const makeLocator = ({ id }: Job, record: number) => Buffer.from(`${record} ${id}`).toString('base64url')

/** The number of a page's first record. */
function readLocator({ query }: Call, job: Job): number {
  const text = query.get('locator')
  if (text === null || text === '') return 0
  const record = Number.parseInt(Buffer.from(text, 'base64url').toString('latin1'), 10)
  // The locator that we would make has no other spelling.
  if (record >= 0 && record < job.processed && makeLocator(job, record) === text) return record
  throw new ApiError('INVALID_QUERY_LOCATOR', 'invalid query locator')
}

function readMaxRecords({ query }: Call): number {
  const text = query.get('maxRecords')
  if (text === null) return Number.POSITIVE_INFINITY
  if (/^\d{1,15}$/.test(text) && Number(text) > 0) return Number(text)
  throw new ApiError(
    'ILLEGAL_QUERY_PARAMETER_VALUE',
    `maxRecords is a whole number from 1 on, not ${text.slice(0, 255)}`,
  )
}

/** Checks that there is a result, and that its reader may still send the query: rights may have ended since. */
function checkIsReadable(ctx: Context, { state, query }: Job): void {
  if (state !== 'JobComplete') throw wrongState(`The job is ${state}; it has results when it is JobComplete.`)
  compileBulkQuery(ctx, query!)
}

/** Where the n-th record of a piece begins. All values are in quotes. */
function findRecord(bytes: Uint8Array, n: number): number {
  let isQuoted = false
  let left = n
  for (let i = 0; i < bytes.length && left > 0; i++) {
    if (bytes[i] === QUOTE) isQuoted = !isQuoted
    else if (bytes[i] === LINE_FEED && !isQuoted && --left === 0) return i + 1
  }
  return n === 0 ? 0 : bytes.length
}

/** The part of a result from one record up to another, with the header. */
async function readPart(
  ctx: Context,
  job: Job,
  start: number,
  end: number,
  behind = '',
): Promise<ByteStream> {
  const { db, org } = ctx
  const all = await db.query<StoredPiece>(pieceSql.list(org, job.id, 'query'))
  const touched = all.filter(({ firstRecord, records }) => firstRecord < end && firstRecord + records > start)
  const first: Uint8Array[] = [await readPiece(ctx, job.id, 'query', 0)]
  const last: Uint8Array[] = []
  const isWhole = ({ firstRecord, records }: StoredPiece) =>
    firstRecord >= start && firstRecord + records <= end
  for (const piece of touched) {
    if (isWhole(piece)) continue
    const bytes = await readPiece(ctx, job.id, 'query', piece.number)
    const from = findRecord(bytes, Math.max(0, start - piece.firstRecord))
    const to =
      piece.firstRecord + piece.records <= end ? bytes.length : findRecord(bytes, end - piece.firstRecord)
    ;(piece.firstRecord < start ? first : last).push(bytes.subarray(from, to))
  }
  last.push(Buffer.from(behind))
  const between = touched.filter(isWhole)
  const length =
    between.reduce((sum, piece) => sum + piece.length, 0) +
    [...first, ...last].reduce((sum, bytes) => sum + bytes.length, 0)
  return new ByteStream(length, () => joinPieces(ctx, job.id, 'query', between, first, last), true)
}

/** A page of the result of a query. (docs/reference/api/bulk-jobs.md#results-of-queries) */
export async function pageReply(ctx: Context, call: Call, job: Job): Promise<Reply> {
  checkIsReadable(ctx, job)
  const max = readMaxRecords(call)
  const start = readLocator(call, job)
  const end = Math.min(job.processed, start + max)
  const locator = end < job.processed ? makeLocator(job, end) : 'null'
  const count = String(end - start)
  return {
    status: 200,
    body: await readPart(ctx, job, start, end),
    headers: {
      'Content-Type': CSV_TYPE,
      'Sforce-Locator': locator,
      'Svc-Locator': locator,
      'Sforce-NumberOfRecords': count,
      'Svc-NumberOfRecords': count,
    },
  }
}

/** The whole result of a query, in the format of its job. */
export function readWhole(ctx: Context, job: Job): Promise<ByteStream> {
  checkIsReadable(ctx, job)
  return readPart(ctx, job, 0, job.processed, RECORDS_END[job.contentType])
}

/** Addresses of pages that can be read at the same time. */
export function parallelPagesReply(ctx: Context, call: Call, job: Job): Reply {
  checkIsReadable(ctx, job)
  const { version } = ctx
  const start = readLocator(call, job)
  const path = `/jobs/query/${job.id}`
  const links: string[] = []
  let record = start
  do {
    const query = `locator=${makeLocator(job, record)}&maxRecords=${PARALLEL_RECORDS}`
    links.push(job.processed === 0 ? `${path}/results` : `${path}/results?${query}`)
    record += PARALLEL_RECORDS
  } while (record < job.processed && links.length < PARALLEL_PAGES)
  const done = record >= job.processed
  // Clients read one list or the other: the documentation of the interface has the first, its answers have the second.
  const resultPages = links.map((link) => ({ resultUrl: version.path + link }))
  const resultChunks = links.map((resultLink) => ({ resultLink }))
  const nextRecordsUrl = done
    ? null
    : `${version.path}${path}/resultPages?locator=${makeLocator(job, record)}`
  return { status: 200, body: { resultPages, resultChunks, nextRecordsUrl, done } }
}
