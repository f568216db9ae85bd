import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../base/clock.ts'
import type { Config } from '../config/config.ts'
import type { JobQueue, Schedule } from '../jobs/job-queue.ts'
import type { Working } from '../jobs/queue-worker.ts'
import { JOB_LOG } from '../scripting/jobs/enqueue-job.ts'
import { queueOccurrence } from '../scripting/jobs/queue-occurrence.ts'
import { jobHandler } from '../scripting/jobs/run-job.ts'
import { attempt, type ContextFor } from '../scripting/work/runner.ts'
import type { WorkContext } from '../scripting/work/work.ts'
import type { Db } from '../storage/database/db.ts'
import type { OrgHosts } from '../storage/orgs/org-hosts.ts'
import type { DeployedCode } from './deployed-code.ts'
import { DELIVERY_LOG, type DeliveryLog } from './webhooks/delivery-log.ts'
import { deliveryHandler } from './webhooks/process-delivery.ts'

/** Maximum concurrent work of a kind. */
const MAX_AT_ONCE = 8

/** Maximum time that work waits for pending deliveries, and the interval of checks. */
const MAX_YIELD_MS = 200
const PAUSE = 5

/** Both kinds of work together may hold half of the connections, so that requests always find one. */
const getConcurrency = (poolSize: number) => Math.max(1, Math.min(MAX_AT_ONCE, Math.floor(poolSize / 4)))

interface Options {
  readonly db: Db
  readonly queue: JobQueue
  readonly clock: Clock
  readonly hosts: OrgHosts
  readonly contextFor: ContextFor
  readonly config: Pick<Config, 'poolSize'>
  readonly deliveries: DeliveryLog
  readonly code: { readonly current: DeployedCode | undefined }
}

/** Lets pending deliveries go first, because their senders wait for a response. */
async function yieldTo(deliveries: DeliveryLog): Promise<void> {
  const latest = Date.now() + MAX_YIELD_MS
  while (deliveries.isBusy && Date.now() < latest) await sleep(PAUSE)
}

/** Runs the background work of a deployment: deliveries, jobs and schedules. */
export class BackgroundWork {
  readonly #options: Options
  #working: Promise<void> | undefined

  constructor(options: Options) {
    this.#options = options
  }

  /** Starts the workers if the code has background work, and updates the schedules. */
  async follow(code: DeployedCode | undefined): Promise<void> {
    // Running workers continue: without jobs, their schedules must be removed.
    if (!code?.hasWork && this.#working === undefined) return
    this.#working ??= this.#begin()
    await this.#working
    const schedules = (code?.jobs.all ?? [])
      .filter(({ cron }) => cron !== undefined)
      .map(({ name, cron, timeZone }): Schedule => ({ name, cron: cron!, timeZone }))
    await this.#options.queue.keepTime(schedules, (name, occurrence) =>
      queueOccurrence(this.#options, this.#options.code.current?.jobs.named(name), occurrence),
    )
  }

  async #begin(): Promise<void> {
    const { queue, clock, hosts, contextFor, code, db, config, deliveries: deliveryLog } = this.#options
    const working: Working = { max: getConcurrency(config.poolSize), giveWay: () => yieldTo(deliveryLog) }
    const makeWorkContext = (log: WorkContext['log']): WorkContext => ({ db, queue, clock, hosts, log })
    const pool = () => code.current!.workers
    const deliveries = deliveryHandler({
      ...{ jobStore: makeWorkContext(DELIVERY_LOG), contextFor, pool },
      receiver: (name) => code.current?.resources.named(name),
    })
    const jobs = jobHandler({
      ...{ jobStore: makeWorkContext(JOB_LOG), contextFor, pool },
      job: (name) => code.current?.jobs.named(name),
    })
    await queue.open()
    await queue.work(DELIVERY_LOG, working, (work) =>
      attempt(makeWorkContext(DELIVERY_LOG), deliveries, work),
    )
    await queue.work(JOB_LOG, working, (work) => attempt(makeWorkContext(JOB_LOG), jobs, work))
  }
}
