import { DeployedThread, type ScriptCall, type ThreadSettings } from './deployed-thread.ts'
import type { LoadedModule, Returned } from './messages.ts'

/** The threads that run the code of a deployment. One that ends is replaced when it is needed. */
export class ThreadPool {
  readonly #settings: ThreadSettings
  readonly #threads: DeployedThread[]
  #isOver = false

  constructor(count: number, settings: ThreadSettings) {
    this.#settings = settings
    this.#threads = Array.from({ length: count }, () => new DeployedThread(settings))
  }

  /**
   * The modules that were loaded.
   * @throws Error that names the file and line of what is wrong
   */
  async loaded(): Promise<readonly LoadedModule[]> {
    const [modules] = await Promise.all(this.#threads.map(({ loaded }) => loaded))
    return modules!
  }

  /** Runs a function in the thread that has the least to do. @throws ScriptError, ScriptTimeout, ThreadEnded */
  async call(call: ScriptCall): Promise<Returned> {
    let thread = this.#idlest()
    while (thread.checking !== undefined) {
      await thread.checking
      thread = this.#idlest()
    }
    return thread.call(call)
  }

  /** Ends each thread when the last call in it is done. */
  retire(): void {
    this.#isOver = true
    for (const thread of this.#threads) thread.retire()
  }

  async close(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#threads.map((thread) => thread.close()))
  }

  #idlest(): DeployedThread {
    if (!this.#isOver) {
      for (const [index, thread] of this.#threads.entries()) {
        if (thread.isOver) this.#threads[index] = new DeployedThread(this.#settings)
      }
    }
    return this.#threads.reduce((least, thread) => (thread.load < least.load ? thread : least))
  }
}
