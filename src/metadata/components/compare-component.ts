import { isDeepStrictEqual } from 'node:util'
import { same } from '../../definitions/checks/checking.ts'
import { spreadActivityField } from '../../definitions/formats/activity-fields.ts'
import type { FieldFile } from '../../definitions/formats/field-file.ts'
import type { DefinitionFiles, ObjectFile } from '../../definitions/formats/object-file.ts'
import { STANDARD_VALUE_SETS } from '../../importers/source-format/standard-value-sets.ts'
import { LABELS } from '../../schema/definitions/definition.ts'
import { OWN_CHANNELS } from '../../schema/definitions/event-channels.ts'
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

/** A member by its name, never one that every object inherits. */
const own = <T>(map: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  map !== undefined && Object.hasOwn(map, name) ? map[name] : undefined

/** Value sets are kept with the fields that use them. */
const isUsed = ({ objects }: DefinitionFiles, valueSet: string) =>
  Object.values(objects).some((file) =>
    Object.values(file?.fields ?? {}).some((field) => field?.valueSet === valueSet),
  )

/** The standard picklists that take their values from a standard value set. */
export const picklistsOf = (valueSet: string): readonly string[] => own(STANDARD_VALUE_SETS, valueSet) ?? []

/** The values that an org gave to the picklists of a standard value set, if it gave any. */
function standardValues({ objects }: DefinitionFiles, valueSet: string): unknown {
  const values = picklistsOf(valueSet).map((path) => {
    const [object, field] = splitName('CustomField', path)
    return own<FieldFile | null>(own(objects, object)?.fields, field)?.values
  })
  return values.some((one) => one !== undefined) ? values : undefined
}

/** Returns the fields that events of an object always have on a channel; undefined if the channel has none of its events. */
function findMember({ objects }: DefinitionFiles, { object, channel }: NonNullable<Component['member']>) {
  const name = Object.keys(objects).find((one) => same(one, object))
  const file = name === undefined ? undefined : objects[name]
  const enriched = own(file?.channels, channel)
  return channel === OWN_CHANNELS && file?.changeEvents === true ? (enriched ?? []) : enriched
}

/** Channels are kept with the objects whose events they have. */
const hasChannel = ({ objects }: DefinitionFiles, channel: string) =>
  Object.values(objects).some((file) => own(file?.channels, channel) !== undefined)

/** Returns the definition of a component, or undefined if there is none. */
function findDefinition(
  files: DefinitionFiles,
  { type, fullName, member }: Pick<Component, 'type' | 'fullName' | 'member'>,
): unknown {
  if (isPartType(type)) {
    const [object, name] = splitName(type, spreadActivityField(fullName)[0]!)
    return own<unknown>(own(files.objects, object)?.[OBJECT_PARTS[type]], name)
  }
  switch (type) {
    case 'CustomObject':
      return ofObject(own(files.objects, fullName))
    case 'CustomLabel':
      return own(files.objects[LABELS.type]?.records, fullName)
    case 'CustomLabels':
      return files.objects[LABELS.type]?.records
    case 'GlobalValueSet':
      return isUsed(files, fullName) ? own(files.valueSets, fullName) : undefined
    case 'StandardValueSet':
      return standardValues(files, fullName)
    case 'PermissionSet':
      return own(files.permissionSets, fullName)
    case 'Profile':
      return own(files.profiles, fullName)
    case 'PlatformEventChannel':
      return hasChannel(files, fullName) ? {} : undefined
    case 'PlatformEventChannelMember':
      return member && findMember(files, member)
    case 'Settings':
      return files.settings?.Company
    default:
      return undefined
  }
}

/** A field of the platform stands in definition files only where it differs. */
function isOwnField(fullName: string): boolean {
  const [object = '', name = ''] = fullName.split('.')
  return /__c$/i.test(name) || (/__(?:c|mdt|e)$/.test(object) && name !== 'Name')
}

/** Types of which each component stands in definition files, unless something was wrong with it. */
const ALWAYS_THERE = [
  'ValidationRule',
  'CustomMetadata',
  'CustomLabel',
  'PermissionSet',
  'PlatformEventChannelMember',
]

/** True if definition files must have a component that was read, and do not. */
export function isMissing(
  after: DefinitionFiles,
  component: Pick<Component, 'type' | 'fullName' | 'member'>,
): boolean {
  const { type, fullName } = component
  if (!ALWAYS_THERE.includes(type) && !(type === 'CustomField' && isOwnField(fullName))) return false
  return findDefinition(after, component) === undefined
}

/** Tells whether a component is new or other than before. */
export function compareComponent(
  before: DefinitionFiles,
  after: DefinitionFiles,
  component: Pick<Component, 'type' | 'fullName' | 'member'>,
): { readonly created: boolean; readonly changed: boolean } {
  const [known, wanted] = [findDefinition(before, component), findDefinition(after, component)]
  if (wanted === undefined) return { created: false, changed: false }
  // A null file is an empty one.
  const isSame = isDeepStrictEqual(known ?? {}, wanted ?? {})
  // The platform has these sets; an org changes what is in them.
  const created = known === undefined && component.type !== 'StandardValueSet'
  return { created, changed: known === undefined || !isSame }
}
