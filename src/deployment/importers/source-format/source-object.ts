import { extname } from 'node:path'
import { getOrInsert } from '../../../base/get-or-insert.ts'
import type { SettingsName } from '../../definitions/settings-file.ts'
import type { NotePad } from '../notes.ts'
import { parseXml } from './parse-xml.ts'
import { findPart, type SourceFile } from './source-file.ts'
import { XmlElement } from './xml-element.ts'

/** An object with its parts from all files of the project. */
export interface SourceObject {
  readonly name: string
  /** Its own file; undefined when the project only extends an existing object. */
  xml: XmlElement | undefined
  readonly fields: Map<string, XmlElement>
  readonly recordTypes: Map<string, XmlElement>
  readonly validationRules: Map<string, XmlElement>
  readonly listViews: Map<string, XmlElement>
  /** The records of a metadata type. */
  readonly records: Map<string, XmlElement>
}

interface SourceParts {
  readonly objects: ReadonlyMap<string, SourceObject>
  readonly globalValueSets: ReadonlyMap<string, XmlElement>
  readonly standardValueSets: ReadonlyMap<string, XmlElement>
  readonly permissionSets: ReadonlyMap<string, XmlElement>
  readonly profiles: ReadonlyMap<string, XmlElement>
  readonly settings: ReadonlyMap<SettingsName, XmlElement>
  readonly labels: readonly XmlElement[]
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

function addObjectFile(object: SourceObject, xml: XmlElement, pad: NotePad): void {
  object.xml = xml
  for (const kind of INLINE) {
    for (const part of xml.take(kind)) object[kind].set(part.text('fullName') ?? '', part)
  }
  for (const kind of COMPONENTS) {
    const count = xml.take(kind).length
    if (count > 0) pad.collect('component', object.name, kind, count)
  }
}

const MAPS = {
  field: 'fields',
  recordType: 'recordTypes',
  validationRule: 'validationRules',
  listView: 'listViews',
  record: 'records',
} as const

/** Groups the parts of a project by object. Notes the number of unsupported parts. */
export function gatherParts(files: readonly SourceFile[], pad: NotePad): SourceParts {
  const objects = new Map<string, SourceObject>()
  const whole = {
    globalValueSet: new Map<string, XmlElement>(),
    standardValueSet: new Map<string, XmlElement>(),
    permissionset: new Map<string, XmlElement>(),
    profile: new Map<string, XmlElement>(),
  }
  const settings = new Map<SettingsName, XmlElement>()
  const labels: XmlElement[] = []
  const permissionParts = new Map<string, XmlElement[]>()
  const getObject = (name: string) => getOrInsert(objects, name, () => emptyObject(name))
  for (const { path, text } of files) {
    const part = findPart(path)
    if (part === undefined) {
      pad.collect('file', 'the project', `*${extname(path)}`)
      continue
    }
    switch (part.kind) {
      case 'object':
        addObjectFile(getObject(part.object), parseXml(path, text), pad)
        break
      case 'globalValueSet':
      case 'standardValueSet':
      case 'permissionset':
      case 'profile':
        whole[part.kind].set(part.name, parseXml(path, text))
        break
      case 'settings':
        settings.set(part.name, parseXml(path, text))
        break
      case 'labels':
        labels.push(parseXml(path, text))
        break
      case 'label':
        labels.push(parseXml(path, text).asChild('labels'))
        break
      case 'permissionPart': {
        const xml = parseXml(path, text)
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
        const xml = parseXml(path, text)
        getObject(part.object)[MAPS[part.kind]].set(xml.text('fullName') ?? part.name, xml)
      }
    }
  }
  for (const [name, pieces] of permissionParts) {
    const own = whole.permissionset.get(name)
    whole.permissionset.set(name, XmlElement.join(own === undefined ? pieces : [own, ...pieces]))
  }
  return {
    objects,
    globalValueSets: whole.globalValueSet,
    standardValueSets: whole.standardValueSet,
    permissionSets: whole.permissionset,
    profiles: whole.profile,
    settings,
    labels,
  }
}
