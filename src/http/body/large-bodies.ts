import { Turns } from '../../storage/database/turns.ts'
import type { HttpContext, Started } from '../pipeline/http-context.ts'

/** A body above this takes up ten times its size while it is read and carried out. */
export const LARGE_BODY_BYTES = 8 * 1024 * 1024

/** How many are in memory at a time; those of one org one by one. */
const MAX_AT_ONCE = 2

/** Longest wait for others, in milliseconds. */
const MAX_WAIT_MS = 30_000

/** Bounds the memory that large bodies take: the requests that bring them take turns. */
export class LargeBodies {
  readonly #turns = new Turns({ connections: MAX_AT_ONCE, waitMs: MAX_WAIT_MS })
  readonly #admitted = new WeakSet<object>()

  /**
   * Waits until there is room for the body of a request, which has it until it is answered.
   * @throws ApiError SERVER_UNAVAILABLE after the longest wait; why the call is over, when it is before
   */
  async admit({ response, running }: HttpContext & Partial<Started>): Promise<void> {
    const { raw } = response
    if (this.#admitted.has(raw)) return
    this.#admitted.add(raw)
    const turn = await this.#turns.take({ watch: running })
    if (raw.destroyed) this.#turns.release(turn)
    else raw.once('close', () => this.#turns.release(turn))
  }
}
