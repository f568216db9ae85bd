import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { emptyNewFolder, VERSION_FILE } from './database-folder.ts'
import { readTar } from './read-tar.ts'

/** The installed version of the engine, whose files another one may not understand. */
function findEngineVersion(): string {
  const file = new URL('../package.json', import.meta.resolve('@electric-sql/pglite'))
  return JSON.parse(readFileSync(file, 'utf8')).version
}

/** Name of the file with the image of a new database. */
export const imageName = () => `database-${findEngineVersion()}.tar.zst`

/**
 * The image of a new database, with the tables of an org but without an org. The build puts it beside the bundle.
 * @returns undefined: there is none for the installed engine, as in the sources
 */
export function readBuiltImage(): Uint8Array<ArrayBuffer> | undefined {
  const file = new URL(imageName(), import.meta.url)
  return existsSync(file) ? new Uint8Array(zstdDecompressSync(readFileSync(file))) : undefined
}

/**
 * Writes an image into the folder of a new database.
 * @throws the error of the file system; the folder is empty then, as before
 */
export function unpackImage(image: Uint8Array, folder: string): void {
  try {
    let version: Uint8Array | undefined
    for (const { name, isFolder, bytes } of readTar(image)) {
      // Empty blocks end the file.
      if (name === '') break
      if (isFolder) mkdirSync(join(folder, name), { recursive: true, mode: 0o700 })
      else if (name === `/${VERSION_FILE}`) version = bytes
      else writeFileSync(join(folder, name), bytes, { mode: 0o600 })
    }
    // Last, since it makes the folder a database.
    writeFileSync(join(folder, VERSION_FILE), version!, { mode: 0o600 })
  } catch (error) {
    emptyNewFolder(folder)
    throw error
  }
}
