import { extname } from 'node:path'
import { getOrInsert } from '../../../base/get-or-insert.ts'
import type { SettingsName } from '../../../definitions/formats/settings-file.ts'
import type { NotePad } from '../../notes.ts'
import { MetadataElement } from './metadata-element.ts'
import { readXml } from './read-xml.ts'
import { SourceDuplicates } from './source-duplicates.ts'
import { findPart, type Part, type SourceFile } from './source-file.ts'

/** An object with its parts from all files of the project. */
export interface SourceObject {
  readonly name: string
  /** Its own file; undefined when the project only extends an existing object. */
  xml: MetadataElement | undefined
  readonly fields: Map<string, MetadataElement>
  readonly recordTypes: Map<string, MetadataElement>
  readonly validationRules: Map<string, MetadataElement>
  readonly listViews: Map<string, MetadataElement>
  /** The records of a metadata type. */
  readonly records: Map<string, MetadataElement>
}

interface SourceParts {
  readonly objects: ReadonlyMap<string, SourceObject>
  readonly globalValueSets: ReadonlyMap<string, MetadataElement>
  readonly standardValueSets: ReadonlyMap<string, MetadataElement>
  readonly permissionSets: ReadonlyMap<string, MetadataElement>
  readonly profiles: ReadonlyMap<string, MetadataElement>
  readonly settings: ReadonlyMap<SettingsName, MetadataElement>
  readonly labels: readonly MetadataElement[]
  readonly channels: ReadonlyMap<string, MetadataElement>
  readonly channelMembers: ReadonlyMap<string, MetadataElement>
}

/** Parts that a file in metadata format has as elements. */
const INLINE = ['fields', 'recordTypes', 'validationRules', 'listViews'] as const

/** Unsupported parts that an object's file may have. */
const COMPONENTS = [
  'actionOverrides',
  'businessProcesses',
  'compactLayouts',
  'fieldSets',
  'indexes',
  'namedFilters',
  'searchLayouts',
  'sharingReasons',
  'sharingRecalculations',
  'webLinks',
]

export const emptyObject = (name: string): SourceObject => ({
  name,
  xml: undefined,
  fields: new Map(),
  recordTypes: new Map(),
  validationRules: new Map(),
  listViews: new Map(),
  records: new Map(),
})

/** Each with the kind of its own file. */
const KINDS = {
  fields: 'field',
  recordTypes: 'recordType',
  validationRules: 'validationRule',
  listViews: 'listView',
} as const satisfies Record<(typeof INLINE)[number], Part['kind']>

/** Returns the name of a component in notes: of a field its path alone. */
const locate = (kind: Part['kind'], object: string, name: string) => {
  const words = kind.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return `${kind === 'field' ? '' : `${words} `}${object}.${name}`
}

/** Takes the parts out of a file of an object. */
function* addObjectFile(
  object: SourceObject,
  { path, xml }: { readonly path: string; readonly xml: MetadataElement },
  duplicates: SourceDuplicates,
  pad: NotePad,
): Generator<void, void> {
  yield* duplicates.addObject(object.name, path, xml, [...INLINE, ...COMPONENTS])
  for (const kind of INLINE) {
    for (const part of xml.take(kind)) {
      const name = part.text('fullName') ?? ''
      yield* duplicates.add(locate(KINDS[kind], object.name, name), path, part)
      yield
      object[kind].set(name, part)
    }
  }
  for (const kind of COMPONENTS) {
    const count = xml.take(kind).length
    if (count > 0) pad.collect('component', object.name, kind, count)
  }
}

/** Several files of one object are one: what the later one says counts. */
function joinObjectFiles(files: readonly MetadataElement[]): MetadataElement {
  if (files.length === 1) return files[0]!
  const whole = MetadataElement.overlay(files)
  for (const kind of [...INLINE, ...COMPONENTS]) whole.take(kind)
  return whole
}

/** Several files of a permission set or a profile grant what one of them grants. */
const joinGrants = (pieces: ReadonlyMap<string, readonly MetadataElement[]>): Map<string, MetadataElement> =>
  new Map(
    [...pieces].map(([name, files]) => [name, files.length === 1 ? files[0]! : MetadataElement.join(files)]),
  )

