import { crc32 } from 'node:zlib'
import { type Entry, fromBufferPromise } from 'yauzl'
import { ApiError } from '../../base/api-error.ts'

/** A file of an archive: its path with `/`, and its text; undefined where nothing reads it. */
export interface ArchiveFile {
  readonly path: string
  readonly text: string | undefined
}

/** In bytes. (docs/reference/api/deployments.md#bounds) */
const MAX_ARCHIVE_BYTES = 39_000_000

const MAX_FILES = 10_000

/** Of all files that are read: an archive may say little and mean much. */
const MAX_UNPACKED_BYTES = 200 * 1024 * 1024

/** Of one file. */
const MAX_FILE_BYTES = 5 * 1024 * 1024

const refuse = (reason: string) => new ApiError('INVALID_INPUT', reason)

const SIGNATURE = Buffer.from('PK')

/**
 * Checks what can be told before an archive is read.
 * @param bytes undefined if they are not at hand
 * @throws ApiError INVALID_INPUT, LIMIT_EXCEEDED
 */
export function checkArchive(bytes: Uint8Array | undefined, length: number): void {
  if (length > MAX_ARCHIVE_BYTES) {
    throw new ApiError(
      'LIMIT_EXCEEDED',
      `The zip file has ${length} bytes. It may have ${MAX_ARCHIVE_BYTES}: deploy in several parts.`,
    )
  }
  if (bytes !== undefined && !SIGNATURE.equals(bytes.subarray(0, SIGNATURE.length)))
    throw refuse('The file is not a zip file.')
}

/** Reads the text of a file, whose length the archive says and may be wrong about. */
async function readText(stream: AsyncIterable<Uint8Array>, { fileName, crc32: sum }: Entry): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  if (crc32(bytes) !== sum)
    throw refuse(`${fileName.slice(0, 255)} is damaged: its check sum is another one.`)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw refuse(`${fileName.slice(0, 255)} is not UTF-8.`)
  }
}

/**
 * Reads the files of a zip archive. Bounds are checked before a file is unpacked, and the length that the archive says while it is.
 * @param isRead of a path: other files are there without their text
 * @throws ApiError INVALID_INPUT, LIMIT_EXCEEDED
 */
export async function readArchive(
  bytes: Buffer,
  isRead: (path: string) => boolean,
  deadline?: AbortSignal,
): Promise<ArchiveFile[]> {
  const files: ArchiveFile[] = []
  const seen = new Set<string>()
  let unpacked = 0
  try {
    const zip = await fromBufferPromise(bytes, { strictFileNames: true })
    if (zip.entryCount > MAX_FILES) throw tooMany()
    for await (const entry of zip.eachEntry()) {
      deadline?.throwIfAborted()
      const path = entry.fileName
      if (path.endsWith('/')) continue
      if (seen.size === MAX_FILES) throw tooMany()
      if (seen.has(path)) throw refuse(`The zip file has ${path.slice(0, 255)} twice.`)
      seen.add(path)
      if (!isRead(path)) {
        files.push({ path, text: undefined })
        continue
      }
      unpacked += entry.uncompressedSize
      if (entry.uncompressedSize > MAX_FILE_BYTES || unpacked > MAX_UNPACKED_BYTES) {
        throw new ApiError(
          'LIMIT_EXCEEDED',
          `The zip file is larger than ${MAX_UNPACKED_BYTES} bytes when it is unpacked, or ${path.slice(0, 255)} than ${MAX_FILE_BYTES}.`,
        )
      }
      files.push({ path, text: await readText(await zip.openReadStreamPromise(entry), entry) })
    }
  } catch (error) {
    if (error instanceof ApiError || deadline?.aborted === true) throw error
    // The library says what is wrong with an archive as an error of its own: a path out of it, a wrong length, a cut end.
    throw refuse(`The zip file cannot be read: ${(error as Error).message.slice(0, 255)}`)
  }
  return files
}

const tooMany = () =>
  new ApiError('LIMIT_EXCEEDED', `The zip file has more than ${MAX_FILES} files: deploy in several parts.`)
