import { type Handler, route } from '../../calls/route.ts'
import { changeJob, deleteJob } from '../jobs/change-job.ts'
import { describeJob } from '../jobs/job.ts'
import { findJob, sweepSometimes } from '../jobs/job-store.ts'
import { listReply } from '../jobs/list-reply.ts'
import { createQuery } from './create-query.ts'
import { pageReply, parallelPagesReply } from './result-page.ts'

type OfJob = Handler<{ id: string }>

const create: Handler<object> = async (ctx, call) => {
  const job = await createQuery(ctx, call)
  await sweepSometimes(ctx)
  return { status: 200, body: describeJob(job, ctx.version) }
}

const show: OfJob = async (ctx, _call, { id }) => ({
  status: 200,
  body: describeJob(await findJob(ctx, 'query', id), ctx.version),
})

const results: OfJob = async (ctx, call, { id }) => pageReply(ctx, call, await findJob(ctx, 'query', id))

const pages: OfJob = async (ctx, call, { id }) =>
  parallelPagesReply(ctx, call, await findJob(ctx, 'query', id))

/** Versions that brought them. */
export const QUERY_SINCE = 47
const PARALLEL_SINCE = 58

/** Jobs that write the result of a query into a file. (docs/reference/api/bulk-jobs.md#query-jobs) */
export const queryJobRoutes = [
  route('POST', '/jobs/query', 'bulk', create, QUERY_SINCE),
  route('GET', '/jobs/query', 'bulk', (ctx, call) => listReply(ctx, call, 'query'), QUERY_SINCE),
  route('GET', '/jobs/query/:id', 'bulk', show, QUERY_SINCE),
  route(
    'PATCH',
    '/jobs/query/:id',
    'bulk',
    (ctx, call, { id }) => changeJob(ctx, call, 'query', id),
    QUERY_SINCE,
  ),
  route(
    'DELETE',
    '/jobs/query/:id',
    'bulk',
    (ctx, _call, { id }) => deleteJob(ctx, 'query', id),
    QUERY_SINCE,
  ),
  route('GET', '/jobs/query/:id/results', 'bulk', results, QUERY_SINCE),
  route('GET', '/jobs/query/:id/resultPages', 'bulk', pages, PARALLEL_SINCE),
]
