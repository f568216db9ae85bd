/** A type of components that stand in the file of another one. */
interface ChildType {
  /** Name of its elements there; in source format also the folder of its own files. */
  readonly element: string
  /** How its own files end in source format; where this is absent it has none there either. */
  readonly suffix?: string
}

interface ComponentType {
  readonly folder: string
  readonly suffix: string
  readonly children: Readonly<Record<string, ChildType>>
}

/** Types of components with a file each in metadata format, by the names that manifests have for them. */
export const COMPONENT_TYPES = {
  CustomLabels: { folder: 'labels', suffix: 'labels', children: { CustomLabel: { element: 'labels' } } },
  CustomMetadata: { folder: 'customMetadata', suffix: 'md', children: {} },
  CustomObject: {
    folder: 'objects',
    suffix: 'object',
    children: {
      CustomField: { element: 'fields', suffix: 'field' },
      ListView: { element: 'listViews', suffix: 'listView' },
      RecordType: { element: 'recordTypes', suffix: 'recordType' },
      ValidationRule: { element: 'validationRules', suffix: 'validationRule' },
    },
  },
  GlobalValueSet: { folder: 'globalValueSets', suffix: 'globalValueSet', children: {} },
  PermissionSet: { folder: 'permissionsets', suffix: 'permissionset', children: {} },
  PlatformEventChannel: { folder: 'platformEventChannels', suffix: 'platformEventChannel', children: {} },
  PlatformEventChannelMember: {
    folder: 'platformEventChannelMembers',
    suffix: 'platformEventChannelMember',
    children: {},
  },
  Profile: { folder: 'profiles', suffix: 'profile', children: {} },
  Settings: { folder: 'settings', suffix: 'settings', children: {} },
} as const satisfies Readonly<Record<string, ComponentType>>

export type ComponentTypeName = keyof typeof COMPONENT_TYPES

export type ChildTypeName =
  | keyof (typeof COMPONENT_TYPES)['CustomObject']['children']
  | keyof (typeof COMPONENT_TYPES)['CustomLabels']['children']

/** The types of children. */
const CHILD_TYPES: ReadonlyMap<string, ChildType> = new Map(
  Object.values(COMPONENT_TYPES).flatMap(({ children }) => Object.entries<ChildType>(children)),
)

export const getChildType = (name: ChildTypeName): ChildType => CHILD_TYPES.get(name)!

/** True of the names that a manifest may have for types. */
export const isTypeName = (name: string): boolean =>
  Object.hasOwn(COMPONENT_TYPES, name) || CHILD_TYPES.has(name)
