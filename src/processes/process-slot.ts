import cluster, { type Worker } from 'node:cluster'
import type { Assignment, FromProcess, ToProcess } from './group-messages.ts'
import { returnUntaken } from './return-untaken.ts'

/** Delay before a process that served is started again; doubled for each start that has failed since. */
const FIRST_DELAY_MS = 100

/** Number of starts in a row that fail before all is ended. */
const MAX_FAILED_STARTS = 5

/** How long the start of a process may take when the database is prepared. */
const MAX_START_MS = 60_000

/** Name of the variable by which a process knows that it is one of several. */
export const PROCESS_VARIABLE = 'OBJECTRY_PROCESS'

interface Options {
  readonly number: number
  readonly assign: (number: number) => Assignment
  readonly onMessage: (slot: ProcessSlot, message: FromProcess) => void
  /** It is about to listen. */
  readonly onListen: () => void
  /** It has ended and is started again. */
  readonly onEnd: (slot: ProcessSlot) => void
  /** True if other processes serve. */
  readonly hasOthers: () => boolean
  /** It cannot be started. */
  readonly onGiveUp: (reason: string) => void
  readonly report: (message: string) => void
}

/** How a process ended that was to stop. */
type Ending = 'finished' | 'cancelled'

function describeEnd(code: number | null, signal: string | null): string {
  return signal === null ? `ended with code ${code}` : `was ended by ${signal}`
}

/** One of the server processes. When it ends it is started again. */
export class ProcessSlot {
  readonly #options: Options
  #worker: Worker | undefined
  #isServing = false
  #failedStarts = 0
  #failure: string | undefined
  #timer: NodeJS.Timeout | undefined
  #startTimer: NodeJS.Timeout | undefined
  #stopping: { readonly wasServing: boolean; readonly resolve: (ending: Ending) => void } | undefined

  constructor(options: Options) {
    this.#options = options
  }

  get number(): number {
    return this.#options.number
  }

  get isServing(): boolean {
    return this.#isServing
  }

  /** False from the moment at which it is disconnected, which is before its end is noticed. */
  get takesConnections(): boolean {
    return this.#isServing && this.#worker?.isConnected() === true
  }

  start(): void {
    const { number, assign, onMessage, onListen, hasOthers } = this.#options
    const assignment = assign(number)
    const worker = cluster.fork({ [PROCESS_VARIABLE]: String(number) })
    this.#worker = worker
    this.#failure = undefined
    // Sending to a process that is ending fails; its end is handled below.
    worker.on('error', () => {})
    worker.on('message', (message: FromProcess) => {
      // It has ended, and this was still on its way.
      if (worker !== this.#worker) return
      if (message.kind === 'serving') this.#beginServing()
      else if (message.kind === 'failed') this.#failure = message.message
      onMessage(this, message)
    })
    // Unlike `exit`, this comes after its last message, which may say why it could not start.
    worker.process.once('close', (code, signal) => this.#end(code, signal))
    returnUntaken(worker, hasOthers)
    // Before Node listens for it, which happens with this message.
    worker.process.prependListener('internalMessage', ({ act }: { readonly act?: string }) => {
      if (act === 'queryServer') onListen()
    })
    this.send({ kind: 'start', assignment })
    if (assignment.isPrepared) {
      this.#startTimer = setTimeout(() => {
        this.#failure = `It took longer than ${MAX_START_MS / 1000} s.`
        this.kill()
      }, MAX_START_MS)
    }
  }

  send(message: ToProcess): void {
    if (this.#worker?.isConnected()) this.#worker.send(message, () => {})
  }

  kill(): void {
    this.#worker?.process.kill('SIGKILL')
  }

  /** Asks the process to end, and starts no other one. */
  stop(): Promise<Ending> {
    clearTimeout(this.#timer)
    if (this.#worker === undefined) return Promise.resolve('finished')
    this.send({ kind: 'stop' })
    const wasServing = this.#isServing
    return new Promise((resolve) => {
      this.#stopping = { wasServing, resolve }
    })
  }

  #beginServing(): void {
    clearTimeout(this.#startTimer)
    this.#isServing = true
    this.#failedStarts = 0
  }

  #end(code: number | null, signal: string | null): void {
    const { number, onEnd, onGiveUp, report } = this.#options
    const wasServing = this.#isServing
    const pid = this.#worker?.process.pid
    clearTimeout(this.#startTimer)
    this.#worker = undefined
    this.#isServing = false
    if (this.#stopping !== undefined) {
      this.#stopping.resolve(this.#stopping.wasServing && code !== 0 ? 'cancelled' : 'finished')
      return
    }
    onEnd(this)
    const end = describeEnd(code, signal)
    if (!wasServing && ++this.#failedStarts === MAX_FAILED_STARTS) {
      onGiveUp(
        `Process ${number} did not start ${MAX_FAILED_STARTS} times in a row. The last one ${end}. ${this.#failure ?? ''}`.trim(),
      )
      return
    }
    const what = `Process ${number} (${pid}) ${end}${wasServing ? '' : ' before it served'}.`
    const delayMs = FIRST_DELAY_MS * 2 ** this.#failedStarts
    const again = `It is started again in ${delayMs / 1000} s.`
    report([what, again, this.#failure].filter((part) => part !== undefined).join(' '))
    this.#timer = setTimeout(() => this.start(), delayMs)
  }
}
