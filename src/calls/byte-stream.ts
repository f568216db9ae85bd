/** Bytes as the body of a reply, sent piece by piece without buffering all of them. */
export class ByteStream {
  /** Undefined if it is not known before. */
  readonly length: number | undefined
  readonly pieces: () => AsyncIterable<Uint8Array>
  /** It is text, so that packing it is worth the time. */
  readonly isText: boolean

  constructor(length: number | undefined, pieces: () => AsyncIterable<Uint8Array>, isText = false) {
    this.length = length
    this.pieces = pieces
    this.isText = isText
  }
}
