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
  if (text === undefined) return { path, content: undefined }
  try {
    return { path, content: yield* parseXml(path, removeBuildTokens(text)) }
  } catch (error) {
    return { path, content: readProblem(path, error) }
  }
}

/** Parses the files of an archive. Takes a pause after each step. */
export function* parseFiles(files: readonly ArchiveFile[]): Generator<void, ParsedFile[]> {
  const parsed: ParsedFile[] = []
  for (const file of files) {
    parsed.push(yield* parseFile(file))
    yield
  }
  return parsed
}
