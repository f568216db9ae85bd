import type { Job, PgBoss } from 'pg-boss'
import type { Work } from './work.ts'

/** What is done with a piece of work. Whatever it throws, it is begun again later. */
export type CarryOut = (work: Work) => Promise<void>

/** How a queue is worked on by this process. */
export interface Working {
  /** Most pieces of work at once. */
  readonly max: number
  /** Waits while there is something more urgent. */
  readonly giveWay: () => Promise<void>
}

interface Options extends Working {
  readonly boss: PgBoss
  readonly queue: string
  readonly carryOut: CarryOut
  readonly report: (message: string) => void
  /** Milliseconds between looks for work that others queued. */
  readonly polling: number
  /** Milliseconds between signs of life for what is under way. */
  readonly heartbeat: number
}

type Claimed = Pick<Job<Work>, 'id' | 'retryCount' | 'data'>

/**
 * Works on a queue in this process. A piece that takes long holds up its own place and no other; what is done is told to
 * the queue in lots.
 */
export class QueueWorker {
  readonly #options: Options
  readonly #running = new Map<string, Claimed>()
  readonly #done: Claimed[] = []
  readonly #pulse: NodeJS.Timeout
  readonly #ended: Promise<void>
  #settling: Promise<void> | undefined
  #isStopping = false
  /** Something happened that may give it more to do. */
  #isWoken = false
  #wake = () => {}

  constructor(options: Options) {
    this.#options = options
    this.#pulse = setInterval(() => void this.#beat(), options.heartbeat).unref()
    this.#ended = this.#run()
  }

  /** There is new work. */
  notify(): void {
    this.#isWoken = true
    this.#wake()
  }

  /** Begins nothing more, and waits for what is under way. */
  async stop(patience: number): Promise<void> {
    this.#isStopping = true
    this.#wake()
    const deadline = Date.now() + patience
    while (this.#running.size > 0 && Date.now() < deadline) await this.#sleep(20)
    await this.#ended
    clearInterval(this.#pulse)
    await this.#settling
  }

  async #run(): Promise<void> {
    const { max, polling } = this.#options
    // Whoever waited for the server to start comes first.
    await this.#sleep(polling)
    while (!this.#isStopping) {
      this.#isWoken = false
      const free = max - this.#running.size
      // A fetch for one place each time would cost as much as the work.
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
      report(`Work on ${job.data.recordId} is begun again later: ${message}`)
      await boss.fail(queue, job, { message }).catch(() => {})
    } finally {
      this.#running.delete(job.id)
      this.notify()
    }
  }

  /** What cannot be told is begun again when nobody gives a sign of life for it: it finds itself done. */
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
