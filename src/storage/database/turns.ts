import { serverTooBusy } from '../../base/api-error.ts'
import { getOrInsert } from '../../base/get-or-insert.ts'
import { throwIfOver, type Watch } from './watch.ts'

/** Connections in use for an org or one of its objects. */
interface Use {
  readonly name: string
  connections: number
  /** Turns that have begun and turns that wait. */
  turns: number
}

/** Connections in use for one org. */
interface OrgUse extends Use {
  readonly objects: Map<string, Use>
}

/** The right to use one connection, until it is released. */
export interface Turn {
  /** The org that the work belongs to; undefined for the server's own work. */
  readonly org: OrgUse | undefined
  readonly object: Use | undefined
  /** The node of a cluster that it waits for. */
  readonly node: Use | undefined
}

interface Waiter {
  readonly turn: Turn
  /** On the clock of `performance.now`. */
  readonly since: number
  begin(): void
  giveUp(reason: unknown): void
}

/** Interval of looking for those who have waited too long, in milliseconds. */
const CHECK_MS = 50

/** Number of urgent turns that may begin in a row while others wait. */
const MAX_URGENT_IN_A_ROW = 4

/** Number of idle entries that are kept for reuse. */
const MAX_IDLE = 100

const unused = (name: string): Use => ({ name, connections: 0, turns: 0 })

function leave<U extends Use>(uses: Map<string, U>, use: U): void {
  use.turns--
  if (use.turns === 0 && uses.size > MAX_IDLE) uses.delete(use.name)
}

export interface TurnOptions {
  readonly watch?: Watch | undefined
  /** The node of a cluster that the org is on. */
  readonly node?: string | undefined
  /** Goes before others that wait; of five turns one is theirs. */
  readonly isUrgent?: boolean
}

interface TurnLimits {
  /** Number of connections. */
  readonly connections: number
  /** Maximum wait for a turn, in milliseconds. */
  readonly waitMs: number
}

/**
 * Shares the connections to the database fairly. Work of one org may use three quarters of them, work on one of its objects
 * half, so that others are served while many calls wait for one locked table. In a cluster the orgs of one node may use three quarters
 * together. Waiting orgs are served in turn, the calls of one org in order of arrival. Urgent work goes first, but keeps nobody
 * waiting however much of it there is.
 */
export class Turns {
  readonly #limits: TurnLimits
  readonly #maxOfOrg: number
  readonly #maxOfObject: number
  #taken = 0
  readonly #orgs = new Map<string, OrgUse>()
  readonly #nodes = new Map<string, Use>()
  readonly #urgent: Waiter[] = []
  /** Number of urgent turns that began since another one did. */
  #urgentInARow = 0
  #timer: NodeJS.Timeout | undefined
  /** By org; the least recently served org first. */
  readonly #waiting = new Map<OrgUse | undefined, Waiter[]>()

  constructor(limits: TurnLimits) {
    this.#limits = limits
    this.#maxOfOrg = Math.max(1, Math.floor((limits.connections * 3) / 4))
    this.#maxOfObject = Math.max(1, Math.floor(limits.connections / 2))
  }

  /**
   * @throws ApiError SERVER_UNAVAILABLE after the maximum wait; the reason of the watch if it ends first
   */
  take({ watch, node, isUrgent = false }: TurnOptions = {}): Turn | Promise<Turn> {
    if (watch !== undefined) throwIfOver(watch)
    const turn = this.#getTurn(watch, node)
    // A call may have to wait for its share although a connection is free.
    if (this.#taken === this.#limits.connections || !this.#mayBegin(turn)) {
      return this.#wait(turn, watch, isUrgent)
    }
    if (!isUrgent) this.#urgentInARow = 0
    this.#note(turn, 1)
    return turn
  }

  release(turn: Turn): void {
    this.#note(turn, -1)
    this.#leave(turn)
    const next = this.#takeNext()
    if (next === undefined) return
    this.#note(next.turn, 1)
    next.begin()
  }

  #getTurn(watch: Watch | undefined, nodeName: string | undefined): Turn {
    const node =
      nodeName === undefined ? undefined : getOrInsert(this.#nodes, nodeName, () => unused(nodeName))
    if (node !== undefined) node.turns++
    if (watch?.orgId === undefined) return { org: undefined, object: undefined, node }
    const { orgId, object: name } = watch
    const org = getOrInsert(this.#orgs, orgId, (): OrgUse => ({ ...unused(orgId), objects: new Map() }))
    org.turns++
    if (name === undefined) return { org, object: undefined, node }
    const object = getOrInsert(org.objects, name, () => unused(name))
    object.turns++
    return { org, object, node }
  }

  #leave({ org, object, node }: Turn): void {
    if (node !== undefined) leave(this.#nodes, node)
    if (org === undefined) return
    if (object !== undefined) leave(org.objects, object)
    leave(this.#orgs, org)
  }

  #mayBegin({ org, object, node }: Turn): boolean {
    if (node !== undefined && node.connections >= this.#maxOfOrg) return false
    if (org === undefined) return true
    if (org.connections >= this.#maxOfOrg) return false
    return object === undefined || object.connections < this.#maxOfObject
  }

  #note({ org, object, node }: Turn, by: 1 | -1): void {
    this.#taken += by
    if (node !== undefined) node.connections += by
    if (org !== undefined) org.connections += by
    if (object !== undefined) object.connections += by
  }

  #takeNext(): Waiter | undefined {
    const other = this.#urgentInARow < MAX_URGENT_IN_A_ROW ? undefined : this.#takeOther()
    const urgent = other === undefined ? this.#urgent.shift() : undefined
    this.#urgentInARow = urgent === undefined ? 0 : this.#urgentInARow + 1
    return other ?? urgent ?? this.#takeOther()
  }

  /** The next that is not urgent, and may begin. */
  #takeOther(): Waiter | undefined {
    for (const [org, waiters] of this.#waiting) {
      const index = waiters.findIndex(({ turn }) => this.#mayBegin(turn))
      if (index < 0) continue
      const [next] = waiters.splice(index, 1)
      this.#waiting.delete(org)
      if (waiters.length > 0) this.#waiting.set(org, waiters)
      return next
    }
    return undefined
  }

  #wait(turn: Turn, watch: Watch | undefined, isUrgent: boolean): Promise<Turn> {
    const { promise, resolve, reject } = Promise.withResolvers<Turn>()
    const line = isUrgent ? this.#urgent : getOrInsert(this.#waiting, turn.org, () => [])
    const waiter: Waiter = {
      turn,
      since: performance.now(),
      begin() {
        forget?.()
        resolve(turn)
      },
      giveUp: (reason) => {
        forget?.()
        const index = line.indexOf(waiter)
        // Its turn has just begun.
        if (index < 0) return
        line.splice(index, 1)
        if (line.length === 0 && !isUrgent && this.#waiting.get(turn.org) === line) {
          this.#waiting.delete(turn.org)
        }
        this.#leave(turn)
        reject(reason)
      },
    }
    const forget = watch?.whenOver?.(() => waiter.giveUp(watch.over))
    line.push(waiter)
    this.#timer ??= setInterval(() => this.#endLateWaits(), Math.min(CHECK_MS, this.#limits.waitMs))
    return promise
  }

  /** One timer for all who wait: starting and stopping one for each would cost more than most waits take. */
  #endLateWaits(): void {
    const latest = performance.now() - this.#limits.waitMs
    const lines = [this.#urgent, ...this.#waiting.values()]
    for (const waiter of lines.flat()) if (waiter.since <= latest) waiter.giveUp(serverTooBusy())
    if (this.#urgent.length > 0 || this.#waiting.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
