import { serverTooBusy } from '../../base/server-too-busy.ts'
import { throwIfOver, type Watch } from '../watch.ts'

/** Who waits for a turn. */
interface Waiter {
  /** @returns whether it was still waited for */
  begin(): boolean
}

export interface TurnOptions {
  readonly watch?: Watch | undefined
  /** Goes before all who wait. */
  readonly isUrgent?: boolean
}

/** The embedded engine has one connection: who needs it takes turns, in the order of coming. */
export class Turns {
  readonly #waitMs: number
  #isTaken = false
  readonly #waiting: Waiter[] = []

  /** @param waitMs longest wait for a turn */
  constructor(waitMs: number) {
    this.#waitMs = waitMs
  }

  /**
   * Undefined: the turn has begun at once. Whoever has one releases it.
   * @throws ApiError SERVER_UNAVAILABLE after the longest wait; why the watch is over, when it is before
   */
  take({ watch, isUrgent = false }: TurnOptions = {}): Promise<void> | undefined {
    if (watch !== undefined) throwIfOver(watch)
    if (this.#isTaken) return this.#wait(watch, isUrgent)
    this.#isTaken = true
    return undefined
  }

  release(): void {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      if (next.begin()) return
    }
    this.#isTaken = false
  }

  async #wait(watch: Watch | undefined, isUrgent: boolean): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    let isWaiting = true
    const begin = () => {
      const wasWaiting = isWaiting
      if (wasWaiting) resolve()
      return wasWaiting
    }
    const giveUp = (reason: unknown) => {
      isWaiting = false
      reject(reason)
    }
    if (isUrgent) this.#waiting.unshift({ begin })
    else this.#waiting.push({ begin })
    const timer = setTimeout(() => giveUp(serverTooBusy()), this.#waitMs)
    const forget = watch?.whenOver?.(() => giveUp(watch.over))
    try {
      await promise
    } finally {
      clearTimeout(timer)
      forget?.()
    }
  }
}
