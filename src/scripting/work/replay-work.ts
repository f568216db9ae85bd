import type { Clock } from '../../base/clock.ts'
import type { Db } from '../../storage/database/db.ts'
import { makeTimestamp } from '../../storage/database/timestamp.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { JobStore } from './work.ts'
import { type WorkFilter, workLogSql } from './work-log.sql.ts'

/** How many pieces of work one transaction queues again. */
const LOT = 500

interface Identified {
  readonly id: string
}

/** Result of a replay. */
export interface Replayed {
  readonly replayed: number
  /** Behind which piece of work the rest is; absent: there is none. */
  readonly next?: string
}

/** Which part of what is meant is replayed. */
interface Part {
  /** From behind this piece of work on; empty: from the first one. */
  readonly after: string
  readonly max: number
}

/** Queues work again in the transaction of `tx`. @returns how much of it there is */
async function queueAgain(
  tx: Db,
  { queue, log }: JobStore,
  clock: Clock,
  org: Org,
  ids: readonly string[],
): Promise<number> {
  const again = await tx.query<Identified>(workLogSql.replay(org, log, ids, makeTimestamp(clock())))
  await queue.send(
    tx,
    log,
    again.map(({ id }) => ({ orgId: org.id, recordId: id })),
  )
  return again.length
}

/** Queues one piece of work again. @returns 0 if it does not exist or is being done, else 1 */
export async function replayOne(jobStore: JobStore, clock: Clock, org: Org, id: string): Promise<number> {
  await jobStore.queue.open()
  return jobStore.db.transaction((tx) => queueAgain(tx, jobStore, clock, org, [id]))
}

/**
 * Queues work again, in batches that are queued as a whole or not at all. It goes by the order of ids, so that work that
 * fails again meanwhile is not queued twice.
 */
export async function replayWork(
  jobStore: JobStore,
  clock: Clock,
  org: Org,
  filter: WorkFilter,
  { after, max }: Part,
): Promise<Replayed> {
  const { db, queue, log } = jobStore
  await queue.open()
  let [replayed, last] = [0, after]
  while (replayed < max) {
    const wanted = Math.min(LOT, max - replayed)
    const ids = await db.transaction(async (tx) => {
      const chosen = await tx.query<Identified>(workLogSql.choose(org, log, filter, last, wanted))
      const found = chosen.map(({ id }) => id)
      if (found.length > 0) await queueAgain(tx, jobStore, clock, org, found)
      return found
    })
    replayed += ids.length
    last = ids.at(-1) ?? last
    if (ids.length < wanted) return { replayed }
  }
  return { replayed, next: last }
}
