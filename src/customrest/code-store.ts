import { watch } from 'node:fs'
import { resolve } from 'node:path'
import type { Observe } from '../base/observation.ts'
import { refusalOf } from '../scripting/run-script.ts'
import { type CodeSettings, type DeployedCode, loadCode } from './deployed-code.ts'

/** How long files are left to settle after one has changed, in milliseconds: editors write in several steps. */
const SETTLE = 100

/** Is told of code that was loaded, before it is current. */
type Follow = (code: DeployedCode | undefined) => Promise<void>

interface Options {
  readonly threads: number
  readonly megabytes: number
  /** Whether what changes is loaded anew. */
  readonly watch: boolean
  readonly observe: Observe
}

/**
 * The code of a deployment as it is by now. What cannot be loaded is told in the log, with the line, and leaves what was
 * there before at work; calls under way end with the code that they began with.
 */
export class CodeStore {
  readonly #deployment: string
  readonly #settings: CodeSettings
  readonly #observe: Observe
  #current: DeployedCode | undefined
  #watching: (() => void) | undefined
  #loading: Promise<void> | undefined
  #isStale = false
  #follow: Follow = async () => {}

  private constructor(deployment: string, { threads, megabytes, observe }: Options) {
    this.#deployment = deployment
    this.#observe = observe
    this.#settings = {
      threads,
      megabytes,
      reportStray: (message) => observe({ kind: 'said', source: 'handlers', message }),
      refusalOf: (error) => refusalOf(observe, error),
    }
  }

  /** @throws Error that names the file and line of what is wrong */
  static async open(deployment: string, options: Options): Promise<CodeStore> {
    const store = new CodeStore(deployment, options)
    store.#current = await loadCode(deployment, store.#settings)
    if (options.watch) store.#watch()
    return store
  }

  /** Has somebody follow what is loaded, from now on. */
  async followBy(follow: Follow): Promise<void> {
    this.#follow = follow
    await follow(this.#current)
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
    const watcher = watch(
      resolve(this.#deployment),
      { recursive: true, persistent: false },
      (_event, file) => {
        if (file === null || !/\.(ts|mts|js|mjs|json)$/.test(file)) return
        clearTimeout(settling)
        settling = setTimeout(() => this.#reload(), SETTLE)
      },
    )
    watcher.on('error', (error) => this.#report(`Changes of the deployment are not seen: ${error.message}`))
    this.#watching = () => {
      clearTimeout(settling)
      watcher.close()
    }
  }

  #report(message: string): void {
    this.#observe({ kind: 'notice', message })
  }

  /** One load after the other: what changes during one is loaded by the next. */
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
        await this.#follow(code).catch(async (error) => {
          await code?.close()
          throw error
        })
        this.#current = code
        old?.retire()
        this.#report(
          `The deployment was loaded anew: ${code?.resources.all.length ?? 0} resources, ${code?.jobs.all.length ?? 0} jobs`,
        )
      } catch (error) {
        this.#report(`${(error as Error).message}\nWhat was loaded before goes on serving.`)
      }
    }
  }
}
