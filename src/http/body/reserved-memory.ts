import type { BodyMemory } from '../pipeline/http-context.ts'
import { type ReceivedBytes, type Reservation, SMALL_BODY_BYTES } from './received-bytes.ts'

type WhenOver = Parameters<ReceivedBytes['reserve']>[3]

/** The memory for the body of one request: reserved at once where its length is known, otherwise as it comes. */
export class ReservedMemory implements BodyMemory {
  readonly #received: ReceivedBytes
  readonly #org: string
  readonly #whenOver: WhenOver
  readonly #held: Reservation[] = []
  /** What may come before more is needed. */
  #bytes = SMALL_BODY_BYTES
  #onTooSlow: Reservation['onTooSlow']
  #isReleased = false

  constructor(received: ReceivedBytes, org: string, whenOver: WhenOver) {
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
    // What is unpacked begins again with nothing.
    if (first !== undefined) first.received = Math.max(first.received, length)
    return length > this.#bytes ? this.reserve(this.#received.pieceBytes) : undefined
  }

  end(): void {
    this.begin(undefined)
  }

  release(): void {
    this.#isReleased = true
    for (const made of this.#held) made.release()
  }
}
