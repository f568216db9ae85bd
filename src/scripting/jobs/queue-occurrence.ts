import { findAdministrator } from '../../auth/users/users.ts'
import type { Clock } from '../../base/clock.ts'
import type { JobQueue } from '../../jobs/job-queue.ts'
import type { Db } from '../../storage/database/db.ts'
import { makeTimestamp } from '../../storage/database/timestamp.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { loadOrgs } from '../../storage/orgs/orgs.ts'
import { RecordIds } from '../../storage/orgs/record-ids.ts'
import { backgroundJobSql } from './background-jobs.sql.ts'
import { JOB_LOG, JOB_PREFIX } from './enqueue-job.ts'
import type { JobFile } from './job-file.ts'

interface Options {
  readonly db: Db
  readonly queue: JobQueue
  readonly clock: Clock
}

function queueIn({ db, queue, clock }: Options, org: Org, job: JobFile, occurrence: string): Promise<void> {
  return db.transaction(async (tx) => {
    const administrator = await findAdministrator(tx, org)
    if (administrator === undefined) return
    const id = await new RecordIds(org, tx).make(JOB_PREFIX, tx)
    const run = {
      ...{ id, job: job.name, payload: 'null', occurrence, begins: null },
      ...{ userId: administrator.id, timestamp: makeTimestamp(clock()) },
    }
    const [queued] = await tx.query(backgroundJobSql.insert(org, run))
    if (queued !== undefined) await queue.send(tx, JOB_LOG, [{ orgId: org.id, recordId: id }])
  })
}

/**
 * Queues a run of a scheduled job in every org, once for each occurrence, as the org's administrator unless the job
 * has a run-as user.
 * @param job undefined when it was removed from the deployment
 * @throws Error when it failed in some orgs. The others have the run, and a retry queues no second one
 */
export async function queueOccurrence(
  options: Options,
  job: JobFile | undefined,
  occurrence: string,
): Promise<void> {
  if (job === undefined) return
  const failures: string[] = []
  for (const org of await loadOrgs(options.db)) {
    try {
      await queueIn(options, org, job, occurrence)
    } catch (error) {
      failures.push(`${org.name}: ${(error as Error).message}`)
    }
  }
  if (failures.length > 0) throw new Error(`The job ${job.name} is not queued in ${failures.join('; ')}`)
}
