import pg from 'pg'
import { NoConnection, nodeIsSilent } from '../database/pg-error.ts'
import { type Turn, Turns } from '../database/turns.ts'
import { throwIfOver, type Watch } from '../database/watch.ts'
import { HeldClient } from './held-client.ts'
import type { LostAnswers } from './lost-answers.ts'
import type { OrgNodes } from './org-nodes.ts'
import { countRemembered, type Statement } from './statement-query.ts'

/** Time limit of opening a connection: one that hangs in the network must not keep its slot. In milliseconds. */
const CONNECT_MS = 3000

/** Kept open however long they rest: PostgreSQL may be unable to open new ones while its disk is full. */
const MIN_IDLE = 2

/**
 * Maximum number of statements that a connection prepares, or carries out for a script, before another one takes its place: PostgreSQL
 * keeps them, and what it knows of their tables, as long as the connection lives. With thousands of orgs that is much: 0.1 MB for each.
 */
const MAX_REMEMBERED = 500

/** Gives connections to statements and transactions. */
export interface Connections {
  /**
   * Takes a connection; the caller must release it.
   * @param statement that it is for; absent: it is for a transaction
   * @throws ApiError SERVER_UNAVAILABLE if none is free in time; the reason of the watch if it ends first
   */
  take(watch?: Watch, statement?: Statement): Promise<HeldClient>
}

export interface PoolSettings {
  readonly connections: number
  /** Maximum wait for a connection, in milliseconds. */
  readonly waitMs: number
  readonly url: string
  readonly config: pg.PoolConfig
  /** The node of a cluster that all connections lead to, if it is not the coordinator. */
  readonly node?: string
  /** Called when a connection broke while it was used. */
  readonly onBroken?: () => void
}

/** Why a connection is not given to others: something has left a transaction open, and its statements would belong to that, or fail. */
const findUnfinished = (client: pg.PoolClient): Error | undefined =>
  client.getTransactionStatus() === 'I' ? undefined : new Error('A transaction was left open')

/** Connections to one PostgreSQL server, shared fairly among callers. */
export class ConnectionPool implements Connections {
  readonly #pool: pg.Pool
  /** So many others are open when a connection is closed to be replaced. */
  readonly #least: number
  readonly #turns: Turns
  readonly #lost: LostAnswers
  readonly #nodes: OrgNodes
  readonly #node: string | undefined
  readonly #onBroken: (() => void) | undefined

  constructor(
    { connections, waitMs, url, config, node, onBroken }: PoolSettings,
    lost: LostAnswers,
    nodes: OrgNodes,
  ) {
    this.#lost = lost
    this.#least = Math.min(MIN_IDLE, connections - 1)
    this.#nodes = nodes
    this.#node = node
    this.#onBroken = onBroken
    this.#turns = new Turns({ connections, waitMs })
    this.#pool = new pg.Pool({
      ...config,
      connectionString: url,
      max: connections,
      min: MIN_IDLE,
      connectionTimeoutMillis: Math.min(CONNECT_MS, waitMs),
    })
    // A broken connection is replaced at its next use; the call that used it receives the error itself.
    this.#pool.on('error', () => {})
    this.#pool.on('connect', (client) => client.on('error', () => {}))
  }

  async take(watch?: Watch, statement?: Statement): Promise<HeldClient> {
    const node = this.#node ?? this.#nodes.of(watch?.orgId, statement?.text)
    if (this.#nodes.isSilent(node)) throw nodeIsSilent()
    // Orgs of one node share connections with those of others, unless all lead there.
    const given = this.#turns.take({ watch, node: this.#node === undefined ? node : undefined })
    const turn = given instanceof Promise ? await given : given
    let client: pg.PoolClient
    try {
      client = await this.#connect(watch)
    } catch (error) {
      this.#turns.release(turn)
      if (watch !== undefined) throwIfOver(watch)
      throw new NoConnection(error)
    }
    return this.#hold(client, turn, node)
  }

  end(): Promise<void> {
    return this.#pool.end()
  }

  #hold(client: pg.PoolClient, turn: Turn, node: string | undefined): HeldClient {
    const held = new HeldClient(client, { node, isDirect: this.#node !== undefined }, (broken) => {
      this.#lost.forget(held)
      if (broken !== undefined) this.#onBroken?.()
      const error = broken ?? findUnfinished(client)
      if (error === undefined && countRemembered(client) > MAX_REMEMBERED) {
        void this.#replace(client, turn)
        return
      }
      client.release(error)
      this.#turns.release(turn)
    })
    this.#lost.watch(held)
    return held
  }

  /** Closes a connection, once enough others are open: it is kept if PostgreSQL opens none. */
  async #replace(client: pg.PoolClient, turn: Turn): Promise<void> {
    const others: pg.PoolClient[] = []
    try {
      while (this.#pool.totalCount <= this.#least) others.push(await this.#pool.connect())
    } catch {
      // It is tried again when the connection is released the next time.
    }
    for (const other of others) other.release()
    client.release(this.#pool.totalCount > this.#least)
    this.#turns.release(turn)
  }

  /** Waits for a new connection until the time is up. */
  #connect(watch: Watch | undefined): Promise<pg.PoolClient> {
    const connecting = this.#pool.connect()
    return this.#pool.idleCount > 0 || watch?.whenOver === undefined
      ? connecting
      : this.#waitFor(connecting, watch)
  }

  async #waitFor(connecting: Promise<pg.PoolClient>, watch: Watch): Promise<pg.PoolClient> {
    const over = Promise.withResolvers<never>()
    const forget = watch.whenOver!(() => over.reject(watch.over))
    try {
      return await Promise.race([connecting, over.promise])
    } catch (error) {
      connecting.then(
        (client) => client.release(),
        () => {},
      )
      throw error
    } finally {
      forget()
    }
  }
}
