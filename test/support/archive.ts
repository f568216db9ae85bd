import { ZipFile } from 'yazl'

/** A zip archive of texts by path. */
export async function makeArchive(files: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [path, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), path)
  zip.end()
  const chunks: Buffer[] = []
  for await (const chunk of zip.outputStream as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** A file of metadata: its root element with this inside. */
export const metadataFile = (root: string, inside: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://soap.sforce.com/2006/04/metadata">\n${inside}\n</${root}>\n`

/** A manifest of components by their types. */
export const manifest = (types: Readonly<Record<string, readonly string[]>> = {}): string =>
  metadataFile(
    'Package',
    `${Object.entries(types)
      .map(
        ([name, members]) =>
          `<types>${members.map((one) => `<members>${one}</members>`).join('')}<name>${name}</name></types>`,
      )
      .join('')}<version>64.0</version>`,
  )
