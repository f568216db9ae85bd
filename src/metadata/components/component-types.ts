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

/** Components of an object that mean nothing here. They are left out with a warning: the object is useful without them. */
export const IGNORED_INSIDE: readonly string[] = [
  'BusinessProcess',
  'CompactLayout',
  'FieldSet',
  'Index',
  'SharingReason',
  'WebLink',
]

/** Types of files that are not named after their suffix. */
const OTHER_TYPES: Readonly<Record<string, string>> = {
  app: 'CustomApplication',
  asset: 'ContentAsset',
  cls: 'ApexClass',
  component: 'ApexComponent',
  email: 'EmailTemplate',
  flexipage: 'FlexiPage',
  page: 'ApexPage',
  permissionsetgroup: 'PermissionSetGroup',
  resource: 'StaticResource',
  site: 'CustomSite',
  tab: 'CustomTab',
  translation: 'Translations',
  trigger: 'ApexTrigger',
  weblink: 'CustomPageWebLink',
}

/** Folders with a folder for each component. */
const BUNDLES: Readonly<Record<string, string>> = {
  aura: 'AuraDefinitionBundle',
  lwc: 'LightningComponentBundle',
}

/** Returns the component of a file whose type has no place here, as far as its path tells. */
export function nameOtherType(path: string): { readonly type: string; readonly fullName: string } {
  const parts = path.split('/')
  const [folder = '', bundle = ''] = parts.slice(-3)
  if (parts.length >= 3 && Object.hasOwn(BUNDLES, folder)) return { type: BUNDLES[folder]!, fullName: bundle }
  const [, name = parts.at(-1)!, suffix = ''] =
    /^(.+?)\.([A-Za-z]+)(?:-meta\.xml)?$/.exec(parts.at(-1)!) ?? []
  const named = suffix.charAt(0).toUpperCase() + suffix.slice(1)
  return { type: Object.hasOwn(OTHER_TYPES, suffix) ? OTHER_TYPES[suffix]! : named, fullName: name }
}
