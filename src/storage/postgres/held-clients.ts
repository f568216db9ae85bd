import { isAnswerLost, OutcomeUnknown } from '../database/pg-error.ts'
import { mayWrite, transactionSql } from '../database/transaction.sql.ts'
import { throwIfOver, type Watch } from '../database/watch.ts'
import type { Connections } from './connection-pool.ts'
import type { HeldClient } from './held-client.ts'
import type { Statement, StatementResult } from './statement-query.ts'

/** @returns why the connection cannot be used any more; undefined if it can */
export const rollback = (held: HeldClient): Promise<Error | undefined> =>
  held.query({ text: transactionSql.rollback }).then(
    () => undefined,
    (failure: Error) => failure,
  )

/** The connections that some work holds. Ends their statements when the time of the work is up. */
export class HeldClients {
  readonly #connections: Connections
  readonly #watch: Watch | undefined
  readonly #held = new Set<HeldClient>()
  #listens = false

  /** @param watch undefined for work without a time limit */
  constructor(connections: Connections, watch?: Watch) {
    this.#connections = connections
    this.#watch = watch
  }

  /** Runs a single statement on any connection. A read that a node did not answer is tried once more, through the coordinator. */
  async query(statement: Statement): Promise<StatementResult> {
    const result = await this.#query(statement, true)
    return result ?? (await this.#query(statement, false))!
  }

  /** @returns undefined if the answer of a node to a read was lost, and it may be tried again */
  async #query(statement: Statement, mayTryAgain: boolean): Promise<StatementResult | undefined> {
    const held = await this.take(statement)
    let broken: Error | undefined
    try {
      return await held.query(statement)
    } catch (error) {
      // A script may have begun a transaction.
      if (statement.values === undefined) broken = await rollback(held)
      const isLost = isAnswerLost(error)
      const isWrite = mayWrite(statement.text)
      if (isLost && !isWrite && held.isDirect && mayTryAgain && this.#watch?.over === undefined)
        return undefined
      throw isLost && isWrite ? new OutcomeUnknown(error) : error
    } finally {
      const spared = this.spare(held)
      if (spared !== undefined) await spared
      held.release(broken)
    }
  }

  /**
   * @param statement that it is for; absent: it is for a transaction
   * @throws the reason if the time is up before a connection is free
   */
  async take(statement?: Statement): Promise<HeldClient> {
    this.#listen()
    const held = await this.#connections.take(this.#watch, statement)
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
