import { ApiError } from '../../base/api-error.ts'
import { getOrInsert } from '../../base/get-or-insert.ts'
import { parseXml } from '../../importers/source-format/project/parse-xml.ts'
import type { ArchiveFile } from './read-archive.ts'

/** Names of components by their types. */
export type Manifest = ReadonlyMap<string, readonly string[]>

/** Deletions before and after the rest are one here: all of an archive is one change. */
const DELETIONS = ['destructiveChanges.xml', 'destructiveChangesPre.xml', 'destructiveChangesPost.xml']

/** Manifests stand beside the folders: at the top, or in the one folder that all else is in. */
const nameOf = (path: string) => path.replace(/^[^/]+\/(?=[^/]+$)/, '')

/** True for files that say what is deployed and deleted. */
export const isManifest = (path: string): boolean => ['package.xml', ...DELETIONS].includes(nameOf(path))

/** True for those of them that are read: what is deployed, the other files say themselves. */
export const namesDeletions = (path: string): boolean => DELETIONS.includes(nameOf(path))

/** Of an archive. */
const MAX_DELETIONS = 10_000

/** @throws ApiError INVALID_INPUT */
function readInto(manifest: Map<string, string[]>, { path, text }: ArchiveFile): void {
  try {
    for (const type of parseXml(path, text).all('types')) {
      const names = getOrInsert(manifest, type.text('name') ?? '', () => [])
      for (const name of type.texts('members')) if (name !== '') names.push(name)
    }
  } catch (error) {
    throw new ApiError('INVALID_INPUT', (error as Error).message.slice(0, 500))
  }
}

/**
 * Reads the components that an archive asks to delete.
 * @throws ApiError INVALID_INPUT, LIMIT_EXCEEDED
 */
export function readDeletions(files: readonly ArchiveFile[]): Manifest {
  const manifest = new Map<string, string[]>()
  for (const file of files) if (namesDeletions(file.path)) readInto(manifest, file)
  const count = [...manifest.values()].reduce((sum, names) => sum + names.length, 0)
  if (count > MAX_DELETIONS)
    throw new ApiError('LIMIT_EXCEEDED', `An archive deletes at most ${MAX_DELETIONS} components.`)
  return manifest
}
