import { canonicalRecordId } from '../../base/record-id.ts'
import type { Call } from '../../calls/call.ts'
import { ByteStream, type Reply } from '../../calls/reply.ts'
import type { Context } from '../../context.ts'
import { writeElement } from '../../xml/write-xml.ts'
import { BATCH_COLUMNS } from '../ingest/row-results.ts'
import { openRoot } from '../jobs/bulk-namespace.ts'
import { type PiecePart, pieceSql } from '../jobs/job.sql.ts'
import { type ContentType, isOver, type Job } from '../jobs/job.ts'
import { findBatch, listBatches } from '../jobs/job-store.ts'
import { CSV_TYPE, joinPieces, type StoredPiece } from '../jobs/stored-pieces.ts'
import { readWhole } from '../query/result-page.ts'
import { isJsonType, JSON_TYPE, jsonReply, writeRoot, XML_TYPE, xmlReply } from './answer-format.ts'
import { findClassic, isQueryJob } from './classic-jobs.ts'
import { batchListReply, batchReply } from './describe-classic.ts'
import { invalidBatch } from './record-table.ts'

const BODY_TYPES: Readonly<Record<ContentType, string>> = { CSV: CSV_TYPE, XML: XML_TYPE, JSON: JSON_TYPE }

/** Texts before and behind the outcomes of a batch. */
const AROUND: Readonly<Record<ContentType, readonly [string, string]>> = {
  CSV: [BATCH_COLUMNS, ''],
  XML: [openRoot('results'), '</results>'],
  JSON: ['[', ']'],
}

interface Names {
  readonly job: string
  readonly batch: string
}

/** A batch by its job and its id. @throws ApiError INVALIDJOB, INVALIDBATCH */
async function find(ctx: Context, names: Names): Promise<{ job: Job; batch: Job }> {
  const job = await findClassic(ctx, names.job)
  const batch = await findBatch(ctx, job, names.batch)
  if (batch === undefined) throw invalidBatch(`Invalid batch id: ${names.batch.slice(0, 255)}`)
  return { job, batch }
}

/** Some clients read XML of every job that is not JSON, whatever type their requests have. */
const isJsonOf = ({ contentType }: Job, { headers }: Call) =>
  contentType === 'JSON' || isJsonType(headers.accept)

export async function showBatch(ctx: Context, call: Call, names: Names): Promise<Reply> {
  const { job, batch } = await find(ctx, names)
  return batchReply(batch, isJsonOf(job, call))
}

export async function showBatches(ctx: Context, call: Call, jobId: string): Promise<Reply> {
  const job = await findClassic(ctx, jobId)
  return batchListReply(await listBatches(ctx, job), isJsonOf(job, call))
}

async function piecesReply(
  ctx: Context,
  { contentType }: Job,
  [owner, part]: readonly [string, PiecePart],
  around: readonly [string, string] = ['', ''],
): Promise<Reply> {
  const pieces = await ctx.db.query<StoredPiece>(pieceSql.list(ctx.org, owner, part))
  const [before, behind] = around.map((text) => Buffer.from(text)) as [Buffer, Buffer]
  const length = pieces.reduce((sum, piece) => sum + piece.length, before.length + behind.length)
  const open = () => joinPieces(ctx, owner, part, pieces, [before], [behind])
  return {
    status: 200,
    body: new ByteStream(length, open, true),
    headers: { 'Content-Type': BODY_TYPES[contentType] },
  }
}

/** The batch as it came. */
export async function readRequest(ctx: Context, names: Names): Promise<Reply> {
  const { batch } = await find(ctx, names)
  if (batch.query !== null) {
    return { status: 200, body: batch.query, headers: { 'Content-Type': BODY_TYPES[batch.contentType] } }
  }
  const isOwn = batch.contentType !== 'CSV'
  return piecesReply(ctx, batch, isOwn ? [batch.id, 'request'] : [batch.uploadId!, 'upload'])
}

/** The only result of a batch that is a query. */
const resultId = ({ id }: Job) => canonicalRecordId(`752${id.slice(3, 15)}`)!

function checkHasResult({ state, processed, errorMessage }: Job, isQuery: boolean): void {
  if (state === 'JobComplete' || (!isQuery && isOver({ state }) && processed > 0)) return
  const reason = errorMessage ?? (state === 'Aborted' ? 'The batch was not processed' : 'Batch not completed')
  throw invalidBatch(reason)
}

/** Returns the outcomes of the records of a batch, or the ids of its query's results. */
export async function readResult(ctx: Context, call: Call, names: Names): Promise<Reply> {
  const { job, batch } = await find(ctx, names)
  checkHasResult(batch, isQueryJob(job))
  if (!isQueryJob(job)) return piecesReply(ctx, batch, [batch.id, 'outcomes'], AROUND[batch.contentType])
  const id = resultId(batch)
  if (isJsonOf(job, call)) return jsonReply(200, [id])
  return xmlReply(200, writeRoot('result-list', writeElement('result', id)))
}

/** The records that a query has found. */
export async function readRecords(ctx: Context, names: Names & { readonly result: string }): Promise<Reply> {
  const { job, batch } = await find(ctx, names)
  if (!isQueryJob(job) || canonicalRecordId(names.result) !== resultId(batch)) {
    throw invalidBatch(`Invalid result id: ${names.result.slice(0, 255)}`)
  }
  checkHasResult(batch, true)
  return {
    status: 200,
    body: await readWhole(ctx, batch),
    headers: { 'Content-Type': BODY_TYPES[batch.contentType] },
  }
}
