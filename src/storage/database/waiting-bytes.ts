/** Bytes that lie in the database already and wait there for the record that they become part of. */
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
