import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { dirname, extname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { NotePad } from '../../notes.ts'
import { readMetadata } from '../../read-metadata.ts'
import { IgnoreRules } from './ignore-rules.ts'
import { findPart, isRead, type SourceFile } from './source-file.ts'

const PROJECT = 'sfdx-project.json'

/** A file of a project that names what its tools leave out. */
const IGNORE_FILE = '.forceignore'

/** Folders without metadata. */
const isSkipped = (name: string) => name.startsWith('.') || name === 'node_modules'

function* filesIn(folder: string): Generator<string> {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of entries) {
    if (isSkipped(entry.name)) continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* filesIn(path)
    else if (entry.isFile()) yield path
  }
}

/**
 * A package directory, which is inside of the project, links followed: a project that somebody else wrote says which files are read.
 * @throws Error
 */
function findPackage(project: string, name: string): string {
  const folder = join(project, name)
  const path = relative(realpathSync(project), realpathSync(folder))
  if (path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path))
    throw new Error(`${join(project, PROJECT)}: the package directory ${name} is outside of the project`)
  return folder
}

/** The package directories of a project. */
function packageFolders(project: string): string[] {
  const text = readFileSync(join(project, PROJECT), 'utf8')
  let folders: unknown
  try {
    folders = JSON.parse(text)?.packageDirectories?.map((entry: { path: string }) => entry.path)
  } catch (error) {
    throw new Error(`${join(project, PROJECT)} is not valid JSON: ${(error as Error).message}`)
  }
  if (!Array.isArray(folders)) throw new Error(`${join(project, PROJECT)} names no packageDirectories`)
  return folders
    .map(String)
    .filter((folder) => existsSync(join(project, folder)))
    .map((folder) => findPackage(project, folder))
}

/** The base folder of relative paths, chosen so that paths include the folder of the object. */
function findBase(path: string): string {
  const parts = path.split(sep)
  const at = parts.lastIndexOf('objects')
  if (at > 0) return parts.slice(0, at).join(sep)
  return existsSync(join(path, PROJECT)) ? path : dirname(path)
}

/** The beginning of a file says whether it is metadata. */
const BEGINNING = 512

/** A file of a kind that is not read, in metadata format: `flows/Set.flow`. A manifest has no metadata. */
function isMetadata(file: string): boolean {
  if (['', '.xml', '.json'].includes(extname(file))) return false
  const buffer = Buffer.alloc(BEGINNING)
  const descriptor = openSync(file, 'r')
  try {
    const beginning = buffer.toString('latin1', 0, readSync(descriptor, buffer))
    return beginning.includes('http://soap.sforce.com/2006/04/metadata')
  } finally {
    closeSync(descriptor)
  }
}

/** The ignore file that holds for a path: the one of the nearest folder above it. */
function findIgnoreFile(path: string): string | undefined {
  const file = join(path, IGNORE_FILE)
  if (existsSync(file)) return file
  const folder = dirname(path)
  return folder === path ? undefined : findIgnoreFile(folder)
}

/** The files that no ignore file leaves out. Notes how many it does leave out, by which rules. */
function withoutIgnored<T extends { readonly file: string }>(
  given: string,
  found: readonly T[],
  pad: NotePad,
): T[] {
  const path = resolve(given)
  const ignoreFile = findIgnoreFile(path)
  if (ignoreFile === undefined) return [...found]
  const rules = new IgnoreRules(readMetadata(ignoreFile))
  const counts = new Map<string, number>()
  const left = found.filter(({ file }) => {
    const rule = rules.leavesOut(relative(dirname(ignoreFile), file).replaceAll(sep, '/'))
    if (rule !== undefined) counts.set(rule, (counts.get(rule) ?? 0) + 1)
    return rule === undefined
  })
  const count = found.length - left.length
  if (count > 0) {
    const byRule = [...counts].map(([rule, times]) => `${rule} (${times})`).join(', ')
    const name = join(given, relative(path, ignoreFile))
    pad.add('ignored', name, `${count} ${count === 1 ? 'file' : 'files'}, by ${byRule}`)
  }
  return left
}

/** The folder that all of these are in, or are. */
function findCommon(folders: readonly string[]): string {
  const [first = [], ...others] = folders.map((folder) => folder.split(sep))
  const length = first.findIndex((part, at) => others.some((other) => other[at] !== part))
  return length < 0 ? first.join(sep) : first.slice(0, length).join(sep)
}

/**
 * Finds the metadata files at paths: a project, a folder of it, the folder of an object, or a file.
 * @param pad gets a note of the files that an ignore file leaves out
 */
export function findSourceFiles(given: string | readonly string[], pad = new NotePad()): SourceFile[] {
  const paths = [...new Set([given].flat())]
  const base = findCommon(paths.map((path) => findBase(resolve(path))))
  const found = paths.flatMap((path) => findFilesAt(path, base, pad))
  return [...new Map(found.map((file) => [file.path, file])).values()]
}

function findFilesAt(given: string, base: string, pad: NotePad): SourceFile[] {
  const path = resolve(given)
  const roots = existsSync(join(path, PROJECT)) ? packageFolders(path) : [path]
  const found = roots
    .flatMap((root) => (statSync(root).isDirectory() ? [...filesIn(root)] : [root]))
    .map((file) => ({ file, path: file.slice(base.length + 1).replaceAll(sep, '/') }))
    .filter((one) => findPart(one.path) !== undefined || isMetadata(one.file))
  return withoutIgnored(given, found, pad).map((one) => ({
    path: one.path,
    text: isRead(one.path) ? readMetadata(one.file) : '',
  }))
}

/** True if a folder has metadata files. */
export function hasSourceFiles(folder: string): boolean {
  if (existsSync(join(folder, PROJECT))) return true
  for (const file of filesIn(folder)) {
    if (file.endsWith('-meta.xml') || isRead(file.replaceAll(sep, '/'))) return true
  }
  return false
}
