import { Worker } from 'node:worker_threads'
import { EngineStopped } from '../database/pg-error.ts'
import type { FromThread, ThreadData, ToThread } from './messages.ts'
import { readThrown } from './thrown-text.ts'

type Done = Extract<FromThread, { kind: 'done' }>

interface Pending {
  resolve(done: Done): void
  reject(error: Error): void
}

const ENTRY = new URL(import.meta.filename.endsWith('.js') ? './thread.js' : './thread.ts', import.meta.url)

/**
 * The thread that the embedded PostgreSQL runs in, as the server sees it: a statement that takes long holds neither the
 * event loop nor the health endpoints, and one that does not end is ended with its thread.
 */
export class DatabaseThread {
  readonly #worker: Worker
  /** In the order of their questions: one is being answered, the others wait in the thread. */
  readonly #pending: Pending[] = []
  #busySince: number | undefined
  #over: Error | undefined
  #idle: PromiseWithResolvers<void> | undefined
  /** Settles when the database is open. */
  readonly opened: Promise<unknown>

  constructor(data: ThreadData) {
    this.#worker = new Worker(ENTRY, { workerData: data })
    this.#worker.on('message', (answer: FromThread) => this.#hear(answer))
    this.#worker.on('error', (error) => {
      this.#over ??= new EngineStopped(error)
    })
    this.#worker.on('exit', () => this.#finish())
    this.opened = this.#expect()
    this.opened.catch(() => {})
  }

  /** Why nothing can be asked any more; undefined: it can. */
  get over(): Error | undefined {
    return this.#over
  }

  /** Since when it is at the question that it is at, on the clock of `performance.now`; undefined: it has none. */
  get busySince(): number | undefined {
    return this.#busySince
  }

  /** Resolves when nothing is asked any more; undefined: nothing is. */
  get idle(): Promise<void> | undefined {
    if (this.#pending.length === 0) return undefined
    this.#idle ??= Promise.withResolvers()
    return this.#idle.promise
  }

  /** @throws what PostgreSQL refused, or why the thread was ended */
  async ask(requested: ToThread): Promise<Done> {
    if (this.#over !== undefined) throw this.#over
    this.#worker.postMessage(requested)
    return this.#expect()
  }

  /** Those who wait for answers are told why they get none. What was asked is done all the same. */
  abandon(reason: Error): void {
    for (const { reject } of this.#pending) reject(reason)
  }

  /**
   * Ends the thread at once, as if its process were killed. Resolves when it is gone and those have their answers whose
   * statements were done by then.
   * @param reason what the others are told who wait for answers
   */
  async end(reason: Error): Promise<void> {
    this.#over ??= reason
    // The process must not end before.
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

  #hear(answer: FromThread): void {
    const pending = this.#pending.shift()
    if (this.#pending.length === 0) this.#rest()
    else this.#busySince = performance.now()
    if (answer.kind === 'done') {
      pending?.resolve(answer)
      return
    }
    const error = readThrown(answer.error)
    const reason = answer.isBroken ? new EngineStopped(error) : error
    pending?.reject(reason)
    if (answer.isBroken) void this.end(reason)
  }

  /** The process may end by itself when nobody waits for an answer. */
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
