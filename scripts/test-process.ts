import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { COMPILE_CACHE_FOLDER } from './test-cache-folder.ts'
import type { Counts, FromWorker, Ran, ToWorker } from './test-messages.ts'

/** A file that takes longer has failed, in milliseconds. The longest takes half a minute. */
const FILE_TIMEOUT_MS = 10 * 60 * 1000

/** A test that takes longer is named, again and again, in milliseconds. */
const LONG_MS = 60 * 1000

/** How long processes that are ended have to close what their tests opened, in milliseconds. */
const CLOSING_MS = 5000

/**
 * Optimising the embedded engine's code takes as long as it saves here, and 500 MB for a moment. A process collects its
 * garbage before it gives up for want of memory.
 */
const V8_FLAGS = ['--liftoff-only', '--expose-gc']

/** Compiled code is kept for the next process, unless coverage is counted: V8 counts less in code from a cache. */
const COMPILE_CACHE =
  process.env.NODE_V8_COVERAGE === undefined ? { NODE_COMPILE_CACHE: COMPILE_CACHE_FOLDER } : {}

/** A file whose process ended or was ended before the file did. */
const broken = (file: string, reason: string, milliseconds: number): Ran => ({
  kind: 'ran',
  file,
  counts: { tests: 1, failed: 1 } satisfies Counts,
  milliseconds,
  text: '',
  failures: `✖ ${file}: ${reason}\n`,
})

/** Where a process gets its files, and what becomes of them. */
interface Work {
  /** Returns undefined when none are left. */
  takeFile(): Promise<string | undefined>
  report(result: Ran): void
}

/** A process that runs test files, and what it does. */
export class TestProcess {
  readonly #work: Work
  readonly #child: ChildProcess
  #file: string | undefined
  #test = ''
  #fileStartedAt = 0
  #testStartedAt = 0
  #timers: NodeJS.Timeout[] = []
  #problem: string | undefined
  #isStopped = false

  constructor(work: Work) {
    this.#work = work
    this.#child = fork(join(import.meta.dirname, 'test-worker.ts'), {
      execArgv: [...process.execArgv, ...V8_FLAGS],
      env: {
        ...COMPILE_CACHE,
        ...process.env,
        NODE_ENV: 'test',
        ...(process.stdout.isTTY && { FORCE_COLOR: '1' }),
      },
    })
  }

  /** The test or suite that began last, with its file and for how long it has run; undefined if there is none. */
  get running(): string | undefined {
    if (this.#file === undefined) return undefined
    const seconds = Math.round((performance.now() - this.#testStartedAt) / 1000)
    return `${this.#file}: ${this.#test} (${seconds} s)`
  }

  #end(problem: string): void {
    this.#problem = problem
    this.#child.kill('SIGKILL')
  }

  #say(message: ToWorker): void {
    if (this.#child.connected) this.#child.send(message)
  }

  async #next(): Promise<void> {
    this.#file = await this.#work.takeFile()
    if (this.#file === undefined) return this.#say({ kind: 'end' })
    this.#fileStartedAt = performance.now()
    this.#begins('before its first test')
    this.#timers = [
      setInterval(() => {
        if (performance.now() - this.#testStartedAt < LONG_MS) return
        process.stdout.write(`\nStill running: ${this.running}\n`)
      }, LONG_MS),
      setTimeout(
        () => this.#end(`did not end within ${FILE_TIMEOUT_MS / 1000} s; the test that ran: ${this.#test}`),
        FILE_TIMEOUT_MS,
      ),
    ]
    return this.#say({ kind: 'run', file: this.#file })
  }

  #take(message: FromWorker): Promise<void> | void {
    if (message.kind === 'ready') return this.#next()
    if (message.kind === 'full') return this.#say({ kind: 'end' })
    if (message.kind === 'begins') return this.#begins(message.test)
    this.#fileEnds()
    return this.#work.report(message)
  }

  #begins(test: string): void {
    this.#test = test
    this.#testStartedAt = performance.now()
  }

  #fileEnds(): void {
    for (const timer of this.#timers.splice(0)) clearTimeout(timer)
    this.#file = undefined
  }

  /** Resolves when the process has ended: all files are taken, or it broke. */
  async serve(): Promise<void> {
    this.#child.on('message', (message: FromWorker) => this.#take(message))
    const [code, signal] = await once(this.#child, 'exit')
    const file = this.#file
    this.#fileEnds()
    const reason = this.#problem ?? `its process ended with ${signal ?? code}`
    if (this.#isStopped) return
    if (file !== undefined) this.#work.report(broken(file, reason, performance.now() - this.#fileStartedAt))
    else if (code !== 0) this.#work.report(broken('a test process', reason, 0))
  }

  /** Has it close what its tests opened. */
  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    this.#isStopped = true
    const ended = once(this.#child, 'exit')
    this.#say({ kind: 'stop' })
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), CLOSING_MS)
    await ended
    clearTimeout(timer)
  }
}
