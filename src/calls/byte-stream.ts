/** Bytes as the body of a reply, sent piece by piece without buffering all of them. */
export class ByteStream {
  readonly length: number
  readonly pieces: () => AsyncIterable<Uint8Array>

  constructor(length: number, pieces: () => AsyncIterable<Uint8Array>) {
    this.length = length
    this.pieces = pieces
  }
}
