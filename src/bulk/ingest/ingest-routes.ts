import { ApiError } from '../../base/api-error.ts'
import type { Handler } from '../../calls/route.ts'
import { route } from '../../calls/route.ts'
import { changeJob, closeJob, deleteJob } from '../jobs/change-job.ts'
import { describeJob } from '../jobs/job.ts'
import { findJob, hideJob, sweepSometimes } from '../jobs/job-store.ts'
import { listReply } from '../jobs/list-reply.ts'
import { UPLOAD_PATH } from '../jobs/step-route.ts'
import { createIngest, readContent } from './create-ingest.ts'
import { receiveRows } from './receive-rows.ts'
import { readResults, readUnprocessed } from './results.ts'

type OfJob = Handler<{ id: string }>

/** Types of rows; some clients send bytes of no type. */
const ROW_TYPE = /^(?:text\/csv|application\/octet-stream)\b/i

const create: Handler<object> = async (ctx, call) => {
  const content = readContent(call)
  const job = await createIngest(ctx, call)
  await sweepSometimes(ctx)
  await ctx.bulk.open()
  if (content === undefined) return { status: 200, body: describeJob(job, ctx.version) }
  try {
    await receiveRows(ctx, job, [content])
  } catch (error) {
    await hideJob(ctx.db, ctx.org, job.id)
    throw error
  }
  const closed = await ctx.db.transaction(async (db) => {
    const inside = { ...ctx, db }
    return closeJob(inside, await findJob(inside, 'ingest', job.id, true))
  })
  return { status: 200, body: describeJob(closed, ctx.version) }
}

const upload: OfJob = async (ctx, { headers, bytes }, { id }) => {
  const type = headers['content-type']
  if (type !== undefined && !ROW_TYPE.test(type)) {
    throw new ApiError(
      'UNSUPPORTED_MEDIA_TYPE',
      `Content type ${type.slice(0, 255)} is not supported; send text/csv`,
    )
  }
  const job = await findJob(ctx, 'ingest', id)
  await receiveRows(ctx, job, bytes ?? [])
  return { status: 201 }
}

const show: OfJob = async (ctx, _call, { id }) => ({
  status: 200,
  body: describeJob(await findJob(ctx, 'ingest', id), ctx.version),
})

const results =
  (part: 'successful' | 'failed'): OfJob =>
  async (ctx, _call, { id }) =>
    readResults(ctx, await findJob(ctx, 'ingest', id), part)

/** Version that brought them. */
export const INGEST_SINCE = 41

/** Jobs that write the rows of a file. (docs/reference/api/bulk-jobs.md#ingest-jobs) */
export const ingestRoutes = [
  route('POST', '/jobs/ingest', 'bulk', create, INGEST_SINCE),
  route('GET', '/jobs/ingest', 'bulk', (ctx, call) => listReply(ctx, call, 'ingest'), INGEST_SINCE),
  route('GET', '/jobs/ingest/:id', 'bulk', show, INGEST_SINCE),
  route(
    'PATCH',
    '/jobs/ingest/:id',
    'bulk',
    (ctx, call, { id }) => changeJob(ctx, call, 'ingest', id),
    INGEST_SINCE,
  ),
  route(
    'DELETE',
    '/jobs/ingest/:id',
    'bulk',
    (ctx, _call, { id }) => deleteJob(ctx, 'ingest', id),
    INGEST_SINCE,
  ),
  route('PUT', UPLOAD_PATH, 'bulk', upload, INGEST_SINCE),
  route('GET', '/jobs/ingest/:id/successfulResults', 'bulk', results('successful'), INGEST_SINCE),
  route('GET', '/jobs/ingest/:id/failedResults', 'bulk', results('failed'), INGEST_SINCE),
  route(
    'GET',
    '/jobs/ingest/:id/unprocessedrecords',
    'bulk',
    async (ctx, _call, { id }) => readUnprocessed(ctx, await findJob(ctx, 'ingest', id)),
    INGEST_SINCE,
  ),
]