const MAPS = {
  field: 'fields',
  recordType: 'recordTypes',
  validationRule: 'validationRules',
  listView: 'listViews',
  record: 'records',
} as const

/** Groups the parts of a project by object, in slices. Notes the number of unsupported parts. */
export function* gatherParts(files: readonly SourceFile[], pad: NotePad): Generator<void, SourceParts> {
  const objects = new Map<string, SourceObject>()
  const whole = {
    globalValueSet: new Map<string, MetadataElement>(),
    standardValueSet: new Map<string, MetadataElement>(),
    platformEventChannel: new Map<string, MetadataElement>(),
    platformEventChannelMember: new Map<string, MetadataElement>(),
  }
  const objectFiles = new Map<SourceObject, MetadataElement[]>()
  const grants = {
    permissionset: new Map<string, MetadataElement[]>(),
    profile: new Map<string, MetadataElement[]>(),
  }
  const settings = new Map<SettingsName, MetadataElement>()
  const labels: MetadataElement[] = []
  const permissionParts = new Map<string, MetadataElement[]>()
  const duplicates = new SourceDuplicates(pad)
  function* addLabels(path: string, xml: MetadataElement): Generator<void, void> {
    for (const label of xml.all('labels')) {
      yield* duplicates.add(`label ${label.text('fullName')}`, path, label)
      yield
    }
    labels.push(xml)
  }
  const getObject = (name: string) => getOrInsert(objects, name, () => emptyObject(name))
  for (const file of files) {
    yield
    const { path } = file
    const part = findPart(path)
    if (part === undefined) {
      pad.collect('file', 'the project', `*${extname(path)}`)
      continue
    }
    switch (part.kind) {
      case 'object': {
        const object = getObject(part.object)
        const xml = yield* readXml(file)
        getOrInsert(objectFiles, object, () => []).push(xml)
        yield* addObjectFile(object, { path, xml }, duplicates, pad)
        break
      }
      case 'globalValueSet':
      case 'standardValueSet':
      case 'platformEventChannel':
      case 'platformEventChannelMember': {
        const xml = yield* readXml(file)
        yield* duplicates.add(`${part.kind} ${part.name}`, path, xml)
        whole[part.kind].set(part.name, xml)
        break
      }
      case 'permissionset':
      case 'profile': {
        const xml = yield* readXml(file)
        const location = part.kind === 'profile' ? 'profile' : 'permission set'
        const isOther = yield* duplicates.add(
          `${location} ${part.name}`,
          path,
          xml,
          'what one of them grants is granted',
        )
        const pieces = getOrInsert(grants[part.kind], part.name, () => [])
        if (isOther || pieces.length === 0) pieces.push(xml)
        break
      }
      case 'settings': {
        const xml = yield* readXml(file)
        yield* duplicates.add(`settings ${part.name}`, path, xml)
        settings.set(part.name, xml)
        break
      }
      case 'labels':
        yield* addLabels(path, yield* readXml(file))
        break
      case 'label':
        yield* addLabels(path, (yield* readXml(file)).asChild('labels'))
        break
      case 'permissionPart': {
        const xml = yield* readXml(file)
        getOrInsert(permissionParts, part.name, () => []).push(
          part.element === undefined ? xml : xml.asChild(part.element),
        )
        break
      }
      case 'component':
        pad.collect('component', part.object, part.folder)
        break
      case 'other':
        pad.collect('file', 'the project', `*.${part.suffix}-meta.xml`)
        break
      default: {
        const xml = yield* readXml(file)
        const name = xml.text('fullName') ?? part.name
        yield* duplicates.add(locate(part.kind, part.object, name), path, xml)
        getObject(part.object)[MAPS[part.kind]].set(name, xml)
      }
    }
  }
  for (const [object, xmls] of objectFiles) object.xml = joinObjectFiles(xmls)
  for (const [name, pieces] of permissionParts)
    getOrInsert(grants.permissionset, name, () => []).push(...pieces)
  return {
    objects,
    globalValueSets: whole.globalValueSet,
    standardValueSets: whole.standardValueSet,
    permissionSets: joinGrants(grants.permissionset),
    profiles: joinGrants(grants.profile),
    settings,
    labels,
    channels: whole.platformEventChannel,
    channelMembers: whole.platformEventChannelMember,
  }
}
