import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { databaseFault, isDiskFull, isNodeFailure } from '../database/pg-error.ts'
import { areLong, encodeBind } from './bind-message.ts'
import { sendCancel } from './send-cancel.ts'
import { type Statement, type StatementResult, send } from './statement-query.ts'

/** Interval of repeating a cancel, in milliseconds. */
const REPEAT_MS = 50

/** Private members of pg's client. */
interface Insides {
  readonly processID: number | null
  readonly secretKey: number | null
  readonly host: string
  readonly port: number
  readonly connection: { readonly stream: Socket }
}

/** A connection of the pool while it is in use. */
export class HeldClient {
  /** The node of the cluster that it waits for; undefined: there is none, or it is not known. */
  readonly node: string | undefined
  /** True if the connection leads to that node itself. */
  readonly isDirect: boolean
  readonly #client: pg.PoolClient
  readonly #released: (broken: Error | undefined) => void
  /** Number of running statements. */
  #underWay = 0
  #waitingSince = 0
  #writtenBefore = 0
  #begun: Promise<unknown> | undefined
  #cancelling: Promise<void> | undefined
  #broken: Error | undefined
  /** Statements with long values whose messages are being made, and those behind them. */
  #encoding: Promise<unknown> | undefined

  /** @param released returns the connection to the pool; with an error it is discarded */
  constructor(
    client: pg.PoolClient,
    { node, isDirect }: { readonly node: string | undefined; readonly isDirect: boolean },
    released: (broken: Error | undefined) => void,
  ) {
    this.node = node
    this.isDirect = isDirect
    this.#client = client
    this.#released = released
  }

  /** Since when it waits for an answer, on the clock of `performance.now`; undefined if it does not, or has not all been sent. */
  get waitingSince(): number | undefined {
    return this.#underWay === 0 || this.#encoding !== undefined ? undefined : this.#waitingSince
  }

  get processId(): number | null {
    return this.#insides.processID
  }

  /** Number of bytes handed to the operating system for running statements, and of those not yet accepted. */
  get sent(): { readonly bytes: number; readonly waiting: number } {
    const { stream } = this.#insides.connection
    const waiting = stream.writableLength
    return { bytes: stream.bytesWritten - this.#writtenBefore - waiting, waiting }
  }

  /** Number of bytes received on the connection. */
  get bytesRead(): number {
    return this.#insides.connection.stream.bytesRead
  }

  async query(statement: Statement): Promise<StatementResult> {
    if (this.#underWay++ === 0) {
      this.#waitingSince = performance.now()
      this.#writtenBefore = this.#insides.connection.stream.bytesWritten
    }
    try {
      return await this.#send(statement)
    } catch (error) {
      // A full disk may keep PostgreSQL from opening another one, and this one can read.
      const isBroken = databaseFault(error)?.kind === 'unreachable' && !isDiskFull(error)
      if (isBroken && !isNodeFailure(error)) this.#broken = error as Error
      throw error
    } finally {
      this.#underWay--
    }
  }

  /** Statements arrive in the order in which they are given, however long their messages take to be made. */
  async #send(statement: Statement): Promise<StatementResult> {
    const { values = [], name = '' } = statement
    const before = this.#encoding
    if (before === undefined && !areLong(values)) return send(this.#client, statement)
    const bind = areLong(values) ? encodeBind(name, values) : undefined
    const encoding = Promise.allSettled([before, bind])
    this.#encoding = encoding
    await encoding
    const sent = send(this.#client, bind === undefined ? statement : { ...statement, bind: await bind })
    this.#waitingSince = performance.now()
    if (this.#encoding === encoding) this.#encoding = undefined
    return sent
  }

  begin(statement: Statement): Promise<StatementResult> {
    const begun = this.query(statement)
    this.#begun = begun.catch(() => {})
    return begun
  }

  /** Cancels running statements; statements sent after `settled` has resolved are not affected. */
  cancel(): void {
    this.#cancelling = this.#cancelUntilIdle().catch(() => this.cut())
  }

  /** Resolves when no cancel of this connection is in progress; undefined if none is. */
  get settled(): Promise<void> | undefined {
    return this.#cancelling
  }

  /** @param broken why the connection cannot be used any more; a connection with an unanswered statement is discarded too */
  release(broken = this.#broken): void {
    this.#released(broken)
  }

  /** Closes the connection, which ends its work even where cancelling is not possible. */
  cut(): void {
    this.#insides.connection.stream.destroy()
  }

  get #insides(): Insides {
    return this.#client as unknown as Insides
  }

  /**
   * A cancel affects only the statement that the server is executing, not those pipelined behind it, so it is repeated
   * until nothing is running. It waits until the transaction has begun: statements after a cancelled `begin` would be
   * executed outside a transaction.
   */
  async #cancelUntilIdle(): Promise<void> {
    await this.#begun
    while (this.#underWay > 0) {
      await sendCancel(this.#insides)
      if (this.#underWay > 0) await sleep(REPEAT_MS)
    }
  }
}
