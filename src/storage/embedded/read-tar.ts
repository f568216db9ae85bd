/** A tar file is made of blocks of this size: a header for each entry, then its bytes. */
const BLOCK = 512

/** An entry of a tar file. */
export interface TarEntry {
  readonly name: string
  readonly isFolder: boolean
  readonly bytes: Uint8Array
  /** The entry as it is, with its header. */
  readonly whole: Uint8Array
}

const textAt = (bytes: Uint8Array, start: number, length: number) =>
  Buffer.from(bytes.subarray(start, start + length))
    .toString('latin1')
    .replace(/\0.*$/s, '')

/** The entries of a tar file that the engine wrote: names are short, and begin with a slash. */
export function* readTar(tar: Uint8Array): Generator<TarEntry> {
  for (let start = 0; start + BLOCK <= tar.length; ) {
    const size = Number.parseInt(textAt(tar, start + 124, 12), 8) || 0
    const data = start + BLOCK
    const end = data + Math.ceil(size / BLOCK) * BLOCK
    const name = textAt(tar, start, 100)
    const isFolder = textAt(tar, start + 156, 1) === '5'
    yield { name, isFolder, bytes: tar.subarray(data, data + size), whole: tar.subarray(start, end) }
    start = end
  }
}
