import { EngineStopped, statementTooLong } from '../database/pg-error.ts'
import { type Turn, type TurnOptions, Turns } from '../database/turns.ts'
import type { Watch } from '../database/watch.ts'
import { isDatabaseFolder } from './database-folder.ts'
import { DatabaseThread } from './database-thread.ts'
import type { Result, ToThread } from './messages.ts'

/** So long a statement may take in any case: to end it costs everybody a second or so. In milliseconds. */
const MIN_STATEMENT_MS = 1000

/** So long nobody tries again to open a database that could not be opened, in milliseconds. */
const PAUSE_MS = 500

/** How often it is looked whether the folder is still there, in milliseconds. */
const LOOK_MS = 1000

const CONNECTION_SECONDS = 10

export interface EmbeddedSettings {
  /** What to begin with: what `dumpImage` gave. */
  readonly image?: Uint8Array | undefined
  /** After which a statement is ended; undefined: never. */
  readonly statementSeconds?: number
  /** That a call waits for its turn, and that it waits for a database that is opened again. */
  readonly connectionSeconds?: number
  /** Is told that the database was ended and is opened again. */
  readonly report?: ((message: string) => void) | undefined
}

/** The thread in the hands of whoever has the turn. */
export interface HeldThread {
  readonly thread: DatabaseThread
  readonly turn: Turn
}

export interface AskOptions {
  /** Ends what is asked when its time is up. */
  readonly watch?: Watch | undefined
  /** It may take longer than a statement otherwise: the build of an index. */
  readonly isUnlimited?: boolean
}

const goneError = (folder: string) => new Error(`The data folder ${folder} is not there any more`)

function reasonOf(error: Error): string {
  return error instanceof EngineStopped && error.cause instanceof Error ? error.cause.message : error.message
}

/**
 * The database of one folder, in a thread that is ended when a statement takes too long or the engine's program breaks, and
 * that whoever has the next turn starts again. What was acknowledged survives that, as it survives the kill of a process.
 */
export class EmbeddedDatabase {
  readonly #folder: string | undefined
  readonly #settings: EmbeddedSettings
  readonly #waitMs: number
  readonly #turns: Turns
  #thread: DatabaseThread
  #starting: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #failure: { readonly error: Error; readonly at: number } | undefined
  /** Whether what is under way may take longer than a statement otherwise. */
  #isUnlimited = false
  #looking: NodeJS.Timeout | undefined
  #isClosed = false

  /** @param folder undefined: in memory */
  constructor(folder: string | undefined, settings: EmbeddedSettings) {
    this.#folder = folder
    this.#settings = settings
    this.#waitMs = (settings.connectionSeconds ?? CONNECTION_SECONDS) * 1000
    this.#turns = new Turns({ connections: 1, waitMs: this.#waitMs })
    this.#thread = new DatabaseThread({ folder, image: settings.image })
  }

