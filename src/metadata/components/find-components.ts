import { parseXml } from '../../importers/source-format/project/parse-xml.ts'
import { findPart, isRead } from '../../importers/source-format/project/source-file.ts'
import type { ArchiveFile } from '../archive/read-archive.ts'
import { isManifest } from '../archive/read-manifests.ts'
import { IGNORED_INSIDE, INSIDE, KINDS, nameOtherType } from './component-types.ts'

/** A component of an archive. */
export interface Component {
  /** As the API calls it: `CustomField`. */
  readonly type: string
  /** `Item__c.Code__c` */
  readonly fullName: string
  /** The file that it stands in. */
  readonly path: string
  readonly state: 'read' | 'ignored' | 'not supported' | { readonly problem: string; readonly line?: number }
}

const withoutSuffix = (path: string) =>
  path
    .split('/')
    .at(-1)!
    .replace(/-meta\.xml$/, '')
    .replace(/\.[^.]*$/, '')

/** Returns the component that a file is, or undefined for the manifests and what belongs to no component. */
function nameFile(path: string): Pick<Component, 'type' | 'fullName'> | undefined {
  if (isManifest(path)) return undefined
  const part = findPart(path)
  if (part === undefined || part.kind === 'component' || part.kind === 'other') {
    return path.includes('/') ? nameOtherType(path) : undefined
  }
  const type = KINDS[part.kind]
  switch (part.kind) {
    case 'labels':
    case 'label':
      return { type, fullName: withoutSuffix(path) }
    case 'object':
      return { type, fullName: part.object }
    case 'record':
      return { type, fullName: `${part.object.replace(/__mdt$/, '')}.${part.name}` }
    default:
      return { type, fullName: 'object' in part ? `${part.object}.${part.name}` : part.name }
  }
}

/** Returns the components that stand in the file of another one. */
function findInside(
  file: ArchiveFile,
  { type, fullName }: Pick<Component, 'type' | 'fullName'>,
): Component[] {
  const { path, text } = file
  const xml = parseXml(path, text)
  return [...(INSIDE[type] ?? [])].flatMap(([element, inside]) =>
    xml.all(element).map((one): Component => {
      const name = one.text('fullName') ?? one.text('name') ?? ''
      return {
        type: inside,
        fullName: type === 'CustomObject' ? `${fullName}.${name}` : name,
        path,
        state: IGNORED_INSIDE.includes(inside) ? 'ignored' : 'read',
      }
    }),
  )
}

/** A problem of the parser: `objects/A__c.object: line 4: ...` */
function readProblem(path: string, error: unknown): Component['state'] {
  const message = (error as Error).message
  const text = message.startsWith(`${path}: `) ? message.slice(path.length + 2) : message
  const [, line, rest] = /^line (\d+): (.*)$/s.exec(text) ?? []
  return line === undefined ? { problem: text } : { problem: rest!, line: Number(line) }
}

/** Finds the components of an archive, a file at a time. */
export function* findComponents(files: readonly ArchiveFile[]): Generator<void, Component[]> {
  const found = new Map<string, Component>()
  const add = (component: Component) => {
    const key = `${component.type} ${component.fullName}`
    // A class and the file beside it are one component.
    if (!found.has(key)) found.set(key, component)
  }
  for (const file of files) {
    const named = nameFile(file.path)
    if (named === undefined) continue
    const { path } = file
    if (!isRead(path)) add({ ...named, path, state: 'not supported' })
    else {
      try {
        const inside = findInside(file, named)
        add({ ...named, path, state: 'read' })
        for (const component of inside) add(component)
      } catch (error) {
        add({ ...named, path, state: readProblem(path, error) })
      }
    }
    yield
  }
  return [...found.values()]
}
