import { ApiError } from '../../base/api-error.ts'
import { type Clock, secondsText } from '../../base/clock.ts'
import type { Context } from '../../context.ts'
import type { JobQueue } from '../../jobs/job-queue.ts'
import type { Db } from '../../storage/database/db.ts'
import { makeTimestamp } from '../../storage/database/timestamp.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { OrgHosts } from '../../storage/orgs/org-hosts.ts'
import { type WorkLog, workLogSql } from './work-log.sql.ts'

/** Maximum length of a stored error. */
const MAX_ERROR_LENGTH = 32_000

/** A permanent failure, which is not retried. */
export class Hopeless extends Error {}

/** Thrown when the work was completed or deleted meanwhile. */
export class NoLongerPending extends ApiError {
  constructor() {
    super('UNABLE_TO_LOCK_ROW', 'The work was done or taken away by somebody else')
  }
}

/** Queues and logs background work. */
export interface JobStore {
  readonly db: Db
  readonly queue: JobQueue
  readonly log: WorkLog
}

/** A job store with the services for running work. */
export interface WorkContext extends JobStore {
  readonly clock: Clock
  readonly hosts: OrgHosts
}

/** Work at the start of an attempt. */
export interface Attempted {
  readonly id: string
  /** Number of earlier attempts. */
  readonly attempts: number
}

/** Locks the work until the transaction ends. @throws NoLongerPending */
export async function claim(inside: Context, log: WorkLog, id: string): Promise<void> {
  const [row] = await inside.db.query(workLogSql.lock(inside.org, log, id))
  if (row === undefined) throw new NoLongerPending()
}

/** Records a failed attempt and queues the next one in one transaction. */
export async function failAttempt(
  { db, queue, log, clock }: WorkContext,
  org: Org,
  { id, attempts }: Attempted,
  error: unknown,
  retries: readonly number[],
): Promise<void> {
  const now = clock()
  const delaySeconds = error instanceof Hopeless ? undefined : retries[attempts]
  const next = delaySeconds === undefined ? null : secondsText(new Date(now.getTime() + delaySeconds * 1000))
  const message = (error instanceof Error ? error.message : String(error))
    .replaceAll('\0', '')
    .slice(0, MAX_ERROR_LENGTH)
  await db.transaction(async (tx) => {
    const failed = workLogSql.failed(org, log, id, attempts, message, makeTimestamp(now), next)
    const [row] = await tx.query(failed)
    if (row === undefined || next === null) return
    await queue.send(tx, log, [
      { orgId: org.id, recordId: id, ...(delaySeconds !== undefined && { delaySeconds }) },
    ])
  })
}
