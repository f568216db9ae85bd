import { ApiError } from '../../base/api-error.ts'
import type { Call } from '../../calls/call.ts'
import type { Reply } from '../../calls/reply.ts'
import type { Context } from '../../context.ts'
import { checkTarget, type IngestOperation } from '../ingest/create-ingest.ts'
import { jobSql } from '../jobs/job.sql.ts'
import { type ContentType, type Job, OPERATIONS, unsupportedObject, wrongState } from '../jobs/job.ts'
import { createJob, findJob, queueNext, setState, sweepSometimes, timeOf } from '../jobs/job-store.ts'
import { wantsJson } from './answer-format.ts'
import { jobReply, loadCounts } from './describe-classic.ts'
import { type JobInfo, readJobInfo, readOneOf } from './read-info.ts'

const CONTENT_TYPES: readonly ContentType[] = ['CSV', 'XML', 'JSON']

/** Names of modes, and their numbers, which one client sends. */
const MODES = ['Parallel', 'Serial', '0', '1'] as const

/** True if the batches of a job are queries. */
export const isQueryJob = ({ operation }: Pick<Job, 'operation'>): boolean =>
  (OPERATIONS.query as readonly string[]).includes(operation)

/**
 * A job that the caller may see.
 * @throws ApiError INVALIDJOB
 */
export async function findClassic(ctx: Context, id: string, isLocked = false): Promise<Job> {
  try {
    return await findJob(ctx, 'classic', id, isLocked)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'NOT_FOUND') throw error
    throw new ApiError('INVALIDJOB', `Invalid job id: ${id.slice(0, 255)}`)
  }
}

function required(info: JobInfo, name: string): string {
  const text = info.get(name)
  if (text !== undefined) return text
  throw new ApiError('INVALIDJOB', `The job has no ${name}`)
}

function readContentType(info: JobInfo): ContentType {
  if (/^zip_/i.test(info.get('contentType') ?? '')) {
    throw new ApiError(
      'FEATURENOTENABLED',
      `Zipped batches are not supported; use ${CONTENT_TYPES.join(', ')}`,
    )
  }
  return readOneOf(info, 'contentType', CONTENT_TYPES) ?? 'XML'
}

/** Reads the object and the operation of a job, as they are stored. */
function readTarget(ctx: Context, info: JobInfo): ReturnType<typeof checkTarget> {
  const name = required(info, 'object')
  required(info, 'operation')
  const operation = readOneOf(info, 'operation', [...OPERATIONS.ingest, ...OPERATIONS.query])!
  if (!isQueryJob({ operation })) {
    return checkTarget(ctx, {
      object: name,
      operation: operation as IngestOperation,
      externalId: info.get('externalIdFieldName'),
      assignmentRuleId: info.get('assignmentRuleId'),
    })
  }
  const object = ctx.visible.object(name)
  if (object === undefined) throw unsupportedObject(name)
  return { object: object.name, operation, externalIdField: null, assignmentRuleId: null }
}

/** Creates a job. (docs/reference/api/bulk-jobs.md#version-1) */
export async function createClassic(ctx: Context, call: Call): Promise<Reply> {
  const info = await readJobInfo(ctx, call)
  const target = readTarget(ctx, info)
  const mode = readOneOf(info, 'concurrencyMode', MODES)
  const job = await createJob(ctx, {
    kind: 'classic',
    ...target,
    contentType: readContentType(info),
    isSerial: mode === 'Serial' || mode === '1',
    columnDelimiter: 'COMMA',
    lineEnding: 'LF',
    query: null,
    state: 'Open',
  })
  await sweepSometimes(ctx)
  return jobReply(ctx, job, wantsJson(call.headers), 201)
}

export async function showClassic(ctx: Context, call: Call, id: string): Promise<Reply> {
  const job = await findClassic(ctx, id)
  return jobReply(ctx, job, wantsJson(call.headers) || job.contentType === 'JSON')
}

async function close(ctx: Context, job: Job): Promise<Job> {
  if (job.state !== 'Open') throw wrongState(`The job is ${job.state}; only an Open job can be closed.`)
  return setState(ctx, job, 'Closed', timeOf(ctx))
}

/** Aborts a job with its batches that are not over; what these have written stays. */
async function abort(ctx: Context, job: Job): Promise<Job> {
  const { queued, inProgress } = await loadCounts(ctx, job)
  const isOver = job.state === 'Aborted' || (job.state === 'Closed' && queued + inProgress === 0)
  if (isOver) throw wrongState('Aborting already Completed Job not allowed')
  const aborted = await setState(ctx, job, 'Aborted', timeOf(ctx))
  const ended = await ctx.db.query(jobSql.abortBatches(ctx.org, job.id, timeOf(ctx)))
  await queueNext(ctx.db, ctx.org, ctx.bulk.queue, ended.length)
  return aborted
}

/** Closes or aborts a job. (docs/reference/api/bulk-jobs.md#version-1) */
export async function changeClassic(ctx: Context, call: Call, id: string): Promise<Reply> {
  const info = await readJobInfo(ctx, call)
  required(info, 'state')
  const state = readOneOf(info, 'state', ['Closed', 'Aborted'])
  await findClassic(ctx, id)
  await ctx.bulk.openQueue()
  const changed = await ctx.db.transaction(async (db) => {
    const inside = { ...ctx, db }
    const job = await findClassic(inside, id, true)
    return state === 'Closed' ? close(inside, job) : abort(inside, job)
  })
  return jobReply(ctx, changed, wantsJson(call.headers))
}
