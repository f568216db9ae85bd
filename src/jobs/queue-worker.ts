import type { Job, PgBoss } from 'pg-boss'

/** One job: the record that it concerns, and its org. */
export interface Work {
  readonly orgId: string
  readonly recordId: string
}

/** Handles a job. If it throws, the job is retried later. */
export type CarryOut = (work: Work) => Promise<void>

/** How this process works on a queue. */
export interface Working {
  /** Maximum number of concurrent jobs. */
  readonly max: number
  /** Waits while more urgent work is running. */
  readonly giveWay: () => Promise<void>
}

interface Options extends Working {
  readonly boss: PgBoss
  readonly queue: string
  readonly carryOut: CarryOut
  readonly report: (message: string) => void
  /** Interval of looking for work that other processes queued, in milliseconds. */
  readonly polling: number
  /** Interval of heartbeats for running jobs, in milliseconds. */
  readonly heartbeat: number
}

type Claimed = Pick<Job<Work>, 'id' | 'retryCount' | 'data'>

/**
 * Works on a queue in this process. A long job occupies its own slot and delays no other; completed jobs are reported to the
 * queue in batches.
 */
export class QueueWorker {
  readonly #options: Options
  readonly #running = new Map<string, Claimed>()
  readonly #done: Claimed[] = []
  readonly #heartbeatTimer: NodeJS.Timeout
  readonly #ended: Promise<void>
  #settling: Promise<void> | undefined
  #isStopping = false
  /** Set when something happened that may give it more to do. */
  #isWoken = false
  #wake = () => {}

  constructor(options: Options) {
    this.#options = options
    this.#heartbeatTimer = setInterval(() => void this.#beat(), options.heartbeat).unref()
    this.#ended = this.#run()
  }

  /** Reports that there is new work. */
  notify(): void {
    this.#isWoken = true
    this.#wake()
  }

  /** Starts no further jobs, and waits for the running ones. */
  async stop(timeoutMs: number): Promise<void> {
    this.#isStopping = true
    this.#wake()
    const deadline = Date.now() + timeoutMs
    while (this.#running.size > 0 && Date.now() < deadline) await this.#sleep(20)
    await this.#ended
    clearInterval(this.#heartbeatTimer)
    await this.#settling
  }

  async #run(): Promise<void> {
    const { max, polling } = this.#options
    // Calls that waited for the server to start come first.
    await this.#sleep(polling)
    while (!this.#isStopping) {
      this.#isWoken = false
      const free = max - this.#running.size
      // Fetching for each free slot separately would cost as much as the jobs.
      const found = free * 2 >= max ? await this.#fetch(free) : 0
      const isFull = free > 0 && found === free
      if (!this.#isWoken && !(isFull && found * 2 < max)) await this.#sleep(polling)
    }
  }

  async #sleep(milliseconds: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, milliseconds).unref()
    this.#wake = resolve
    await promise
    clearTimeout(timer)
  }

  async #fetch(count: number): Promise<number> {
    const { boss, queue, report, giveWay } = this.#options
    await giveWay()
    try {
      const jobs = await boss.fetch<Work>(queue, { batchSize: count })
      for (const job of jobs) void this.#begin(job)
      return jobs.length
    } catch (error) {
      report(`The job queue: ${(error as Error).message}`)
      return 0
    }
  }

  async #begin(job: Claimed): Promise<void> {
    const { boss, queue, carryOut, report } = this.#options
    this.#running.set(job.id, job)
    try {
      await carryOut(job.data)
      this.#done.push(job)
      this.#settling ??= this.#settle()
    } catch (error) {
      const { message } = error as Error
      report(`Work on ${job.data.recordId} failed and will be retried: ${message}`)
      await boss.fail(queue, job, { message }).catch(() => {})
    } finally {
      this.#running.delete(job.id)
      this.notify()
    }
  }

  /** A job that cannot be reported is retried once its heartbeats stop; its handler then finds it done. */
  async #settle(): Promise<void> {
    const { boss, queue, report } = this.#options
    while (this.#done.length > 0) {
      await boss
        .complete(queue, this.#done.splice(0))
        .catch((error) => report(`The job queue: ${error.message}`))
    }
    this.#settling = undefined
  }

  async #beat(): Promise<void> {
    const { boss, queue } = this.#options
    if (this.#running.size > 0) await boss.touch(queue, [...this.#running.values()]).catch(() => {})
  }
}
