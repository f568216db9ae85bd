import { getOrInsert } from '../../base/get-or-insert.ts'
import { NoConnection } from '../database/pg-error.ts'
import { mayWrite } from '../database/transaction.sql.ts'
import type { Watch } from '../database/watch.ts'
import { ConnectionPool, type Connections, type PoolSettings } from './connection-pool.ts'
import type { HeldClient } from './held-client.ts'
import { LostAnswers } from './lost-answers.ts'
import type { OrgNodes } from './org-nodes.ts'
import { PostgresProbe } from './postgres-probe.ts'
import type { Statement } from './statement-query.ts'

/** A node that could not be connected to is tried again after this time, in milliseconds. */
const RETRY_MS = 30_000

/** Nodes have none of it, or another one than the coordinator: tables of the platform, counters, catalogs, advisory locks. */
const OF_COORDINATOR = /\bobjectry\.\w+(?!\w*\()|\bnextval\(|\bpg_(?!backend_pid\b)/

/** True if the node of its org can carry out a statement by itself, outside a transaction. */
const isForNode = ({ text, isForNode, isScript }: Statement): boolean =>
  isScript !== true && (isForNode === true || !mayWrite(text)) && !OF_COORDINATOR.test(text)

/** The address of a node in place of the coordinator's, with the same database, user and options. */
function urlOf(node: string, coordinator: string): string {
  const url = new URL(coordinator)
  url.host = node
  for (const name of ['host', 'port']) url.searchParams.delete(name)
  return url.href
}

/** The connections to one node, as soon as there are any. */
class NodePool {
  readonly #settings: PoolSettings
  readonly #probe: PostgresProbe
  readonly #lost: LostAnswers
  readonly #nodes: OrgNodes
  #pool: ConnectionPool | undefined
  #isUsable = false
  #triedAt = Number.NEGATIVE_INFINITY

  constructor(settings: PoolSettings, nodes: OrgNodes) {
    this.#settings = { ...settings, onBroken: () => this.#giveUp() }
    this.#nodes = nodes
    this.#probe = new PostgresProbe(settings.url)
    this.#lost = new LostAnswers(this.#probe, nodes)
  }

  /** Takes a connection; undefined while the node cannot be connected to, or that is not known yet. */
  async take(watch: Watch | undefined, statement?: Statement): Promise<HeldClient | undefined> {
    if (!this.#isUsable) {
      if (performance.now() - this.#triedAt > RETRY_MS) void this.#try()
      return undefined
    }
    try {
      return await this.#pool?.take(watch, statement)
    } catch (error) {
      if (!(error instanceof NoConnection)) throw error
      this.#giveUp()
      return undefined
    }
  }

  #giveUp(): void {
    this.#isUsable = false
    this.#triedAt = performance.now()
  }

  async close(): Promise<void> {
    this.#probe.cancel()
    this.#lost.close()
    await this.#pool?.end()
  }

  async #try(): Promise<void> {
    this.#triedAt = performance.now()
    this.#pool ??= new ConnectionPool(this.#settings, this.#lost, this.#nodes)
    try {
      const held = await this.#pool.take()
      try {
        this.#isUsable = await this.#lost.open(held)
      } finally {
        held.release()
      }
    } catch {
      // The coordinator may have another way to the node.
    }
  }
}

/**
 * The connections to a cluster. A statement that the node of its org can carry out by itself goes straight there, because the coordinator would
 * plan it once more and pass it on; everything else goes to the coordinator, and so does all as long as a node cannot be reached from here.
 * An org that has moved meanwhile is found by any node.
 */
export class NodePools implements Connections {
  readonly #coordinator: ConnectionPool
  readonly #settings: PoolSettings
  readonly #nodes: OrgNodes
  readonly #pools = new Map<string, NodePool>()

  /** @param settings of the coordinator's pool; each node gets one like it */
  constructor(coordinator: ConnectionPool, settings: PoolSettings, nodes: OrgNodes) {
    this.#coordinator = coordinator
    this.#settings = settings
    this.#nodes = nodes
  }

  async take(watch?: Watch, statement?: Statement): Promise<HeldClient> {
    const own = statement && this.#find(statement)
    const held = own && (await own.take(watch, statement))
    return held ?? this.#coordinator.take(watch, statement)
  }

  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.close()))
  }

  /** The connections of the node that can carry out a statement. */
  #find(statement: Statement): NodePool | undefined {
    const node = this.#nodes.workerOf(statement.text)
    // The driver can read more addresses than this.
    if (node === undefined || !isForNode(statement) || !URL.canParse(this.#settings.url)) return undefined
    return getOrInsert(this.#pools, node, () => {
      const url = urlOf(node, this.#settings.url)
      return new NodePool({ ...this.#settings, url, node }, this.#nodes)
    })
  }
}
