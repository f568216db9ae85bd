import { ApiError } from '../../base/api-error.ts'
import type { Unknown } from './bayeux.ts'
import type { StreamClient, StreamClients } from './stream-clients.ts'

/** How often it is looked after clients whose connect is held, in milliseconds. */
const CHECK_MS = 1000

/** Why a connect is held no longer. */
export type HoldEnd = 'time is up' | 'left' | 'replaced' | 'disconnected' | Unknown

/** True if a connect may not have events any more. */
export const isBroken = (over: HoldEnd | undefined): over is Exclude<HoldEnd, 'time is up'> =>
  over !== undefined && over !== 'time is up'

/** A connect that waits for events. */
export class Hold {
  /** As the connect knows it. */
  client: StreamClient
  /** Finds out why the client may not go on; undefined: it may. */
  readonly findObstacle: () => Promise<Unknown | undefined>
  #end: HoldEnd | undefined
  #interruption = new AbortController()

  constructor(client: StreamClient, findObstacle: Hold['findObstacle']) {
    this.client = client
    this.findObstacle = findObstacle
  }

  /** Undefined while it is held. */
  get over(): HoldEnd | undefined {
    return this.#end
  }

  /** Aborts when there is something else to see to than events. */
  get interruption(): AbortSignal {
    return this.#interruption.signal
  }

  /** Has it look at the client again. */
  wake(): void {
    this.#interruption.abort()
  }

  end(why: HoldEnd): void {
    this.#end ??= why
    this.wake()
  }

  /** Goes on after an interruption, if it is not over. */
  resume(): void {
    if (this.#end === undefined) this.#interruption = new AbortController()
  }
}

/**
 * The connects that this process holds: without a connection to the database, and beside the calls. What happens to their clients
 * in other processes, and to their tokens, is asked for all of them together.
 */
export class HeldConnects {
  readonly #clients: StreamClients
  readonly #holds = new Map<string, Hold>()
  #timer: NodeJS.Timeout | undefined
  #isChecking = false

  constructor(clients: StreamClients) {
    this.#clients = clients
  }

  /** Holds a connect instead of the one before of the same client. */
  begin(hold: Hold): void {
    const { id } = hold.client
    this.#holds.get(id)?.end('replaced')
    this.#holds.set(id, hold)
    this.#timer ??= setInterval(() => void this.#check(), CHECK_MS).unref()
  }

  /** Must be called when a connect is answered, however it ended. */
  release(hold: Hold): void {
    const { id } = hold.client
    if (this.#holds.get(id) === hold) this.#holds.delete(id)
    if (this.#holds.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** The subscriptions of the client have changed. */
  wake(clientId: string): void {
    this.#holds.get(clientId)?.wake()
  }

  disconnect(clientId: string): void {
    this.#holds.get(clientId)?.end('disconnected')
  }

  async #check(): Promise<void> {
    if (this.#isChecking) return
    this.#isChecking = true
    try {
      const holds = [...this.#holds.values()]
      const versions = await this.#clients.versions(holds.map(({ client }) => client.id))
      for (const hold of holds) {
        if (hold.client.version !== versions.get(hold.client.id)) hold.wake()
        await this.#checkOne(hold)
      }
    } catch {
      // The database fails: whoever waits goes on to wait, and is looked after next time.
    } finally {
      this.#isChecking = false
    }
  }

  async #checkOne(hold: Hold): Promise<void> {
    try {
      const obstacle = await hold.findObstacle()
      if (obstacle !== undefined) hold.end(obstacle)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // It meets the same.
      hold.wake()
    }
  }
}
