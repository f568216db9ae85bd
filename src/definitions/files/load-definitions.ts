import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, parse } from 'node:path'
import { type Document, LineCounter, parseDocument } from 'yaml'
import { decodePercent } from '../../base/url-encoding.ts'
import { offsetIn, offsetInText } from '../../base/yaml-location.ts'
import { DefinitionError, type Problem } from '../checks/problem.ts'
import type { DefinitionFiles } from '../formats/object-file.ts'
import { DEFINITION_KINDS, type DefinitionKind, FOLDERS } from './has-definitions.ts'
import { type Read, readDefinitions } from './read-definitions.ts'

interface Source {
  /** Path relative to the deployment. */
  readonly file: string
  readonly document: Document
  readonly lines: LineCounter
  readonly text: string
}

/** The definition files of a deployment with the objects they define. */
export interface LoadedDefinitions extends Read {
  readonly files: DefinitionFiles
}

const isDefinition = (name: string) => /\.ya?ml$/.test(name)

const nameOf = (file: string) => decodePercent(parse(file).name)

function open(deployment: string, kind: DefinitionKind): [string, Source][] {
  const folder = join(deployment, FOLDERS[kind])
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter(isDefinition)
    .sort()
    .map((name) => {
      const lines = new LineCounter()
      const text = readFileSync(join(folder, name), 'utf8')
      const document = parseDocument(text, { lineCounter: lines })
      return [nameOf(name), { file: `${FOLDERS[kind]}/${name}`, document, lines, text }]
    })
}

/** `objects/Project__c.yaml:7:5 fields.Code__c.length` */
function locationIn(
  sources: Readonly<Record<DefinitionKind, ReadonlyMap<string, Source>>>,
  { path, offset }: Problem,
): string {
  const [kind, name, ...rest] = path
  const source = sources[kind as DefinitionKind]?.get(String(name))
  if (source === undefined) return path.join('.')
  const at =
    offset === undefined
      ? offsetIn(source.document, rest)
      : offsetInText(source.text, source.document, rest, offset)
  const { line, col } = source.lines.linePos(at)
  return `${source.file}:${line}:${col}${rest.length > 0 ? ` ${rest.join('.')}` : ''}`
}

function syntaxErrors(sources: Iterable<Source>): Problem[] {
  return [...sources].flatMap(({ file, document, lines }) =>
    document.errors.map(({ message, pos }) => {
      const { line, col } = lines.linePos(pos[0])
      const summary = message.split('\n')[0]!.replace(/ at line \d.*/s, '')
      return { path: [`${file}:${line}:${col}`], message: summary }
    }),
  )
}

/**
 * The definitions in the folders of a deployment.
 * @param ignored `permissions`: what is wrong with permission sets and profiles is not looked for
 * @throws DefinitionError with file, line and column of every problem
 */
export function loadDefinitions(deployment: string, ignored?: 'permissions'): LoadedDefinitions {
  const sources = Object.fromEntries(
    DEFINITION_KINDS.map((kind) => [kind, new Map(open(deployment, kind))]),
  ) as Record<DefinitionKind, Map<string, Source>>
  const broken = syntaxErrors(Object.values(sources).flatMap((documents) => [...documents.values()]))
  if (broken.length > 0) throw new DefinitionError(broken)
  const readContent = (documents: ReadonlyMap<string, Source>) =>
    Object.fromEntries([...documents].map(([name, { document }]) => [name, document.toJS()]))
  const files = Object.fromEntries(
    DEFINITION_KINDS.map((kind) => [kind, readContent(sources[kind])]),
  ) as unknown as DefinitionFiles
  const { objects, valueSets } = files
  const read = readDefinitions(ignored === 'permissions' ? { objects, valueSets } : files)
  if (read.problems.length > 0)
    throw new DefinitionError(read.problems, (problem) => locationIn(sources, problem))
  return { ...read, files }
}
