import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { databaseFault } from '../database/pg-error.ts'
import { sendCancel } from './send-cancel.ts'
import { type Statement, type StatementResult, send } from './statement-query.ts'

/** Before a statement is cancelled once more, in milliseconds. */
const AGAIN_MS = 50

/** What pg keeps to itself. */
interface Insides {
  readonly processID: number | null
  readonly secretKey: number | null
  readonly host: string
  readonly port: number
  readonly connection: { readonly stream: Socket }
}

/** A connection of the pool in the hands of some work. */
export class HeldClient {
  readonly #client: pg.PoolClient
  readonly #released: (broken: Error | undefined) => void
  /** How many statements are under way. */
  #underWay = 0
  #waitingSince = 0
  #writtenBefore = 0
  #begun: Promise<unknown> | undefined
  #cancelling: Promise<void> | undefined
  #broken: Error | undefined

  /** @param released gives the connection back; with an error it is of no use any more */
  constructor(client: pg.PoolClient, released: (broken: Error | undefined) => void) {
    this.#client = client
    this.#released = released
  }

  /** Since when an answer is waited for, on the clock of `performance.now`; undefined: none is. */
  get waitingSince(): number | undefined {
    return this.#underWay === 0 ? undefined : this.#waitingSince
  }

  get processId(): number | null {
    return this.#insides.processID
  }

  /** How many bytes of what is under way were handed to the operating system, and how many it has not taken yet. */
  get sent(): { readonly bytes: number; readonly waiting: number } {
    const { stream } = this.#insides.connection
    const waiting = stream.writableLength
    return { bytes: stream.bytesWritten - this.#writtenBefore - waiting, waiting }
  }

  /** How many bytes have come on the connection so far. */
  get bytesRead(): number {
    return this.#insides.connection.stream.bytesRead
  }

  async query(statement: Statement): Promise<StatementResult> {
    if (this.#underWay++ === 0) {
      this.#waitingSince = performance.now()
      this.#writtenBefore = this.#insides.connection.stream.bytesWritten
    }
    try {
      return await send(this.#client, statement)
    } catch (error) {
      if (databaseFault(error)?.kind === 'unreachable') this.#broken = error as Error
      throw error
    } finally {
      this.#underWay--
    }
  }

  begin(statement: Statement): Promise<StatementResult> {
    const begun = this.query(statement)
    this.#begun = begun.catch(() => {})
    return begun
  }

  /** Cancels whatever is under way; what is sent later is safe when `settled` has resolved. */
  cancel(): void {
    this.#cancelling = this.#cancelUntilIdle().catch(() => this.cut())
  }

  /** Resolves when no cancel of this connection is on its way; undefined: none is. */
  get settled(): Promise<void> | undefined {
    return this.#cancelling
  }

  /** @param broken why the connection is of no use any more; one that did not answer is not used again either */
  release(broken = this.#broken): void {
    this.#released(broken)
  }

  /** Where nothing can be cancelled the work ends all the same: without its connection. */
  cut(): void {
    this.#insides.connection.stream.destroy()
  }

  get #insides(): Insides {
    return this.#client as unknown as Insides
  }

  /**
   * A cancel reaches the statement that the server is at, and none of those that travel behind it: so again and again,
   * until nothing is under way. Not before the transaction has begun: what follows a `begin` that was cancelled would
   * be written.
   */
  async #cancelUntilIdle(): Promise<void> {
    await this.#begun
    while (this.#underWay > 0) {
      await sendCancel(this.#insides)
      if (this.#underWay > 0) await sleep(AGAIN_MS)
    }
  }
}
