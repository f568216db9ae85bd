import { isUtf8 } from 'node:buffer'
import { ApiError } from '../../base/api-error.ts'
import { findCharset, isReadAsUtf8 } from '../../base/charset.ts'
import type { Call } from '../../calls/call.ts'
import type { Reply } from '../../calls/reply.ts'
import type { Context } from '../../context.ts'
import { splitIntoPieces } from '../../storage/pass-bytes.ts'
import { receiveRows } from '../ingest/receive-rows.ts'
import { jobSql, pieceSql } from '../jobs/job.sql.ts'
import { type ContentType, type Job, wrongState } from '../jobs/job.ts'
import { createJob, setState, timeOf } from '../jobs/job-store.ts'
import { BULK_LIMITS, loadUsage } from '../jobs/usage.ts'
import { isJsonType } from './answer-format.ts'
import { findClassic, isQueryJob } from './classic-jobs.ts'
import { RECORD_READERS } from './convert-records.ts'
import { batchReply } from './describe-classic.ts'
import { readBytes } from './read-info.ts'
import { invalidBatch } from './record-table.ts'

const MAX_CHARACTERS = 10_000_000

/** How the content of a batch says what it is. */
const TYPES: Readonly<Record<ContentType, RegExp>> = {
  CSV: /^text\/csv\b/i,
  XML: /^(?:application|text)\/xml\b/i,
  JSON: /^application\/json\b/i,
}

/** A query is a text, whatever its type. @throws ApiError */
function checkType(job: Job, type = ''): void {
  if (/^zip\//i.test(type)) throw new ApiError('FEATURENOTENABLED', 'Zipped batches are not supported')
  const charset = findCharset(type)
  if (!isReadAsUtf8(charset)) {
    throw new ApiError(
      'UNSUPPORTED_MEDIA_TYPE',
      `The charset ${charset.slice(0, 100)} is not supported; use UTF-8`,
    )
  }
  if (isQueryJob(job) || TYPES[job.contentType].test(type)) return
  throw invalidBatch(`Content type ${type.slice(0, 255)} is not that of the job, which is ${job.contentType}`)
}

function checkText(bytes: Uint8Array): void {
  if (!isUtf8(bytes)) throw invalidBatch('The batch is not UTF-8 text')
  const isLong = bytes.length > MAX_CHARACTERS && Buffer.from(bytes).toString().length > MAX_CHARACTERS
  if (isLong) throw invalidBatch(`A batch has more than ${MAX_CHARACTERS} characters`)
}

function checkIsOpen({ state }: Job): void {
  if (state !== 'Open') throw wrongState(`The job is ${state}; only an Open job takes batches.`)
}

const newBatch = (job: Job, query: string | null) => ({
  kind: query === null ? ('ingest' as const) : ('query' as const),
  object: job.object,
  operation: job.operation,
  externalIdField: job.externalIdField,
  assignmentRuleId: job.assignmentRuleId,
  columnDelimiter: job.columnDelimiter,
  lineEnding: job.lineEnding,
  query,
  state: 'Open' as const,
  parentId: job.id,
  contentType: job.contentType,
  isSerial: job.isSerial,
})

/** Stores a batch as it came, where its rows are something else. */
async function storeRequest({ db, org }: Context, { id }: Job, bytes: Uint8Array): Promise<void> {
  let number = 0
  for await (const piece of splitIntoPieces([bytes])) {
    const stored = { number: number++, firstRecord: 0, records: 0, bytes: piece }
    await db.query(pieceSql.store(org, id, 'request', stored))
  }
  await db.query(jobSql.addStored(org, id, bytes.length))
}

function readQuery(bytes: Uint8Array): string {
  const query = Buffer.from(bytes).toString().trim()
  if (query === '' || query.includes('\0')) throw invalidBatch('The batch is not a query')
  return query
}

async function checkUsage(ctx: Context): Promise<void> {
  if ((await loadUsage(ctx)).batches < BULK_LIMITS.batches) return
  throw new ApiError(
    'LIMIT_EXCEEDED',
    `Max batches per rolling 24 hour window has been exceeded: ${BULK_LIMITS.batches}`,
  )
}

/** Adds a batch to a job, which is processed from now on. (docs/reference/api/bulk-jobs.md#version-1) */
export async function addBatch(ctx: Context, call: Call, jobId: string): Promise<Reply> {
  const job = await findClassic(ctx, jobId)
  checkIsOpen(job)
  checkType(job, call.headers['content-type'])
  const bytes = await readBytes(call)
  if (bytes.length === 0) throw invalidBatch('The batch is empty')
  checkText(bytes)
  const query = isQueryJob(job) ? readQuery(bytes) : null
  const rows = query === null ? await RECORD_READERS[job.contentType](ctx, bytes) : undefined
  await checkUsage(ctx)
  await ctx.bulk.open()
  const batch = await ctx.db.transaction(async (db) => {
    const inside = { ...ctx, db }
    const created = await createJob(inside, newBatch(job, query), '751')
    if (rows !== undefined) await receiveRows(inside, created, rows)
    if (rows !== undefined && job.contentType !== 'CSV') await storeRequest(inside, created, bytes)
    checkIsOpen(await findClassic(inside, jobId, true))
    const queued = await setState(inside, created, 'UploadComplete', timeOf(ctx))
    await ctx.bulk.queue(db, ctx.org, created.id)
    return queued
  })
  const isJson = job.contentType === 'JSON' || isJsonType(call.headers.accept)
  return batchReply(batch, isJson, 201)
}
