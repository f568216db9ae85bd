import { Worker } from 'node:worker_threads'
import type { Arguments, FromThread, LoadedModule, Returned, ThreadData, ToThread } from './messages.ts'
import { ScriptError, ScriptTimeout, ThreadEnded } from './thread-failure.ts'

/** How often a busy thread's memory is looked at, in milliseconds. */
const WATCH = 100
/** How long a thread may take to say that it is there when one of its calls is late, in milliseconds. */
const PATIENCE = 250
const MEGABYTE = 1024 * 1024

const ENTRY = new URL(import.meta.filename.endsWith('.js') ? './thread.js' : './thread.ts', import.meta.url)

/** Carries out what deployed code asks of the org. What it throws is told to that code. */
export type Operate = (name: string, args: readonly unknown[]) => Promise<unknown>

/** One run of a deployed function. */
export interface ScriptCall {
  readonly file: string
  /** `GET`, or `webhook.process`. */
  readonly member: string
  readonly with: Arguments
  readonly seconds: number
  /** Aborts when whoever asked for it has to be answered; absent: nobody waits. */
  readonly deadline?: AbortSignal
  readonly operate: Operate
}

export interface ThreadSettings extends ThreadData {
  /** Most memory, in megabytes. */
  readonly megabytes: number
  /** Is told what code left behind that nobody waited for. */
  readonly reportStray: (message: string) => void
  /** What was refused, in words that code can look into. */
  readonly refusalOf: (error: unknown) => Pick<Extract<ToThread, { kind: 'refusal' }>, 'message' | 'errors'>
}

interface Running {
  readonly operate: Operate
  resolve(returned: Returned): void
  reject(error: Error): void
}

/** A thread for deployed code, as the server sees it. It is ended when it is blocked or too large, and never started again. */
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
      // Flags of the server's own are none of a deployment's.
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

  /** Until a thread with a call that is late has said whether it is there: it may be about to be ended. */
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
    // What is said before it has loaded its files it hears afterwards.
    this.#say({ kind: 'call', call, ...called })
    this.loaded.catch(reject)
    this.#watch ??= setInterval(() => void this.#lookAtMemory(), WATCH).unref()
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

  /** Ends it when the last call in it is done. */
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
      if (running === undefined) throw new Error('The call is over: what it still asks for is not done')
      this.#say({ kind: 'answer', operation, value: await running.operate(name, args) })
    } catch (error) {
      this.#say({ kind: 'refusal', operation, ...this.#settings.refusalOf(error) })
    }
  }

  /** A thread that does not answer is in a loop: all that is in it waits for nothing. */
  #checkAlive(): void {
    if (this.#checking !== undefined) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const blocked = setTimeout(() => {
      resolve(this.#stop('it was blocked by code that does not end'))
    }, PATIENCE)
    this.#pong = resolve
    this.#checking = promise.finally(() => {
      clearTimeout(blocked)
      this.#checking = undefined
    })
    this.#say({ kind: 'ping' })
  }

  /** The limit of the thread counts objects; what buffers hold is looked at from here. */
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
