import { isAnswerLost, OutcomeUnknown } from '../database/pg-error.ts'
import { mayWrite } from '../database/transaction.sql.ts'
import { throwIfOver, type Watch } from '../database/watch.ts'
import type { ConnectionPool } from './connection-pool.ts'
import type { HeldClient } from './held-client.ts'
import type { Statement, StatementResult } from './statement-query.ts'

/** The connections that some work holds. Ends their statements when the time of the work is up. */
export class HeldClients {
  readonly #pool: ConnectionPool
  readonly #watch: Watch | undefined
  readonly #held = new Set<HeldClient>()
  #listens = false

  /** @param watch undefined for work without a time limit */
  constructor(pool: ConnectionPool, watch?: Watch) {
    this.#pool = pool
    this.#watch = watch
  }

  /** Runs a single statement on any connection. */
  async query(statement: Statement): Promise<StatementResult> {
    const held = await this.take()
    try {
      return await held.query(statement)
    } catch (error) {
      throw isAnswerLost(error) && mayWrite(statement.text) ? new OutcomeUnknown(error) : error
    } finally {
      const spared = this.spare(held)
      if (spared !== undefined) await spared
      held.release()
    }
  }

  /** @throws the reason if the time is up before a connection is free */
  async take(): Promise<HeldClient> {
    this.#listen()
    const held = await this.#pool.take(this.#watch)
    if (this.#watch?.over !== undefined) {
      held.release()
      throwIfOver(this.#watch)
    }
    this.#held.add(held)
    return held
  }

  /** Resolves when no later statement of the connection can be cancelled; undefined if that is already the case. */
  spare(held: HeldClient): Promise<void> | undefined {
    this.#held.delete(held)
    return held.settled
  }

  #listen(): void {
    if (this.#listens) return
    this.#listens = true
    this.#watch?.whenOver?.(() => {
      for (const held of this.#held) held.cancel()
    })
  }
}
