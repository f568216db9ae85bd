import { getOrInsert } from '../base/get-or-insert.ts'
import { serverTooBusy } from '../base/server-too-busy.ts'
import { throwIfOver, type Watch } from './watch.ts'

/** The right to use one connection, until it is released. */
export interface Turn {
  /** Whose work it is; undefined: the server's own. */
  readonly orgId: string | undefined
  readonly object: string | undefined
}

interface Waiter {
  readonly turn: Turn
  begin(): void
}

export interface TurnOptions {
  readonly watch?: Watch | undefined
  /** Goes before all who wait. */
  readonly isUrgent?: boolean
}

interface TurnLimits {
  /** How many connections there are. */
  readonly connections: number
  /** Longest wait for a turn, in milliseconds. */
  readonly waitMs: number
}

const count = (counts: Map<string, number>, key: string, by: 1 | -1): void => {
  const now = (counts.get(key) ?? 0) + by
  if (now === 0) counts.delete(key)
  else counts.set(key, now)
}

const objectKey = (orgId: string, object: string) => `${orgId} ${object}`

/**
 * Hands out the connections to the database. Work of one org may have three quarters of them, work on one of its objects
 * half, so that others are served while everybody waits for one locked table. Orgs that wait are served in turn, the work of
 * one org in the order of coming.
 */
export class Turns {
  readonly #limits: TurnLimits
  readonly #mostOfOrg: number
  readonly #mostOfObject: number
  #taken = 0
  readonly #ofOrgs = new Map<string, number>()
  readonly #ofObjects = new Map<string, number>()
  readonly #urgent: Waiter[] = []
  /** By org; the org that was served longest ago comes first. */
  readonly #waiting = new Map<string | undefined, Waiter[]>()

  constructor(limits: TurnLimits) {
    this.#limits = limits
    this.#mostOfOrg = Math.max(1, Math.floor((limits.connections * 3) / 4))
    this.#mostOfObject = Math.max(1, Math.floor(limits.connections / 2))
  }

  /**
   * @throws ApiError SERVER_UNAVAILABLE after the longest wait; why the watch is over, when it is before
   */
  take({ watch, isUrgent = false }: TurnOptions = {}): Turn | Promise<Turn> {
    if (watch !== undefined) throwIfOver(watch)
    const turn: Turn = { orgId: watch?.orgId, object: watch?.object }
    // Those who wait while there is a connection wait for their share.
    if (this.#taken === this.#limits.connections || !this.#mayBegin(turn)) {
      return this.#wait(turn, watch, isUrgent)
    }
    this.#note(turn, 1)
    return turn
  }

  release(turn: Turn): void {
    this.#note(turn, -1)
    const next = this.#takeNext()
    if (next === undefined) return
    this.#note(next.turn, 1)
    next.begin()
  }

  #mayBegin({ orgId, object }: Turn): boolean {
    if (orgId === undefined) return true
    if ((this.#ofOrgs.get(orgId) ?? 0) >= this.#mostOfOrg) return false
    return object === undefined || (this.#ofObjects.get(objectKey(orgId, object)) ?? 0) < this.#mostOfObject
  }

  #note({ orgId, object }: Turn, by: 1 | -1): void {
    this.#taken += by
    if (orgId === undefined) return
    count(this.#ofOrgs, orgId, by)
    if (object !== undefined) count(this.#ofObjects, objectKey(orgId, object), by)
  }

  #takeNext(): Waiter | undefined {
    const urgent = this.#urgent.shift()
    if (urgent !== undefined) return urgent
    for (const [orgId, waiters] of this.#waiting) {
      const index = waiters.findIndex(({ turn }) => this.#mayBegin(turn))
      if (index < 0) continue
      const [next] = waiters.splice(index, 1)
      this.#waiting.delete(orgId)
      if (waiters.length > 0) this.#waiting.set(orgId, waiters)
      return next
    }
    return undefined
  }

  async #wait(turn: Turn, watch: Watch | undefined, isUrgent: boolean): Promise<Turn> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiter: Waiter = { turn, begin: resolve }
    const line = isUrgent ? this.#urgent : getOrInsert(this.#waiting, turn.orgId, () => [])
    line.push(waiter)
    const giveUp = (reason: unknown) => {
      const index = line.indexOf(waiter)
      // It has begun just now.
      if (index < 0) return
      line.splice(index, 1)
      if (line.length === 0 && !isUrgent && this.#waiting.get(turn.orgId) === line) {
        this.#waiting.delete(turn.orgId)
      }
      reject(reason)
    }
    const timer = setTimeout(() => giveUp(serverTooBusy()), this.#limits.waitMs)
    const forget = watch?.whenOver?.(() => giveUp(watch.over))
    try {
      await promise
      return turn
    } finally {
      clearTimeout(timer)
      forget?.()
    }
  }
}
