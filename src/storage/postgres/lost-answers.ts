import { backendSql } from './backends.sql.ts'
import type { HeldClient } from './held-client.ts'
import type { OrgNodes } from './org-nodes.ts'
import type { PostgresProbe } from './postgres-probe.ts'

/** Interval of checking connections, in milliseconds. */
const INTERVAL_MS = 500

/** After this wait an answer may be lost, in milliseconds. */
const SUSPECT_AFTER_MS = 1000

/**
 * A statement may take longer to arrive: PostgreSQL is idle until it has received all of it. Minimum speed of the network
 * that is allowed for, in bytes per millisecond.
 */
const MIN_BYTES_PER_MS = 64

/** The wait of a connection, as last observed. */
interface Wait {
  readonly since: number
  readonly bytesRead: number
}

/**
 * Closes connections that wait for an answer that never comes: if a network loses bytes and recovers, neither side is told.
 * A separate connection asks PostgreSQL whether it is working for them; if it is idle twice in a row while no byte
 * has arrived, the answer is lost. A server that is merely slow, or waits for a lock, is not idle. Behind a connection
 * pooler, whose process ids are not PostgreSQL's, no connection is closed. In a cluster PostgreSQL works for connections that wait for a
 * node: those are closed when the node does not answer.
 */
export class LostAnswers {
  readonly #probe: PostgresProbe
  readonly #nodes: OrgNodes
  readonly #held = new Set<HeldClient>()
  /** Connections that were idle in PostgreSQL at the last check. */
  #suspects = new Map<HeldClient, Wait>()
  #timer: NodeJS.Timeout | undefined
  #isQuerying = false
  /** True if the process ids that the driver knows are PostgreSQL's. */
  #isDirect = false

  constructor(probe: PostgresProbe, nodes: OrgNodes) {
    this.#probe = probe
    this.#nodes = nodes
  }

  /**
   * Detects a connection pooler.
   * @returns false if there is one
   */
  async open(held: HeldClient): Promise<boolean> {
    const { rows } = await held.query(backendSql.processId)
    const [row] = rows as { processId: number }[]
    this.#isDirect = row!.processId === held.processId
    return this.#isDirect
  }

  watch(held: HeldClient): void {
    if (!this.#isDirect) return
    this.#held.add(held)
    this.#timer ??= setInterval(() => void this.#check(), INTERVAL_MS).unref()
  }

  forget(held: HeldClient): void {
    this.#held.delete(held)
  }

  close(): void {
    clearInterval(this.#timer)
  }

  async #check(): Promise<void> {
    if (this.#held.size === 0) {
      clearInterval(this.#timer)
      this.#timer = undefined
    }
    const waits = this.#findLongWaits()
    if (waits.size === 0) {
      this.#suspects.clear()
      return
    }
    if (this.#isQuerying) return
    this.#isQuerying = true
    try {
      await this.#cutSilent(waits)
      await this.#judge(waits)
    } catch {
      // The database does not answer at all, so the check has no result.
      this.#suspects.clear()
    } finally {
      this.#isQuerying = false
    }
  }

  #findLongWaits(): Map<HeldClient, Wait> {
    const now = performance.now()
    const waits = new Map<HeldClient, Wait>()
    for (const held of this.#held) {
      const since = held.waitingSince
      if (since === undefined || held.processId === null) continue
      const { bytes, waiting } = held.sent
      if (waiting === 0 && now - since > SUSPECT_AFTER_MS + bytes / MIN_BYTES_PER_MS) {
        waits.set(held, { since, bytesRead: held.bytesRead })
      }
    }
    return waits
  }

  /** Their locks end with the node. */
  async #cutSilent(waits: ReadonlyMap<HeldClient, Wait>): Promise<void> {
    const onNodes = [...waits].filter(([{ node }]) => node !== undefined)
    if (onNodes.length === 0) return
    await this.#nodes.check()
    for (const [held, { since }] of onNodes)
      if (this.#nodes.isSilent(held.node) && held.waitingSince === since) held.cut()
  }

  async #judge(waits: ReadonlyMap<HeldClient, Wait>): Promise<void> {
    const idle = await this.#probe.findIdle([...waits.keys()].map(({ processId }) => processId!))
    const suspects = new Map<HeldClient, Wait>()
    const lost: HeldClient[] = []
    for (const [held, wait] of waits) {
      if (!idle.has(held.processId!)) continue
      // It may have received its answer meanwhile.
      if (held.waitingSince !== wait.since || held.bytesRead !== wait.bytesRead) continue
      const before = this.#suspects.get(held)
      if (before?.since === wait.since && before.bytesRead === wait.bytesRead) lost.push(held)
      else suspects.set(held, wait)
    }
    this.#suspects = suspects
    if (lost.length === 0) return
    for (const held of lost) held.cut()
    // Their locks may block other calls.
    await this.#probe.terminate(lost.map(({ processId }) => processId!))
  }
}
