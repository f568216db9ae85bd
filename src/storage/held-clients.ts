import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { cancelSql } from './cancel.sql.ts'
import { databaseFault, isAnswerLost, OutcomeUnknown } from './pg-error.ts'
import { mayWrite } from './transaction.sql.ts'
import { throwIfOver, type Watch } from './watch.ts'

/** Before a statement is cancelled once more, in milliseconds. */
const AGAIN = 50

/** How long the server may take to let somebody in who wants to cancel something, in milliseconds. */
const PATIENCE = 10_000

/** What is sent on a connection whose reply has not come. */
type Sent = Promise<unknown>

const textOf = (config: string | pg.QueryConfig): string =>
  typeof config === 'string' ? config : config.text

/** A connection of the pool in the hands of some work. */
export class HeldClient {
  readonly #client: pg.PoolClient
  readonly #url: string
  /** How many statements are under way. */
  #under = 0
  #begun: Sent | undefined
  #cancelling: Promise<void> | undefined
  #broken: Error | undefined

  constructor(client: pg.PoolClient, url: string) {
    this.#client = client
    this.#url = url
  }

  /** With a callback: what pg's own promises answered lives on for long, which the collector has to pay. */
  async query(config: string | pg.QueryConfig): Promise<pg.QueryResult> {
    this.#under++
    try {
      return await new Promise<pg.QueryResult>((resolve, reject) => {
        this.#client.query(config as string, (error, result) => (error ? reject(error) : resolve(result)))
      })
    } catch (error) {
      if (databaseFault(error)?.kind === 'unreachable') this.#broken = error as Error
      throw error
    } finally {
      this.#under--
    }
  }

  begin(statement: string): Promise<pg.QueryResult> {
    const begun = this.query(statement)
    this.#begun = begun.catch(() => {})
    return begun
  }

  /** Cancels whatever is under way; what is sent later is safe when `settled` has resolved. */
  cancel(): void {
    this.#cancelling = this.#cancelUntilIdle().catch(() => this.#cut())
  }

  /** Resolves when no cancel of this connection is on its way; undefined: none is. */
  get settled(): Promise<void> | undefined {
    return this.#cancelling
  }

  /** @param broken why the connection is of no use any more; one that did not answer is not used again either */
  release(broken = this.#broken): void {
    this.#client.release(broken)
  }

  /**
   * A cancel reaches the statement that the server is at, and none of those that travel behind it: so again and again,
   * until nothing is under way. Not before the transaction has begun: what follows a `begin` that was cancelled would
   * be written.
   */
  async #cancelUntilIdle(): Promise<void> {
    if (this.#under === 0) return
    const canceller = new pg.Client({ connectionString: this.#url, connectionTimeoutMillis: PATIENCE })
    canceller.on('error', () => {})
    await canceller.connect()
    try {
      await this.#begun
      const { text, values } = cancelSql((this.#client as unknown as { processID: number }).processID)
      while (this.#under > 0) {
        await canceller.query(text, values as unknown[])
        if (this.#under > 0) await sleep(AGAIN)
      }
    } finally {
      await canceller.end()
    }
  }

  /** Where nothing can be cancelled the work ends all the same: without its connection. */
  #cut(): void {
    ;(this.#client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
  }
}

/** The connections that some work holds, and the end of what they do when its time is up. */
export class HeldClients {
  readonly #pool: pg.Pool
  readonly #url: string
  readonly #watch: Watch
  readonly #held = new Set<HeldClient>()
  #listens = false

  constructor(pool: pg.Pool, url: string, watch: Watch) {
    this.#pool = pool
    this.#url = url
    this.#watch = watch
  }

  /** A statement of its own, on any connection. */
  async query(config: string | pg.QueryConfig): Promise<pg.QueryResult> {
    const held = await this.take()
    try {
      return await held.query(config)
    } catch (error) {
      throw isAnswerLost(error) && mayWrite(textOf(config)) ? new OutcomeUnknown(error) : error
    } finally {
      const spared = this.spare(held)
      if (spared !== undefined) await spared
      held.release()
    }
  }

  /** @throws why the time is up, when it is before a connection is free */
  async take(): Promise<HeldClient> {
    throwIfOver(this.#watch)
    this.#listen()
    const client = await this.#connect()
    if (this.#watch.over !== undefined) client.release()
    throwIfOver(this.#watch)
    const held = new HeldClient(client, this.#url)
    this.#held.add(held)
    return held
  }

  /** Where all connections are in use, the wait for one ends with the time. */
  #connect(): Promise<pg.PoolClient> {
    const isFree = this.#pool.idleCount > this.#pool.waitingCount
    const connecting = this.#pool.connect()
    return isFree || this.#watch.whenOver === undefined ? connecting : this.#waitFor(connecting)
  }

  async #waitFor(connecting: Promise<pg.PoolClient>): Promise<pg.PoolClient> {
    const over = Promise.withResolvers<never>()
    const forget = this.#watch.whenOver!(() => over.reject(this.#watch.over))
    try {
      return await Promise.race([connecting, over.promise])
    } catch (error) {
      connecting.then(
        (client) => client.release(),
        () => {},
      )
      throwIfOver(this.#watch)
      throw error
    } finally {
      forget()
    }
  }

  /** Resolves when nothing that the connection does from now on is cancelled; undefined: nothing is as it stands. */
  spare(held: HeldClient): Promise<void> | undefined {
    this.#held.delete(held)
    return held.settled
  }

  #listen(): void {
    if (this.#listens) return
    this.#listens = true
    this.#watch.whenOver?.(() => {
      for (const held of this.#held) held.cancel()
    })
  }
}
