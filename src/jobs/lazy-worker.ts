import type { Observe } from '../base/observation.ts'
import type { Db } from '../storage/database/db.ts'
import type { Org } from '../storage/orgs/org.ts'
import type { JobQueue } from './job-queue.ts'
import type { CarryOut } from './queue-worker.ts'

/** Interval of looking for work that another process has left, before this one has used the queue, in milliseconds. */
const CHECK_MS = 30_000

interface Options {
  readonly queue: JobQueue
  /** Of the queue, and its work in messages: `Bulk jobs`. */
  readonly name: string
  readonly title: string
  /** Maximum number of concurrent jobs in this process. */
  readonly max: number
  readonly carryOut: CarryOut
  readonly observe: Observe
}

/**
 * Works on one queue in this process. The queue is opened when it is first needed: a server whose orgs have no such work pays
 * nothing for it.
 */
export class LazyWorker {
  readonly #options: Options
  #opening: Promise<void> | undefined
  #checkTimer: NodeJS.Timeout | undefined
  #isStopping = false

  constructor(options: Options) {
    this.#options = options
  }

  get isStopping(): boolean {
    return this.#isStopping
  }

  /** Takes up work that a process has left. */
  begin(): void {
    const { title, observe } = this.#options
    const check = () =>
      this.#check().catch(({ message }) =>
        observe({ kind: 'notice', message: `${title} will be looked for later: ${message}` }),
      )
    void check()
    this.#checkTimer = setInterval(check, CHECK_MS).unref()
  }

  /** Prepares the queue, and has this process work on it: outside of any transaction, before `send`. */
  open(): Promise<void> {
    this.#opening ??= this.#open().catch((error) => {
      this.#opening = undefined
      throw error
    })
    return this.#opening
  }

  /** Queues work on a record of an org in the transaction of `db`. */
  send(db: Db, org: Org, recordId: string): Promise<void> {
    const { queue, name } = this.#options
    return queue.send(db, name, [{ orgId: org.id, recordId }])
  }

  /** Begins nothing further. The queue waits for what is running. */
  close(): void {
    this.#isStopping = true
    clearInterval(this.#checkTimer)
  }

  async #open(): Promise<void> {
    const { queue, name, max, carryOut } = this.#options
    await queue.open()
    await queue.work(name, { max, giveWay: async () => {} }, carryOut)
    clearInterval(this.#checkTimer)
  }

  async #check(): Promise<void> {
    if ((await this.#options.queue.isThere()) && !this.#isStopping) await this.open()
  }
}
