import { type Clock, secondsText } from '../../base/clock.ts'
import type { JobQueue } from '../../jobs/job-queue.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { WORK_LOGS, workLogSql } from './work-log.sql.ts'

/** How many pieces of work are queued together. */
const LOT = 500

interface Pending {
  readonly id: string
  /** Seconds until it is due; 0: it is. */
  readonly delaySeconds: number
}

/** Queues the work of logs that were written as a whole. */
export interface Requeuing {
  readonly queue: JobQueue
  /** The machine's, which delays go by. */
  readonly clock: Clock
}

/** Call it before the transaction of `queuePending`. A database whose queue was never used has no work. */
export async function openUsedQueue({ queue }: Requeuing): Promise<void> {
  if (await queue.isThere()) await queue.open()
}

/**
 * Queues what the logs of an org say is still to be done, in the transaction of `tx` that wrote them. What was queued for
 * the org before is taken back, so that each piece of work is queued once.
 */
export async function queuePending(tx: Db, { queue, clock }: Requeuing, org: Org): Promise<void> {
  if (!(await queue.isThere(tx))) return
  const now = secondsText(clock())
  for (const log of WORK_LOGS) {
    await queue.takeBack(tx, log, org.id)
    let last: string | undefined = ''
    while (last !== undefined) {
      const some: readonly Pending[] = await tx.query<Pending>(workLogSql.pending(org, log, last, LOT, now))
      const work = some.map(({ id, delaySeconds }) => ({ orgId: org.id, recordId: id, delaySeconds }))
      if (work.length > 0) await queue.send(tx, log, work)
      last = some.length < LOT ? undefined : some.at(-1)?.id
    }
  }
}
