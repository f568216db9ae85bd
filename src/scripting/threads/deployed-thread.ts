import { Worker } from 'node:worker_threads'
import {
  type Arguments,
  type FromThread,
  type LoadedModule,
  type Returned,
  ScriptError,
  ScriptTimeout,
  type ThreadData,
  ThreadEnded,
  type ToThread,
} from './messages.ts'

/** Interval of memory checks of a busy thread. */
const MEMORY_CHECK_MS = 100
/** Time in which a thread with a late call must answer a ping. */
const PING_TIMEOUT_MS = 250
const MEGABYTE = 1024 * 1024

const ENTRY = new URL(
  import.meta.filename.endsWith('.js') ? './handler-thread.js' : './handler-thread.ts',
  import.meta.url,
)

/** Runs an operation of deployed code. Its errors are passed to that code. */
export type Operate = (name: string, args: readonly unknown[]) => Promise<unknown>

/** One run of a deployed function. */
export interface ScriptCall {
  readonly file: string
  /** `GET`, or `webhook.process`. */
  readonly member: string
  readonly with: Arguments
  readonly seconds: number
  /** Aborts when the caller must get a response; absent when no caller waits. */
  readonly deadline?: AbortSignal
  readonly operate: Operate
}

export interface ThreadSettings extends ThreadData {
  /** Maximum memory in megabytes. */
  readonly megabytes: number
  /** Reports errors of unawaited promises. */
  readonly reportStray: (message: string) => void
  /** Converts an error to a message that deployed code can inspect. */
  readonly refusalOf: (error: unknown) => Pick<Extract<ToThread, { kind: 'refusal' }>, 'message' | 'errors'>
}

interface Running {
  readonly operate: Operate
  resolve(returned: Returned): void
  reject(error: Error): void
}

/**
 * The server's side of a thread for deployed code. A blocked thread or one with too much memory is ended and never
 * restarted.
 */
export class DeployedThread {
  readonly #worker: Worker
  readonly #settings: ThreadSettings
  readonly #running = new Map<number, Running>()
  readonly #loaded = Promise.withResolvers<readonly LoadedModule[]>()
  #calls = 0
  #watch: NodeJS.Timeout | undefined
  #checking: Promise<void> | undefined
  #pong = () => {}
  /** Why it was ended. */
  #reason = 'it ended itself'
  #retired = false
  isOver = false

  constructor(settings: ThreadSettings) {
    this.#settings = settings
    const { files, megabytes } = settings
    this.#worker = new Worker(ENTRY, {
      workerData: { files } satisfies ThreadData,
      resourceLimits: { maxOldGenerationSizeMb: megabytes },
      // Node flags of the server do not apply to deployed code.
      execArgv: [],
    })
    this.#worker.on('message', (message: FromThread) => this.#hear(message))
    this.#worker.on('error', (error: NodeJS.ErrnoException) => {
      const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      this.#reason = isMemory ? this.#tooLarge : error.message
    })
    this.#worker.on('exit', () => this.#end())
  }

  get #tooLarge(): string {
    return `it used more than ${this.#settings.megabytes} MB of memory`
  }

  /**
   * The modules that it has loaded.
   * @throws Error that names the file and line of what is wrong
   */
  get loaded(): Promise<readonly LoadedModule[]> {
    return this.#loaded.promise
  }

  get load(): number {
    return this.#running.size
  }

  /** Pending ping of a thread with a late call. The thread may be about to end. */
  get checking(): Promise<void> | undefined {
    return this.#checking
  }

  /** Runs a function. @throws ScriptError, ScriptTimeout, ThreadEnded, or the reason of the deadline */
  async call({ operate, seconds, deadline, ...called }: ScriptCall): Promise<Returned> {
    if (this.isOver) throw new ThreadEnded(this.#reason)
    deadline?.throwIfAborted()
    const call = ++this.#calls
    const { promise, resolve, reject } = Promise.withResolvers<Returned>()
    this.#running.set(call, { operate, resolve, reject })
    // Messages sent before the thread has loaded its files are delivered afterwards.
    this.#say({ kind: 'call', call, ...called })
    this.loaded.catch(reject)
    this.#watch ??= setInterval(() => void this.#lookAtMemory(), MEMORY_CHECK_MS).unref()
    const late = setTimeout(() => {
      reject(new ScriptTimeout(`it took longer than ${seconds} seconds`))
      this.#checkAlive()
    }, seconds * 1000)
    const end = () => {
      reject(deadline!.reason)
      this.#checkAlive()
    }
    deadline?.addEventListener('abort', end, { once: true })
    try {
      return await promise
    } finally {
      clearTimeout(late)
      deadline?.removeEventListener('abort', end)
      this.#running.delete(call)
      this.#rest()
    }
  }

  /** Ends the thread after its last running call. */
  retire(): void {
    this.#retired = true
    this.#rest()
  }

  async close(): Promise<void> {
    await this.#stop('the server is stopping')
  }

  #say(message: ToThread): void {
    this.#worker.postMessage(message)
  }

  #rest(): void {
    if (this.#running.size > 0) return
    clearInterval(this.#watch)
    this.#watch = undefined
    if (this.#retired) void this.#stop('there is newer code')
  }

  #hear(message: FromThread): void {
    switch (message.kind) {
      case 'loaded':
        this.#loaded.resolve(message.modules)
        return
      case 'broken':
        this.#loaded.reject(new Error(message.message))
        void this.#stop('it has nothing to run')
        return
      case 'operation':
        void this.#operate(message)
        return
      case 'returned':
        this.#running.get(message.call)?.resolve(message.returned)
        return
      case 'threw':
        this.#running.get(message.call)?.reject(new ScriptError(message.error))
        return
      case 'stray':
        this.#settings.reportStray(message.message)
        return
      case 'pong':
        this.#pong()
    }
  }

  async #operate({ call, operation, name, args }: Extract<FromThread, { kind: 'operation' }>): Promise<void> {
    try {
      const running = this.#running.get(call)
      if (running === undefined) throw new Error('The call has ended; this operation was not executed')
      this.#say({ kind: 'answer', operation, value: await running.operate(name, args) })
    } catch (error) {
      this.#say({ kind: 'refusal', operation, ...this.#settings.refusalOf(error) })
    }
  }

  /** A thread that does not answer a ping is in an endless loop, so all its calls fail. */
  #checkAlive(): void {
    if (this.#checking !== undefined) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const blocked = setTimeout(() => {
      resolve(this.#stop('it was blocked by code that does not end'))
    }, PING_TIMEOUT_MS)
    this.#pong = resolve
    this.#checking = promise.finally(() => {
      clearTimeout(blocked)
      this.#checking = undefined
    })
    this.#say({ kind: 'ping' })
  }

  /** The thread's own limit covers the heap only; this check includes buffers. */
  async #lookAtMemory(): Promise<void> {
    const heap = await this.#worker.getHeapStatistics().catch(() => undefined)
    if (heap === undefined) return
    const { used_heap_size: used, external_memory: external } = heap
    if (used + external > this.#settings.megabytes * MEGABYTE) await this.#stop(this.#tooLarge)
  }

  async #stop(reason: string): Promise<void> {
    if (this.isOver) return
    this.#reason = reason
    await this.#worker.terminate()
  }

  #end(): void {
    this.isOver = true
    clearInterval(this.#watch)
    this.#loaded.promise.catch(() => {})
    this.#loaded.reject(new ThreadEnded(this.#reason))
    for (const { reject } of this.#running.values()) reject(new ThreadEnded(this.#reason))
  }
}
