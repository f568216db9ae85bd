import { ApiError } from '../../base/api-error.ts'
import type { Call } from '../../calls/call.ts'
import type { Reply } from '../../calls/reply.ts'
import type { Context } from '../../context.ts'
import { describeJob, type Job, type JobKind } from './job.ts'
import { listJobs } from './job-store.ts'

const PAGE_SIZE = 1000

/** Types that a client may ask for, and the jobs of each; of some there are none. */
const JOB_TYPES: Readonly<Record<JobKind, Readonly<Record<string, readonly Job['kind'][]>>>> = {
  ingest: { BigObjectIngest: [], Classic: ['classic'], V2Ingest: ['ingest'] },
  query: { Classic: ['classic'], V2Ingest: [], V2Query: ['query'] },
}

function readLocator(text: string | null): string {
  if (text === null) return ''
  const id = Buffer.from(text, 'base64url').toString('latin1')
  if (/^[A-Za-z0-9]{18}$/.test(id)) return id
  throw new ApiError('INVALID_QUERY_LOCATOR', 'invalid query locator')
}

/** A page of the jobs that the caller may see. (docs/reference/api/bulk-jobs.md#lists) */
export async function listReply(ctx: Context, { query }: Call, kind: JobKind): Promise<Reply> {
  const types = JOB_TYPES[kind]
  const all = Object.keys(types)
  const requested = query.get('jobType')
  const type =
    requested === null ? undefined : all.find((one) => one.toLowerCase() === requested.toLowerCase())
  if (requested !== null && type === undefined) {
    throw new ApiError('INVALIDJOB', `There is no jobType ${requested.slice(0, 255)}; use ${all.join(', ')}`)
  }
  const after = readLocator(query.get('queryLocator'))
  const found = await listJobs(
    ctx,
    type === undefined ? [kind, 'classic'] : types[type]!,
    after,
    PAGE_SIZE + 1,
  )
  const page = found.slice(0, PAGE_SIZE)
  const done = found.length <= PAGE_SIZE
  const locator = done ? '' : Buffer.from(page.at(-1)!.id).toString('base64url')
  const nextRecordsUrl = done
    ? null
    : `${ctx.version.path}/jobs/${kind}?${type === undefined ? '' : `jobType=${type}&`}queryLocator=${locator}`
  return {
    status: 200,
    body: { done, records: page.map((job) => describeJob(job, ctx.version)), nextRecordsUrl },
  }
}
