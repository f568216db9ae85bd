import { ZipFile } from 'yazl'

/** Makes a zip archive of texts by path. Equal files make an equal archive. */
export async function writeArchive(
  files: readonly (readonly [path: string, text: string])[],
): Promise<Buffer> {
  const zip = new ZipFile()
  // The time of a file says nothing here.
  const mtime = new Date('2000-01-01T00:00:00Z')
  for (const [path, text] of files) zip.addBuffer(Buffer.from(text), path, { mtime })
  zip.end()
  const chunks: Buffer[] = []
  for await (const chunk of zip.outputStream as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}
