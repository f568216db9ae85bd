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

export const isManifest = (path: string): boolean => ['package.xml', ...DELETIONS].includes(nameOf(path))

/** @throws ApiError INVALID_INPUT */
function readInto(manifest: Map<string, string[]>, { path, text }: ArchiveFile): void {
  try {
    for (const type of parseXml(path, text).all('types')) {
      const names = type.texts('members').filter((name) => name !== '')
      getOrInsert(manifest, type.text('name') ?? '', () => []).push(...names)
    }
  } catch (error) {
    throw new ApiError('INVALID_INPUT', (error as Error).message.slice(0, 500))
  }
}

/**
 * Reads the components that an archive asks to delete.
 * @throws ApiError INVALID_INPUT
 */
export function readDeletions(files: readonly ArchiveFile[]): Manifest {
  const manifest = new Map<string, string[]>()
  for (const file of files) if (DELETIONS.includes(nameOf(file.path))) readInto(manifest, file)
  return manifest
}
