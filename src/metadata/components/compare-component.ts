import { isDeepStrictEqual } from 'node:util'
import type { DefinitionFiles, ObjectFile } from '../../definitions/formats/object-file.ts'
import { LABELS } from '../../schema/definitions/definition.ts'
import type { Component } from './find-components.ts'

/** Where a type of components stands in an object's file. */
export const OBJECT_PARTS = {
  CustomField: 'fields',
  ValidationRule: 'validations',
  RecordType: 'recordTypes',
  ListView: 'listViews',
  CustomMetadata: 'records',
} as const satisfies Record<string, keyof ObjectFile>

type PartType = keyof typeof OBJECT_PARTS

export const isPartType = (type: string): type is PartType => Object.hasOwn(OBJECT_PARTS, type)

/** Splits `Item__c.Code__c`, and the name of a record of a metadata type. */
export function splitName(type: PartType, fullName: string): readonly [object: string, name: string] {
  const dot = fullName.indexOf('.')
  const object = fullName.slice(0, dot)
  return [type === 'CustomMetadata' ? `${object}__mdt` : object, fullName.slice(dot + 1)]
}

const ofObject = (file: ObjectFile | null | undefined) => {
  if (file === undefined) return undefined
  const parts: readonly string[] = Object.values(OBJECT_PARTS)
  return Object.fromEntries(Object.entries(file ?? {}).filter(([name]) => !parts.includes(name)))
}

/** What definition files say of a component; undefined: nothing. */
function findDefinition(
  files: DefinitionFiles,
  { type, fullName }: Pick<Component, 'type' | 'fullName'>,
): unknown {
  if (isPartType(type)) {
    const [object, name] = splitName(type, fullName)
    return files.objects[object]?.[OBJECT_PARTS[type]]?.[name]
  }
  switch (type) {
    case 'CustomObject':
      return ofObject(files.objects[fullName])
    case 'CustomLabel':
      return files.objects[LABELS.type]?.records?.[fullName]
    case 'CustomLabels':
      return files.objects[LABELS.type]?.records
    case 'GlobalValueSet':
      return files.valueSets[fullName]
    case 'PermissionSet':
      return files.permissionSets?.[fullName]
    case 'Profile':
      return files.profiles?.[fullName]
    case 'Settings':
      return files.settings?.Company
    default:
      return undefined
  }
}

/** Tells whether a component is new or other than before. */
export function compareComponent(
  before: DefinitionFiles,
  after: DefinitionFiles,
  component: Pick<Component, 'type' | 'fullName'>,
): { readonly created: boolean; readonly changed: boolean } {
  const [known, wanted] = [findDefinition(before, component), findDefinition(after, component)]
  if (wanted === undefined) return { created: false, changed: false }
  // A null file is an empty one.
  const isSame = isDeepStrictEqual(known ?? {}, wanted ?? {})
  return { created: known === undefined, changed: known === undefined || !isSame }
}
