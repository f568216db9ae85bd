import { diskFull, EngineStopped, statementTooLong } from '../database/pg-error.ts'
import { mayWrite } from '../database/transaction.sql.ts'
import { type Turn, type TurnOptions, Turns } from '../database/turns.ts'
import type { Watch } from '../database/watch.ts'
import { FreeSpace, isDatabaseFolder } from './database-folder.ts'
import { DatabaseThread } from './database-thread.ts'
import type { Result, ToThread } from './messages.ts'

/** Minimum time that a statement has: ending it costs all callers about a second. In milliseconds. */
const MIN_STATEMENT_MS = 1000

/** After a database could not be opened, no further try is made for this time, in milliseconds. */
const PAUSE_MS = 500

/** Interval of checking that the folder still exists, in milliseconds. */
const CHECK_INTERVAL_MS = 1000

const CONNECTION_SECONDS = 10

export interface EmbeddedSettings {
  /** Initial data, from `dumpImage`; undefined: that of the build, if there is any. */
  readonly image?: Uint8Array | undefined
  /** Time limit of a statement; undefined: none. */
  readonly statementSeconds?: number | undefined
  /** Maximum wait for a turn, and for a database that is being reopened. */
  readonly connectionSeconds?: number | undefined
  /** Called when the database was ended and has been reopened. */
  readonly report?: ((message: string) => void) | undefined
}

/** The thread, during a turn. */
interface HeldThread {
  readonly thread: DatabaseThread
  readonly turn: Turn
}

export interface SendOptions {
  /** Ends the request when its time is up. */
  readonly watch?: Watch | undefined
  /** No time limit for statements: for building an index. */
  readonly isUnlimited?: boolean
}

const goneError = (folder: string) => new Error(`The data folder ${folder} is not there any more`)

function describeReason(error: Error): string {
  return error instanceof EngineStopped && error.cause instanceof Error ? error.cause.message : error.message
}

/**
 * The database of one folder, in a thread that is ended if a statement takes too long or the engine's program crashes, and
 * restarted for the next turn. Committed data survives that, as it survives the kill of a process.
 */
export class EmbeddedDatabase {
  readonly #folder: string | undefined
  /** Undefined in memory. */
  readonly #space: FreeSpace | undefined
  readonly #settings: EmbeddedSettings
  readonly #waitMs: number
  readonly #turns: Turns
  #thread: DatabaseThread
  #starting: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #failure: { readonly error: Error; readonly at: number } | undefined
  /** True if the current request has no time limit. */
  #isUnlimited = false
  #folderCheck: NodeJS.Timeout | undefined
  #isClosed = false

  /**
   * @param folder undefined for a database in memory
   * @param isNew whether the folder is empty
   */
  constructor(folder: string | undefined, settings: EmbeddedSettings, isNew: boolean) {
    this.#folder = folder
    this.#space = folder === undefined ? undefined : new FreeSpace(folder)
    this.#settings = settings
    this.#waitMs = (settings.connectionSeconds ?? CONNECTION_SECONDS) * 1000
    this.#turns = new Turns({ connections: 1, waitMs: this.#waitMs })
    this.#thread = new DatabaseThread({ folder, image: settings.image, isNew })
  }

  /** @throws the reason why the database cannot be opened */
  async open(): Promise<void> {
    try {
      await this.#thread.opened
      if (this.#folder !== undefined) this.#lookAfter(this.#folder)
    } catch (error) {
      await this.#thread.end(error as Error)
      throw error
    }
  }

  /** False if the disk of its folder is full. */
  get hasSpace(): boolean {
    return this.#space?.isEnough() ?? true
  }

  /** Takes a turn and returns the thread; the caller must release it. Requests of other turns wait meanwhile. */
  async take(options?: TurnOptions): Promise<HeldThread> {
    const turn = await this.#turns.take(options)
    try {
      // Work in the background may come after the end, and must not wait for its turn then.
      if (this.#isClosed) throw new EngineStopped()
      if (this.#thread.over !== undefined) await this.#restart()
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

  /**
   * Sends a request within a turn.
   * @throws the error of a full disk for a statement that may write, before it is sent
   */
  async send(
    thread: DatabaseThread,
    request: ToThread,
    { watch, isUnlimited = false }: SendOptions = {},
  ): Promise<Result | undefined> {
    if (request.kind === 'statement' && mayWrite(request.text) && !this.hasSpace) throw diskFull()
    // A script has many statements.
    this.#isUnlimited = isUnlimited || request.kind === 'script'
    this.#limit(thread)
    const forget = watch?.whenOver?.(() => this.#endWhenOld(thread, watch.over!))
    try {
      return (await thread.send(request)).result
    } finally {
      forget?.()
    }
  }

  async dump(): Promise<Uint8Array> {
    const held = await this.take()
    try {
      return (await held.thread.send({ kind: 'dump' })).image!
    } finally {
      this.release(held)
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    clearInterval(this.#folderCheck)
    let turn: Turn | undefined
    try {
      // The thread must be gone before another process may use the folder.
      turn = await this.#turns.take({ isUrgent: true })
      await this.#starting?.catch(() => {})
      clearTimeout(this.#timer)
      if (this.#thread.over === undefined) await this.#thread.send({ kind: 'close' })
    } finally {
      await this.#thread.end(new EngineStopped())
      if (turn !== undefined) this.#turns.release(turn)
    }
  }

  /** Writes to removed files succeed while they are open, and are lost when they are closed. */
  #lookAfter(folder: string): void {
    this.#folderCheck = setInterval(() => {
      if (this.#thread.over === undefined && !isDatabaseFolder(folder)) {
        void this.#thread.end(new EngineStopped(goneError(folder)))
      }
    }, CHECK_INTERVAL_MS).unref()
  }

  /** A database in memory would be lost with its thread, so there only the pending requests are rejected. */
  #end(reason: Error): void {
    if (this.#folder === undefined) this.#thread.abandon(reason)
    else void this.#thread.end(reason)
  }

  /** A single timer for all statements: most of them end before it fires. */
  #limit(thread: DatabaseThread): void {
    const { statementSeconds } = this.#settings
    if (statementSeconds === undefined || this.#timer !== undefined) return
    const check = () => {
      const age = thread.busySince === undefined ? undefined : performance.now() - thread.busySince
      this.#timer = undefined
      if (age === undefined) return
      const left = statementSeconds * 1000 - (this.#isUnlimited ? 0 : age)
      if (left <= 0) this.#end(statementTooLong())
      else this.#timer = setTimeout(check, left).unref()
    }
    this.#timer = setTimeout(check, statementSeconds * 1000).unref()
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

  /** @throws EngineStopped if it takes too long or fails; the next caller tries again */
  async #restart(): Promise<void> {
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
    // The engine would create a new database in the missing folder.
    if (!isDatabaseFolder(this.#folder!)) throw new EngineStopped(goneError(this.#folder!))
    // Two threads on one folder would corrupt it.
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
    this.#settings.report?.(`The embedded database was opened again. It had ended: ${describeReason(over!)}`)
  }
}
