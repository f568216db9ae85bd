import { resolve } from 'node:path'
import type { Observe } from '../base/observation.ts'
import { makeRefusal } from '../scripting/run-script.ts'
import { type CodeSettings, type DeployedCode, loadCode } from './deployed-code.ts'
import { watchFolder } from './watch-folder.ts'

/** Delay after a file change before code is loaded, because editors write in several steps. */
const SETTLE_MS = 100

/** Called with loaded code before it becomes current. Gives what people should know about it. */
type Follow = (code: DeployedCode | undefined) => Promise<readonly string[]>

interface Options {
  readonly threads: number
  readonly megabytes: number
  /** True if changed files are loaded again. */
  readonly watch: boolean
  readonly observe: Observe
}

/**
 * The current code of a deployment. If changed code cannot be loaded, the error is logged with its line and the old
 * code stays current. Running calls finish with the code that they started with.
 */
export class CodeStore {
  readonly #deployment: string
  readonly #settings: CodeSettings
  readonly #observe: Observe
  #current: DeployedCode | undefined
  #watching: (() => void) | undefined
  #loading: Promise<void> | undefined
  #isStale = false
  #follow: Follow = async () => []

  private constructor(deployment: string, { threads, megabytes, observe }: Options) {
    this.#deployment = deployment
    this.#observe = observe
    this.#settings = {
      threads,
      megabytes,
      reportStray: (message) => observe({ kind: 'said', source: 'handlers', message }),
      refusalOf: (error) => makeRefusal(observe, error),
    }
  }

  /** @throws Error with the file, line and problem */
  static async open(deployment: string, options: Options): Promise<CodeStore> {
    const store = new CodeStore(deployment, options)
    store.#current = await loadCode(deployment, store.#settings)
    if (options.watch) store.#watch()
    return store
  }

  /** Calls a function for the current code and all later code. */
  async followBy(follow: Follow): Promise<void> {
    this.#follow = follow
    for (const notice of await follow(this.#current)) this.#report(notice)
  }

  get current(): DeployedCode | undefined {
    return this.#current
  }

  async close(): Promise<void> {
    this.#watching?.()
    await this.#loading
    await this.#current?.close()
  }

  #watch(): void {
    let settling: NodeJS.Timeout | undefined
    const settle = () => {
      clearTimeout(settling)
      settling = setTimeout(() => this.#reload(), SETTLE_MS)
    }
    const close = watchFolder(resolve(this.#deployment), settle, (message) => this.#report(message))
    this.#watching = () => {
      clearTimeout(settling)
      close()
    }
  }

  #report(message: string): void {
    this.#observe({ kind: 'notice', message })
  }

  /** Loads one after the other: changes during a load are loaded by the next. */
  #reload(): void {
    this.#isStale = true
    this.#loading ??= this.#loadAgain().finally(() => {
      this.#loading = undefined
    })
  }

  async #loadAgain(): Promise<void> {
    while (this.#isStale) {
      this.#isStale = false
      try {
        const old = this.#current
        const code = await loadCode(this.#deployment, this.#settings)
        const notices = await this.#follow(code).catch(async (error) => {
          await code?.close()
          throw error
        })
        this.#current = code
        old?.retire()
        this.#report(
          `The deployment was loaded anew: ${code?.resources.all.length ?? 0} resources, ${code?.jobs.all.length ?? 0} jobs`,
        )
        for (const notice of notices) this.#report(notice)
      } catch (error) {
        this.#report(`${(error as Error).message}\nWhat was loaded before goes on serving.`)
      }
    }
  }
}
