import { SMALL_BODY_BYTES } from './reserved-memory.ts'

/**
 * The bytes of a body, in the order in which they are added. A large body is written into one buffer while it comes: joined in
 * the end, it would for a moment take twice its size.
 */
export class GatheredBytes {
  readonly #max: number
  #chunks: Buffer[] = []
  #buffer: Buffer | undefined
  #length = 0

  /**
   * @param max how many bytes may be added
   * @param length how many will be added, where it is known
   */
  constructor(max: number, length?: number) {
    this.#max = length ?? max
  }

  get length(): number {
    return this.#length
  }

  add(chunk: Buffer): void {
    if (this.#buffer === undefined && this.#length + chunk.length > SMALL_BODY_BYTES) this.#makeBuffer()
    if (this.#buffer === undefined) this.#chunks.push(chunk)
    else this.#buffer.set(chunk, this.#length)
    this.#length += chunk.length
  }

  /** Unwritten pages take no memory, so the buffer may be larger than the body. */
  #makeBuffer(): void {
    this.#buffer = Buffer.allocUnsafeSlow(this.#max)
    let at = 0
    for (const chunk of this.#chunks) {
      this.#buffer.set(chunk, at)
      at += chunk.length
    }
    this.#chunks = []
  }

  join(): Buffer {
    if (this.#buffer !== undefined) return this.#buffer.subarray(0, this.#length)
    return this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks, this.#length)
  }
}
