import { ApiError } from '../../base/api-error.ts'
import { getOrInsert } from '../../base/get-or-insert.ts'
import { MetadataElement } from '../../importers/source-format/project/metadata-element.ts'
import { hasProblem, type ParsedFile } from './parse-files.ts'

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
function readInto(manifest: Map<string, string[]>, { path, content }: ParsedFile): number {
  if (content === undefined) return 0
  if (hasProblem(content)) {
    const { line, problem } = content
    const place = line === undefined ? path : `${path}: line ${line}`
    throw new ApiError('INVALID_INPUT', `${place}: ${problem}`.slice(0, 500))
  }
  let count = 0
  for (const type of new MetadataElement(content).all('types')) {
    const names = type.texts('members').filter((name) => name !== '')
    count += names.length
    if (count > MAX_DELETIONS) break
    getOrInsert(manifest, type.text('name') ?? '', () => []).push(...names)
  }
  return count
}

/**
 * Reads the components that an archive asks to delete.
 * @throws ApiError INVALID_INPUT, LIMIT_EXCEEDED
 */
export function readDeletions(files: readonly ParsedFile[]): Manifest {
  const manifest = new Map<string, string[]>()
  let count = 0
  for (const file of files) if (namesDeletions(file.path)) count += readInto(manifest, file)
  if (count > MAX_DELETIONS)
    throw new ApiError('LIMIT_EXCEEDED', `An archive deletes at most ${MAX_DELETIONS} components.`)
  return manifest
}
