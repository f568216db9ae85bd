import { Worker } from 'node:worker_threads'
import { EngineStopped, markDatabaseError } from '../database/pg-error.ts'
import type { FromThread, ThreadData, ToThread } from './messages.ts'
import { readThrown } from './thrown-text.ts'

type Done = Extract<FromThread, { kind: 'done' }>

interface Pending {
  resolve(done: Done): void
  reject(error: Error): void
}

const ENTRY = new URL(
  import.meta.filename.endsWith('.js') ? './engine-thread.js' : './engine-thread.ts',
  import.meta.url,
)

/**
 * The server's side of the thread that runs the embedded PostgreSQL: a long statement blocks neither the event loop nor
 * the health endpoints, and one that does not end is ended with its thread.
 */
export class DatabaseThread {
  readonly #worker: Worker
  /** In the order of their requests: the first is being executed, the others wait in the thread. */
  readonly #pending: Pending[] = []
  #busySince: number | undefined
  #over: Error | undefined
  #idle: PromiseWithResolvers<void> | undefined
  /** Settles when the database is open. */
  readonly opened: Promise<unknown>

  constructor(data: ThreadData) {
    this.#worker = new Worker(ENTRY, { workerData: data })
    this.#worker.on('message', (answer: FromThread) => this.#receive(answer))
    this.#worker.on('error', (error) => {
      this.#over ??= new EngineStopped(error)
    })
    this.#worker.on('exit', () => this.#finish())
    this.opened = this.#expect()
    this.opened.catch(() => {})
  }

  /** Why the thread accepts no requests; undefined while it does. */
  get over(): Error | undefined {
    return this.#over
  }

  /** When the current request began, on the clock of `performance.now`; undefined if there is none. */
  get busySince(): number | undefined {
    return this.#busySince
  }

  /** Resolves when there are no requests; undefined if there are none now. */
  get idle(): Promise<void> | undefined {
    if (this.#pending.length === 0) return undefined
    this.#idle ??= Promise.withResolvers()
    return this.#idle.promise
  }

  /** @throws PostgreSQL's error, or the reason why the thread was ended */
  async send(request: ToThread): Promise<Done> {
    if (this.#over !== undefined) throw this.#over
    this.#worker.postMessage(request)
    return this.#expect()
  }

  /** Rejects all pending requests. They are executed all the same. */
  abandon(reason: Error): void {
    for (const { reject } of this.#pending) reject(reason)
  }

  /**
   * Ends the thread immediately, as if its process were killed. Resolves when it is gone and the requests that it had
   * completed are answered.
   * @param reason the error of the other pending requests
   */
  async end(reason: Error): Promise<void> {
    this.#over ??= reason
    // The process must stay alive until then.
    this.#worker.ref()
    await this.#worker.terminate()
  }

  #expect(): Promise<Done> {
    const { promise, resolve, reject } = Promise.withResolvers<Done>()
    this.#pending.push({ resolve, reject })
    if (this.#pending.length === 1) {
      this.#busySince = performance.now()
      this.#worker.ref()
    }
    return promise
  }

  #receive(answer: FromThread): void {
    const pending = this.#pending.shift()
    if (this.#pending.length === 0) this.#rest()
    else this.#busySince = performance.now()
    if (answer.kind === 'done') {
      pending?.resolve(answer)
      return
    }
    const error = markDatabaseError(readThrown(answer.error))
    const reason = answer.isBroken ? new EngineStopped(error) : error
    pending?.reject(reason)
    if (answer.isBroken) void this.end(reason)
  }

  /** Lets the process end if there are no pending requests. */
  #rest(): void {
    this.#busySince = undefined
    this.#worker.unref()
    this.#idle?.resolve()
    this.#idle = undefined
  }

  #finish(): void {
    this.#over ??= new EngineStopped()
    for (const { reject } of this.#pending.splice(0)) reject(this.#over)
    this.#rest()
  }
}
