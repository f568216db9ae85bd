import { ApiError } from '../../base/api-error.ts'
import { parseXml } from '../../importers/source-format/project/parse-xml.ts'
import { removeBuildTokens } from '../../importers/source-format/project/source-file.ts'
import type { XmlElement } from '../../xml/xml-element.ts'
import type { ArchiveFile } from './read-archive.ts'

/** Why a file cannot be parsed. */
export interface FileProblem {
  readonly problem: string
  readonly line?: number
}

/** A file of an archive, which is parsed once, however often its deployment is planned. */
export interface ParsedFile {
  readonly path: string
  /** Its outermost element; undefined where nothing reads it. */
  readonly content: XmlElement | FileProblem | undefined
  /** Its text as it was parsed. */
  readonly text: string
}

export const hasProblem = (content: ParsedFile['content']): content is FileProblem =>
  content !== undefined && 'problem' in content

/** A problem of the parser: `objects/A__c.object: line 4: ...` */
function readProblem(path: string, error: unknown): FileProblem {
  const message = (error as Error).message
  const text = message.startsWith(`${path}: `) ? message.slice(path.length + 2) : message
  const [, line, rest] = /^line (\d+): (.*)$/s.exec(text) ?? []
  return line === undefined ? { problem: text } : { problem: rest!, line: Number(line) }
}

function* parseFile({ path, text }: ArchiveFile): Generator<void, ParsedFile> {
  if (text === undefined) return { path, content: undefined, text: '' }
  const parsed = removeBuildTokens(text)
  try {
    return { path, content: yield* parseXml(path, parsed), text: parsed }
  } catch (error) {
    return { path, content: readProblem(path, error), text: parsed }
  }
}

/** Of all files: what is made of an element takes up to a kilobyte until the deployment has ended. */
const MAX_ELEMENTS = 1_000_000

const LESS = '<'
const NO_ELEMENT = /[/!?]/

/** Counts what looks like the start of an element, up to a bound. */
function countElements(text: string, max: number): number {
  let count = 0
  for (let at = text.indexOf(LESS); at >= 0 && count <= max; at = text.indexOf(LESS, at + 1))
    if (!NO_ELEMENT.test(text.charAt(at + 1))) count++
  return count
}

/** Looks before any of the work whether it would take too much memory. @throws ApiError LIMIT_EXCEEDED */
function* checkElements(files: readonly ArchiveFile[]): Generator<void, void> {
  let left = MAX_ELEMENTS
  for (const { text = '' } of files) {
    left -= countElements(text, left)
    if (left < 0) {
      throw new ApiError(
        'LIMIT_EXCEEDED',
        `The files of the archive have more than ${MAX_ELEMENTS} elements together: deploy in several parts.`,
      )
    }
    yield
  }
}

/**
 * Parses the files of an archive. Takes a pause after each step.
 * @throws ApiError LIMIT_EXCEEDED
 */
export function* parseFiles(files: readonly ArchiveFile[]): Generator<void, ParsedFile[]> {
  yield* checkElements(files)
  const parsed: ParsedFile[] = []
  for (const file of files) {
    parsed.push(yield* parseFile(file))
    yield
  }
  return parsed
}
