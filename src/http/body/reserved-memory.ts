import type { Reservation, SharedBytes, WhenOver } from '../../quota/shared-bytes.ts'
import type { BodyMemory } from '../pipeline/http-context.ts'

/** In bytes. Smaller bodies are not counted: they are held for a moment only, and there are many of them. */
export const SMALL_BODY_BYTES = 1024 * 1024

/** A body of unknown length gets memory in pieces of this size as it comes. */
const PIECE_BYTES = 4 * 1024 * 1024

/** The memory for the body of one request: reserved at once where its length is known, otherwise as it comes. */
export class ReservedMemory implements BodyMemory {
  readonly #received: SharedBytes
  readonly #org: string
  readonly #whenOver: WhenOver
  readonly #held: Reservation[] = []
  /** Bytes that may arrive before more are needed. */
  #bytes = SMALL_BODY_BYTES
  #onTooSlow: Reservation['onTooSlow']
  #isReleased = false

  constructor(received: SharedBytes, org: string, whenOver: WhenOver) {
    this.#received = received
    this.#org = org
    this.#whenOver = whenOver
  }

  /** @throws ApiError SERVER_UNAVAILABLE after the longest wait */
  async reserve(bytes: number): Promise<void> {
    const isMore = this.#held.length > 0
    const made = await this.#received.reserve(this.#org, bytes, isMore, this.#whenOver)
    // The request may have ended meanwhile.
    if (this.#isReleased) return made.release()
    this.#held.push(made)
    this.#bytes = isMore ? this.#bytes + bytes : Math.max(bytes, this.#bytes)
    this.#follow(made)
  }

  begin(onTooSlow: Reservation['onTooSlow']): void {
    this.#onTooSlow = onTooSlow
    for (const made of this.#held) this.#follow(made)
  }

  /** Only the first piece is followed: all of them belong to one body. */
  #follow(made: Reservation): void {
    if (made === this.#held[0]) made.onTooSlow = this.#onTooSlow
  }

  needsMore(length: number): Promise<void> | undefined {
    const [first] = this.#held
    // Unpacking starts with an empty buffer.
    if (first !== undefined) first.received = Math.max(first.received, length)
    return length > this.#bytes ? this.reserve(Math.min(PIECE_BYTES, this.#received.largest)) : undefined
  }

  end(): void {
    this.begin(undefined)
  }

  release(): void {
    this.#isReleased = true
    for (const made of this.#held) made.release()
  }
}
