import { spareMemory } from '../../base/spare-memory.ts'
import type { Config } from '../../config/config.ts'
import type { Context } from '../../context.ts'
import type { JobQueue } from '../../jobs/job-queue.ts'
import { LazyWorker } from '../../jobs/lazy-worker.ts'
import type { Work } from '../../jobs/queue-worker.ts'
import type { Engine } from '../../storage/database/db.ts'
import { faultError } from '../../storage/database/fault-error.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { OrgHosts } from '../../storage/orgs/org-hosts.ts'
import { IngestRun } from '../ingest/run-ingest.ts'
import { jobSql } from '../jobs/job.sql.ts'
import type { Job } from '../jobs/job.ts'
import { beginJob, sweepJobs } from '../jobs/job-store.ts'
import { failJob, type RunServices, timeIn } from '../jobs/run.ts'
import { loadOrgsWithJobs } from '../jobs/tables.ts'
import { QueryRun } from '../query/run-query.ts'

/** The queue of bulk jobs. */
export const BULK_QUEUE = 'bulk'

/** How long a job is processed before others get a turn, in milliseconds. */
const TURN_MS = 60_000

/** Jobs at once in a process; at least two, so that a small one passes a large one. */
const MAX_AT_ONCE = 4
const MIN_AT_ONCE = 2

/** Failures of a run that no row is to blame for, after which the job fails. */
const MAX_RETRIES = 10

/** Interval of sweeps. */
const SWEEP_MS = 3_600_000

interface Options extends Omit<RunServices, 'queueJob'> {
  readonly queue: JobQueue
  readonly openMaintenance: Engine['openMaintenance']
  readonly hosts: Pick<OrgHosts, 'find'>
  readonly config: Pick<Config, 'poolSize'>
}

/** Processes bulk jobs in this process. */
export class BulkWork {
  readonly #options: Options
  readonly #services: RunServices
  readonly #worker: LazyWorker
  #sweepTimer: NodeJS.Timeout | undefined
  #running = 0

  constructor(options: Options) {
    this.#options = options
    this.#services = { ...options, queueJob: (db, org, id) => this.queue(db, org, id) }
    const { queue, observe, config } = options
    this.#worker = new LazyWorker({
      ...{ queue, observe },
      name: BULK_QUEUE,
      title: 'Bulk jobs',
      max: Math.max(MIN_AT_ONCE, Math.min(MAX_AT_ONCE, Math.floor(config.poolSize / 4))),
      carryOut: (work) => this.#carryOut(work),
    })
  }

  /** Takes up jobs that a process has left, and removes old ones from time to time. */
  begin(): void {
    this.#worker.begin()
    this.#sweepTimer = setInterval(() => void this.#sweep(), SWEEP_MS).unref()
  }

  readonly open: Context['bulk']['open'] = () => this.#worker.open()

  readonly openQueue: Context['bulk']['openQueue'] = () => this.#options.queue.open()

  readonly queue: Context['bulk']['queue'] = (db, org, jobId) => this.#worker.send(db, org, jobId)

  /** Begins no further chunk. The queue waits for the running ones. */
  async close(): Promise<void> {
    this.#worker.close()
    clearInterval(this.#sweepTimer)
  }

  async #carryOut({ orgId, recordId }: Work): Promise<void> {
    const { db, hosts, openMaintenance } = this.#options
    const org = await hosts.find(orgId)
    if (org === undefined) return
    const job = await beginJob(db, org, recordId, timeIn(this.#services, org))
    if (job === undefined) return
    const until = performance.now() + TURN_MS
    const mustPause = () => this.#worker.isStopping || performance.now() > until
    const endSparing = spareMemory()
    this.#count(1)
    try {
      const end = await (job.kind === 'ingest'
        ? new IngestRun(this.#services, org, job).run(mustPause)
        : new QueryRun({ ...this.#services, openMaintenance }, org, job).run(() => this.#worker.isStopping))
      if (end === 'more') await this.queue(db, org, job.id)
    } catch (error) {
      await this.#noteFailure(org, job, error as Error)
    } finally {
      endSparing()
      this.#count(-1)
    }
  }

  /** The queue tries again later. A failure that the database is not to blame for lets the job fail in the end. */
  async #noteFailure(org: Org, job: Job, error: Error): Promise<void> {
    if (faultError(error) !== undefined) throw error
    const [noted] = await this.#options.db.query<{ retries: number }>(jobSql.noteRetry(org, job.id))
    if (noted === undefined || noted.retries <= MAX_RETRIES) throw error
    await failJob(this.#services, org, job, `Unknown : ${error.message}`)
  }

  async #sweep(): Promise<void> {
    const { db } = this.#options
    try {
      for (const org of await loadOrgsWithJobs(db)) {
        if (this.#worker.isStopping) return
        await sweepJobs(db, org, timeIn(this.#services, org))
      }
    } catch (error) {
      this.#report(`Old bulk jobs will be removed later: ${(error as Error).message}`)
    }
  }

  #count(change: number): void {
    this.#running += change
    this.#options.observe({ kind: 'bulk jobs', running: this.#running })
  }

  #report(message: string): void {
    this.#options.observe({ kind: 'notice', message })
  }
}
