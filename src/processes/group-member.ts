import cluster from 'node:cluster'
import { ApiError } from '../base/api-error.ts'
import type { Assignment, FromProcess, Serving, ToProcess } from './group-messages.ts'
import { PROCESS_VARIABLE } from './process-slot.ts'

/** How long the primary may take to collect the metrics of all processes. */
const METRICS_TIMEOUT_MS = 5000

/** True if this process is one of several that a primary started. */
export const isGroupMember = () => cluster.isWorker && process.env[PROCESS_VARIABLE] !== undefined

/** If the primary is gone, this process ends as well. */
const send = (message: FromProcess, onSent = () => {}) => process.send!(message, undefined, {}, onSent)

/** This process as one of several server processes. It ends when the primary does. */
export class GroupMember {
  readonly assignment: Assignment
  #isReady = false
  #stop = () => process.exit(0)
  #ownMetrics: (() => Promise<string>) | undefined
  #metrics: PromiseWithResolvers<string> | undefined

  private constructor(assignment: Assignment) {
    this.assignment = assignment
    process.on('message', (message: ToProcess) => this.#receive(message))
  }

  /** Waits for what the primary assigns to this process. */
  static join(): Promise<GroupMember> {
    return new Promise((resolve) => {
      process.once('message', (message: ToProcess) => {
        if (message.kind === 'start') resolve(new GroupMember(message.assignment))
        else process.exit(0)
      })
    })
  }

  /** True if all processes serve. */
  get isReady(): boolean {
    return this.#isReady
  }

  /** True if another process has migrated the database and made the first org. */
  get isPrepared(): boolean {
    return this.assignment.isPrepared
  }

  /** Tells the primary that this process serves. */
  announce(serving: Serving): void {
    send({ kind: 'serving', serving })
  }

  /** Tells the primary why this process cannot start. */
  fail(message: string): Promise<void> {
    return new Promise((resolve) => {
      send({ kind: 'failed', message }, resolve)
    })
  }

  /** @param stop called when all processes are to stop; before, the process ends at once */
  onStop(stop: () => never | Promise<never>): void {
    this.#stop = stop as () => never
  }

  /**
   * @param own the metrics of this process
   * @returns the function that collects those of all processes
   */
  shareMetrics(own: () => Promise<string>): () => Promise<string> {
    this.#ownMetrics = own
    return () => this.#collectMetrics()
  }

  async #collectMetrics(): Promise<string> {
    if (this.#metrics !== undefined) return this.#metrics.promise
    const asked = Promise.withResolvers<string>()
    this.#metrics = asked
    const timer = setTimeout(
      () => asked.reject(new ApiError('SERVER_UNAVAILABLE', 'The metrics could not be collected in time.')),
      METRICS_TIMEOUT_MS,
    )
    send({ kind: 'wantsMetrics' })
    try {
      return await asked.promise
    } finally {
      clearTimeout(timer)
      this.#metrics = undefined
    }
  }

  #receive(message: ToProcess): void {
    switch (message.kind) {
      case 'ready':
        this.#isReady = message.isReady
        return
      case 'count':
        this.#ownMetrics?.().then(
          (text) => send({ kind: 'counted', text }),
          () => {},
        )
        return
      case 'metrics':
        this.#metrics?.resolve(message.text)
        return
      case 'stop':
        this.#stop()
    }
  }
}
