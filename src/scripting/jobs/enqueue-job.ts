import { ApiError } from '../../base/api-error.ts'
import { secondsText } from '../../base/clock.ts'
import type { EnqueueOptions } from '../../base/enqueue-options.ts'
import type { Background, Context } from '../../context.ts'
import type { JobQueue } from '../../jobs/job-queue.ts'
import { makeTimestamp } from '../../storage/database/timestamp.sql.ts'
import { backgroundJobSql } from './background-jobs.sql.ts'

/** Key prefix of BackgroundJob. */
export const JOB_PREFIX = '0Bj'

/** Name of the job log table and of its queue. */
export const JOB_LOG = 'backgroundjob'

const MAX_PAYLOAD_LENGTH = 131_072
const MAX_DELAY = 365 * 24 * 3600

function readDelay({ delaySeconds = 0 }: EnqueueOptions): number {
  if (typeof delaySeconds === 'number' && delaySeconds >= 0 && delaySeconds <= MAX_DELAY) return delaySeconds
  throw new ApiError('INVALID_INPUT', `delaySeconds must be a number from 0 to ${MAX_DELAY}`)
}

function payloadText(payload: unknown): string {
  const text = JSON.stringify(payload) ?? 'null'
  if (text.length <= MAX_PAYLOAD_LENGTH) return text
  throw new ApiError(
    'STRING_TOO_LONG',
    `The payload of a job is at most ${MAX_PAYLOAD_LENGTH} characters of JSON`,
  )
}

/** Enqueues jobs of the deployment. Their record and queue entry are part of the caller's transaction. */
export function enqueueInto(queue: JobQueue, hasJob: (name: string) => boolean): Background {
  return {
    async enqueue(ctx: Context, name, payload, options) {
      if (!hasJob(name)) {
        throw new ApiError('INVALID_INPUT', `The deployment has no job ${String(name).slice(0, 255)}`)
      }
      const { db, org, principal } = ctx
      const delaySeconds = readDelay(options)
      const now = ctx.clock()
      const id = await ctx.ids.make(JOB_PREFIX, db)
      const run = {
        ...{ id, job: name, payload: payloadText(payload), occurrence: null },
        begins: delaySeconds === 0 ? null : secondsText(new Date(now.getTime() + delaySeconds * 1000)),
        ...{ userId: principal.userId, timestamp: makeTimestamp(now) },
      }
      await db.query(backgroundJobSql.insert(org, run))
      await queue.send(db, JOB_LOG, [{ orgId: org.id, recordId: id, delaySeconds }])
      return id
    },
  }
}
