import { ApiError } from '../../base/api-error.ts'
import type { Call } from '../../calls/call.ts'
import { readEnvelope } from '../../calls/envelope.ts'
import { noContent, type Reply } from '../../calls/reply.ts'
import type { Context } from '../../context.ts'
import { describeJob, isOver, type Job, type JobKind, wrongState } from './job.ts'
import { findJob, hideJob, queueNext, setState, timeOf } from './job-store.ts'
import { BULK_LIMITS, loadUsage } from './usage.ts'

/** The state that a client asks for. */
function readState(call: Call, kind: JobKind): 'UploadComplete' | 'Aborted' {
  const envelope = readEnvelope(call, ['state', 'id'])
  const state = envelope.required('state', envelope.text('state'))
  if (state === 'Aborted' || (state === 'UploadComplete' && kind === 'ingest')) return state
  const states = kind === 'ingest' ? 'UploadComplete or Aborted' : 'Aborted'
  throw wrongState(`A job cannot be set to ${state.slice(0, 255)}; use ${states}.`)
}

/** Closes a job, whose rows are processed from now on; in the transaction that has locked it. */
export async function closeJob(ctx: Context, job: Job): Promise<Job> {
  const { db, org } = ctx
  if (job.state !== 'Open') throw wrongState(`The job is ${job.state}; only an Open job can be closed.`)
  if (job.uploadId === null) {
    throw new ApiError(
      'INVALIDJOB',
      `No data was uploaded for job ${job.id}. PUT it to the contentUrl first.`,
    )
  }
  if ((await loadUsage(ctx)).batches >= BULK_LIMITS.batches) {
    throw new ApiError(
      'LIMIT_EXCEEDED',
      `Max batches per rolling 24 hour window has been exceeded: ${BULK_LIMITS.batches}`,
    )
  }
  const closed = await setState(ctx, job, 'UploadComplete', timeOf(ctx))
  await ctx.bulk.queue(db, org, job.id)
  return closed
}

async function abortJob(ctx: Context, job: Job): Promise<Job> {
  if (isOver(job)) throw wrongState('Aborting already Completed Job not allowed')
  const aborted = await setState(ctx, job, 'Aborted', timeOf(ctx))
  if (job.state !== 'Open') await queueNext(ctx.db, ctx.org, ctx.bulk.queue)
  return aborted
}

/** Closes or aborts a job. (docs/reference/api/bulk-jobs.md#close-or-abort) */
export async function changeJob(ctx: Context, call: Call, kind: JobKind, id: string): Promise<Reply> {
  await findJob(ctx, kind, id)
  const state = readState(call, kind)
  // Aborting begins no work: a command does it too, which ends before any work would be done.
  await (state === 'Aborted' ? ctx.bulk.openQueue() : ctx.bulk.open())
  const job = await ctx.db.transaction(async (db) => {
    const inside = { ...ctx, db }
    const found = await findJob(inside, kind, id, true)
    return state === 'Aborted' ? abortJob(inside, found) : closeJob(inside, found)
  })
  if (state === 'Aborted') ctx.observe({ kind: 'bulk end', work: kind, state })
  return { status: 200, body: describeJob(job, ctx.version) }
}

/** Deletes a job with its data and results; the records that it wrote stay. */
export async function deleteJob(ctx: Context, kind: JobKind, id: string): Promise<Reply> {
  await ctx.db.transaction(async (db) => {
    const job = await findJob({ ...ctx, db }, kind, id, true)
    if (job.state === 'Open' || job.state === 'InProgress') {
      throw wrongState(`The job is ${job.state}; abort it before you delete it.`)
    }
    await hideJob(db, ctx.org, job.id)
  })
  return noContent
}
