import type { Part } from '../../importers/source-format/project/source-file.ts'

type ReadKind = Exclude<Part['kind'], 'component' | 'other'>

/** Names that the API has for the components of files that are read. */
export const KINDS: Readonly<Record<ReadKind, string>> = {
  object: 'CustomObject',
  field: 'CustomField',
  recordType: 'RecordType',
  validationRule: 'ValidationRule',
  listView: 'ListView',
  record: 'CustomMetadata',
  globalValueSet: 'GlobalValueSet',
  standardValueSet: 'StandardValueSet',
  platformEventChannel: 'PlatformEventChannel',
  platformEventChannelMember: 'PlatformEventChannelMember',
  permissionset: 'PermissionSet',
  permissionPart: 'PermissionSet',
  profile: 'Profile',
  settings: 'Settings',
  labels: 'CustomLabels',
  label: 'CustomLabels',
}

/** The components that stand in the file of another one: their types by what the file calls them. */
export const INSIDE: Readonly<Record<string, ReadonlyMap<string, string>>> = {
  CustomObject: new Map([
    ['fields', 'CustomField'],
    ['validationRules', 'ValidationRule'],
    ['recordTypes', 'RecordType'],
    ['listViews', 'ListView'],
    ['businessProcesses', 'BusinessProcess'],
    ['compactLayouts', 'CompactLayout'],
    ['fieldSets', 'FieldSet'],
    ['indexes', 'Index'],
    ['sharingReasons', 'SharingReason'],
    ['webLinks', 'WebLink'],
  ]),
  CustomLabels: new Map([['labels', 'CustomLabel']]),
}

const IGNORED_INSIDE: readonly string[] = [
  'BusinessProcess',
  'CompactLayout',
  'FieldSet',
  'Index',
  'SharingReason',
  'WebLink',
]

/** True if components of an object of that type mean nothing here. They are left out with a warning: the object is useful without them. */
export const isIgnored = (type: string): boolean => IGNORED_INSIDE.includes(type)
