/** Bytes that are already in the database, waiting to become part of a record. */
export class WaitingBytes {
  readonly id: string
  readonly length: number
  readonly md5: string

  constructor(id: string, length: number, md5: string) {
    this.id = id
    this.length = length
    this.md5 = md5
  }
}

export const isBytes = (value: unknown): value is Uint8Array | WaitingBytes =>
  value instanceof Uint8Array || value instanceof WaitingBytes