  /** @throws what keeps the database from being opened */
  async open(): Promise<void> {
    try {
      await this.#thread.opened
      if (this.#folder !== undefined) this.#lookAfter(this.#folder)
    } catch (error) {
      await this.#thread.end(error as Error)
      throw error
    }
  }

  /** The thread, for whoever releases it again. What is asked is done before what others ask. */
  async take(options?: TurnOptions): Promise<HeldThread> {
    const turn = await this.#turns.take(options)
    try {
      if (this.#thread.over !== undefined) await this.#startAgain()
    } catch (error) {
      this.#turns.release(turn)
      throw error
    }
    return { thread: this.#thread, turn }
  }

  release({ thread, turn }: HeldThread): void {
    const { idle } = thread
    if (idle === undefined) this.#turns.release(turn)
    else void idle.then(() => this.#turns.release(turn))
  }

  /** Asks in a turn. */
  async ask(
    thread: DatabaseThread,
    requested: ToThread,
    { watch, isUnlimited = false }: AskOptions = {},
  ): Promise<Result | undefined> {
    // A script is many statements.
    this.#isUnlimited = isUnlimited || requested.kind === 'script'
    this.#limit(thread)
    const forget = watch?.whenOver?.(() => this.#endWhenOld(thread, watch.over!))
    try {
      return (await thread.ask(requested)).result
    } finally {
      forget?.()
    }
  }

  async dump(): Promise<Uint8Array> {
    const held = await this.take()
    try {
      return (await held.thread.ask({ kind: 'dump' })).image!
    } finally {
      this.release(held)
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    clearInterval(this.#looking)
    try {
      // Whoever has the folder next must not meet a thread of ours.
      await this.#turns.take({ isUrgent: true })
      await this.#starting?.catch(() => {})
      clearTimeout(this.#timer)
      if (this.#thread.over === undefined) await this.#thread.ask({ kind: 'close' })
    } finally {
      await this.#thread.end(new EngineStopped())
    }
  }

  /** Files that were removed can still be written to while they are open, and are lost when they are closed. */
  #lookAfter(folder: string): void {
    this.#looking = setInterval(() => {
      if (this.#thread.over === undefined && !isDatabaseFolder(folder)) {
        void this.#thread.end(new EngineStopped(goneError(folder)))
      }
    }, LOOK_MS).unref()
  }

  /** A database in memory would be lost with its thread: there only those who wait are told. */
  #end(reason: Error): void {
    if (this.#folder === undefined) this.#thread.abandon(reason)
    else void this.#thread.end(reason)
  }

  /** One timer for all statements: most of them are done before it fires. */
  #limit(thread: DatabaseThread): void {
    const { statementSeconds } = this.#settings
    if (statementSeconds === undefined || this.#timer !== undefined) return
    const look = () => {
      const age = thread.busySince === undefined ? undefined : performance.now() - thread.busySince
      this.#timer = undefined
      if (age === undefined) return
      const left = statementSeconds * 1000 - (this.#isUnlimited ? 0 : age)
      if (left <= 0) this.#end(statementTooLong())
      else this.#timer = setTimeout(look, left).unref()
    }
    this.#timer = setTimeout(look, statementSeconds * 1000).unref()
  }

  #endWhenOld(thread: DatabaseThread, reason: Error): void {
    const begunAt = thread.busySince
    if (begunAt === undefined) return
    setTimeout(
      () => {
        if (thread === this.#thread && thread.busySince === begunAt) this.#end(reason)
      },
      Math.max(0, begunAt + MIN_STATEMENT_MS - performance.now()),
    ).unref()
  }

  /** @throws EngineStopped when it takes too long or cannot be done now; whoever comes next tries again */
  async #startAgain(): Promise<void> {
    if (this.#isClosed || this.#folder === undefined) throw this.#thread.over
    this.#starting ??= this.#start().finally(() => {
      this.#starting = undefined
    })
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(new EngineStopped()), this.#waitMs)
    try {
      await Promise.race([this.#starting, late.promise])
    } finally {
      clearTimeout(timer)
    }
  }

  async #start(): Promise<void> {
    if (this.#failure !== undefined && performance.now() - this.#failure.at < PAUSE_MS)
      throw this.#failure.error
    const { over } = this.#thread
    // Another database would be made in its place.
    if (!isDatabaseFolder(this.#folder!)) throw new EngineStopped(goneError(this.#folder!))
    // Two threads on one folder would destroy it.
    await this.#thread.end(new EngineStopped())
    const thread = new DatabaseThread({ folder: this.#folder, image: undefined })
    try {
      await thread.opened
    } catch (cause) {
      await thread.end(cause as Error)
      const error = new EngineStopped(cause)
      this.#failure = { error, at: performance.now() }
      throw error
    }
    this.#failure = undefined
    this.#thread = thread
    this.#settings.report?.(`The embedded database was opened again. It had ended: ${reasonOf(over!)}`)
  }
}
