import { ApiError } from '../../base/api-error.ts'
import { readMember } from '../../importers/source-format/import-channels.ts'
import { MetadataElement } from '../../importers/source-format/project/metadata-element.ts'
import { findPart, isRead } from '../../importers/source-format/project/source-file.ts'
import { type FileProblem, hasProblem, type ParsedFile } from '../archive/parse-files.ts'
import { isManifest } from '../archive/read-manifests.ts'
import { INSIDE, isIgnored, KINDS } from './component-types.ts'
import { nameOtherType } from './name-other-type.ts'

/** A component of an archive. */
export interface Component {
  /** As the API calls it: `CustomField`. */
  readonly type: string
  /** `Item__c.Code__c` */
  readonly fullName: string
  /** The file that it stands in. */
  readonly path: string
  readonly state: 'read' | 'ignored' | 'not supported' | FileProblem
  /** Its element, where it was read. */
  readonly xml?: MetadataElement
  /** Of a channel's member, whose name says neither. */
  readonly member?: { readonly object: string; readonly channel: string }
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
    if (!path.includes('/')) return undefined
    const { type, fullName } = nameOtherType(path)
    const isInside = part?.kind === 'component' && isIgnored(type)
    return { type, fullName: isInside ? `${part.object}.${fullName}` : fullName }
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

/** Returns the components that stand in the file of another one, one at a time. */
function* findInside(
  xml: MetadataElement,
  path: string,
  { type, fullName }: Pick<Component, 'type' | 'fullName'>,
): Generator<Component> {
  for (const [element, inside] of INSIDE[type] ?? []) {
    for (const one of xml.all(element)) {
      const name = one.text('fullName') ?? one.text('name') ?? ''
      yield {
        type: inside,
        fullName: type === 'CustomObject' ? `${fullName}.${name}` : name,
        path,
        state: isIgnored(inside) ? 'ignored' : 'read',
        xml: one,
      }
    }
  }
}

/** Of an archive. Each has a result, and clients get all results in one answer. */
const MAX_COMPONENTS = 50_000

/**
 * Finds the components of an archive, one at a time.
 * @throws ApiError LIMIT_EXCEEDED
 */
export function* findComponents(files: readonly ParsedFile[]): Generator<void, Component[]> {
  const found = new Map<string, Component>()
  const add = (component: Component) => {
    const key = `${component.type} ${component.fullName}`
    // A class and the file beside it are one component.
    if (!found.has(key)) found.set(key, component)
    if (found.size > MAX_COMPONENTS) {
      throw new ApiError(
        'LIMIT_EXCEEDED',
        `The archive has more than ${MAX_COMPONENTS} components: deploy in several parts.`,
      )
    }
  }
  for (const { path, content } of files) {
    yield
    const named = nameFile(path)
    if (named === undefined) continue
    const other = isIgnored(named.type) ? 'ignored' : 'not supported'
    if (!isRead(path) || content === undefined) add({ ...named, path, state: other })
    else if (hasProblem(content)) add({ ...named, path, state: content })
    else {
      const xml = new MetadataElement(content)
      const isMember = named.type === 'PlatformEventChannelMember'
      add({ ...named, path, state: 'read', xml, ...(isMember && { member: readMember(xml) }) })
      for (const component of findInside(xml, path, named)) {
        add(component)
        yield
      }
    }
  }
  return [...found.values()]
}
