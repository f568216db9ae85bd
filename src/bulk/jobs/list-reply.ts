import { ApiError } from '../../base/api-error.ts'
import type { Call } from '../../calls/call.ts'
import type { Reply } from '../../calls/reply.ts'
import type { Context } from '../../context.ts'
import { describeJob, type JobKind } from './job.ts'
import { listJobs } from './job-store.ts'

const PAGE_SIZE = 1000

/** Types that a client may ask for; only one of them is of jobs that there are. */
const JOB_TYPES = {
  ingest: { own: 'V2Ingest', all: ['BigObjectIngest', 'Classic', 'V2Ingest'] },
  query: { own: 'V2Query', all: ['Classic', 'V2Ingest', 'V2Query'] },
} as const

function readLocator(text: string | null): string {
  if (text === null) return ''
  const id = Buffer.from(text, 'base64url').toString('latin1')
  if (/^[A-Za-z0-9]{18}$/.test(id)) return id
  throw new ApiError('INVALID_QUERY_LOCATOR', 'invalid query locator')
}

/** A page of the jobs that the caller may see. (docs/reference/api/bulk-jobs.md#lists) */
export async function listReply(ctx: Context, { query }: Call, kind: JobKind): Promise<Reply> {
  const { own, all } = JOB_TYPES[kind]
  const requested = query.get('jobType')
  const type = requested === null ? own : all.find((one) => one.toLowerCase() === requested.toLowerCase())
  if (type === undefined) {
    throw new ApiError('INVALIDJOB', `There is no jobType ${requested!.slice(0, 255)}; use ${all.join(', ')}`)
  }
  const after = readLocator(query.get('queryLocator'))
  const found = type === own ? await listJobs(ctx, kind, after, PAGE_SIZE + 1) : []
  const page = found.slice(0, PAGE_SIZE)
  const done = found.length <= PAGE_SIZE
  const locator = done ? '' : Buffer.from(page.at(-1)!.id).toString('base64url')
  const nextRecordsUrl = done ? null : `${ctx.version.path}/jobs/${kind}?queryLocator=${locator}`
  return {
    status: 200,
    body: { done, records: page.map((job) => describeJob(job, ctx.version)), nextRecordsUrl },
  }
}
