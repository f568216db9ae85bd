import { backendSql } from './backends.sql.ts'
import type { HeldClient } from './held-client.ts'
import type { PostgresProbe } from './postgres-probe.ts'

/** How often it is looked at what connections wait for, in milliseconds. */
const INTERVAL_MS = 500

/** An answer that was waited for so long may be lost, in milliseconds. */
const PATIENCE_MS = 1000

/**
 * What was sent may be on its way for longer: PostgreSQL is at rest until it has come as a whole. So slow a network is waited
 * for, in bytes per millisecond.
 */
const SLOWEST_NETWORK = 64

/** What a connection waited for when it was looked at. */
interface Wait {
  readonly since: number
  readonly bytesRead: number
}

/**
 * Cuts connections that wait for an answer which never comes: a network that lost bytes and works again does not tell anybody.
 * PostgreSQL is asked, on a connection of its own, whether it is at something; when it has been at rest twice in a row while
 * no byte has come, there will be no answer. A server that is merely slow, or waits for a lock, is at something. Behind a
 * connection pooler, whose process ids are not PostgreSQL's, nothing is cut.
 */
export class LostAnswers {
  readonly #probe: PostgresProbe
  readonly #held = new Set<HeldClient>()
  /** Those that PostgreSQL had no work for when it was asked last. */
  #suspects = new Map<HeldClient, Wait>()
  #timer: NodeJS.Timeout | undefined
  #isQuerying = false
  /** Whether the process ids that the driver knows are those of PostgreSQL. */
  #isDirect = false

  constructor(probe: PostgresProbe) {
    this.#probe = probe
  }

  /** Learns on a connection whether there is a pooler between. */
  async open(held: HeldClient): Promise<void> {
    const { rows } = await held.query(backendSql.processId)
    const [row] = rows as { processId: number }[]
    this.#isDirect = row!.processId === held.processId
  }

  watch(held: HeldClient): void {
    if (!this.#isDirect) return
    this.#held.add(held)
    this.#timer ??= setInterval(() => void this.#look(), INTERVAL_MS).unref()
  }

  forget(held: HeldClient): void {
    this.#held.delete(held)
  }

  close(): void {
    clearInterval(this.#timer)
  }

  async #look(): Promise<void> {
    if (this.#held.size === 0) {
      clearInterval(this.#timer)
      this.#timer = undefined
    }
    const waits = this.#longWaits()
    if (waits.size === 0) {
      this.#suspects.clear()
      return
    }
    if (this.#isQuerying) return
    this.#isQuerying = true
    try {
      await this.#judge(waits)
    } catch {
      // The database does not answer at all: nobody knows.
      this.#suspects.clear()
    } finally {
      this.#isQuerying = false
    }
  }

  #longWaits(): Map<HeldClient, Wait> {
    const now = performance.now()
    const waits = new Map<HeldClient, Wait>()
    for (const held of this.#held) {
      const since = held.waitingSince
      if (since === undefined || held.processId === null) continue
      const { bytes, waiting } = held.sent
      if (waiting === 0 && now - since > PATIENCE_MS + bytes / SLOWEST_NETWORK) {
        waits.set(held, { since, bytesRead: held.bytesRead })
      }
    }
    return waits
  }

  async #judge(waits: ReadonlyMap<HeldClient, Wait>): Promise<void> {
    const atRest = await this.#probe.findAtRest([...waits.keys()].map(({ processId }) => processId!))
    const suspects = new Map<HeldClient, Wait>()
    const lost: HeldClient[] = []
    for (const [held, wait] of waits) {
      if (!atRest.has(held.processId!)) continue
      // It may have its answer by now.
      if (held.waitingSince !== wait.since || held.bytesRead !== wait.bytesRead) continue
      const before = this.#suspects.get(held)
      if (before?.since === wait.since && before.bytesRead === wait.bytesRead) lost.push(held)
      else suspects.set(held, wait)
    }
    this.#suspects = suspects
    if (lost.length === 0) return
    for (const held of lost) held.cut()
    // What they have locked others need.
    await this.#probe.terminate(lost.map(({ processId }) => processId!))
  }
}
