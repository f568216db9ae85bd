import { same } from '../../definitions/checks/checking.ts'
import { spreadActivityField } from '../../definitions/formats/activity-fields.ts'
import type { DefinitionFiles } from '../../definitions/formats/object-file.ts'
import { FIRST_PROFILES } from '../../orgs/first-profiles.ts'
import { isCustomObject } from '../../schema/definitions/custom-name.ts'
import { LABELS } from '../../schema/definitions/definition.ts'
import type { Manifest } from '../archive/read-manifests.ts'
import { isPartType, OBJECT_PARTS, splitName } from '../components/compare-component.ts'
import { removeChannel, removeMember } from './remove-channels.ts'

/** Something that an archive asks to delete. */
export interface Deletion {
  readonly type: string
  readonly fullName: string
  readonly state: 'deleted' | 'not there' | 'not supported'
}

const findKey = (map: Readonly<Record<string, unknown>>, name: string) =>
  Object.keys(map).find((key) => same(key, name))

function without<T>(map: Readonly<Record<string, T>>, name: string): Record<string, T> {
  const { [name]: _gone, ...rest } = map
  return rest
}

/** Removes one component; undefined: it is not there. */
function remove(files: DefinitionFiles, type: string, fullName: string): DefinitionFiles | undefined {
  if (type === 'CustomObject') {
    const key = findKey(files.objects, fullName)
    return key === undefined ? undefined : { ...files, objects: without(files.objects, key) }
  }
  if (type === 'GlobalValueSet') {
    const key = findKey(files.valueSets, fullName)
    return key === undefined ? undefined : { ...files, valueSets: without(files.valueSets, key) }
  }
  if (type === 'PermissionSet') {
    const { permissionSets = {} } = files
    const key = findKey(permissionSets, fullName)
    return key === undefined ? undefined : { ...files, permissionSets: without(permissionSets, key) }
  }
  if (type === 'Profile') {
    const { profiles = {} } = files
    const key = findKey(profiles, fullName)
    return key === undefined ? undefined : { ...files, profiles: without(profiles, key) }
  }
  if (type === 'PlatformEventChannel') return removeChannel(files, fullName)
  if (type === 'PlatformEventChannelMember') return removeMember(files, fullName)
  if (type === 'CustomLabel') return removePart(files, LABELS.type, 'records', fullName)
  if (!isPartType(type)) return undefined
  let smaller: DefinitionFiles | undefined
  for (const path of spreadActivityField(fullName)) {
    const [object, name] = splitName(type, path)
    smaller = removePart(smaller ?? files, object, OBJECT_PARTS[type], name) ?? smaller
  }
  return smaller
}

function removePart(
  files: DefinitionFiles,
  object: string,
  part: (typeof OBJECT_PARTS)[keyof typeof OBJECT_PARTS],
  name: string,
): DefinitionFiles | undefined {
  const key = findKey(files.objects, object)
  const file = key === undefined ? undefined : files.objects[key]
  const found: Readonly<Record<string, unknown>> = file?.[part] ?? {}
  const member = findKey(found, name)
  if (key === undefined || member === undefined) return undefined
  return { ...files, objects: { ...files.objects, [key]: { ...file, [part]: without(found, member) } } }
}

/** Types of components that an archive may delete, beside the parts of objects. */
const DELETABLE = [
  'CustomLabel',
  'GlobalValueSet',
  'PermissionSet',
  'PlatformEventChannel',
  'PlatformEventChannelMember',
  'Profile',
]

/** True unless it belongs to the platform, as its objects, its fields of any object and the profiles that every org has do. */
function isDeletable(type: string, fullName: string): boolean {
  if (type === 'CustomObject') return isCustomObject(fullName)
  if (type === 'CustomField') return /__c$/i.test(fullName)
  if (type === 'Profile') return !FIRST_PROFILES.some(({ name }) => same(name, fullName))
  return DELETABLE.includes(type) || isPartType(type)
}

interface Removed {
  readonly files: DefinitionFiles
  readonly deletions: readonly Deletion[]
}

/** Removes what a manifest names from definition files. Takes a pause after each component. */
export function* removeNamed(files: DefinitionFiles, manifest: Manifest): Generator<void, Removed> {
  let left = files
  const deletions: Deletion[] = []
  for (const [type, names] of manifest) {
    for (const fullName of names) {
      const smaller = isDeletable(type, fullName) ? remove(left, type, fullName) : undefined
      left = smaller ?? left
      const absent = isDeletable(type, fullName) ? 'not there' : 'not supported'
      deletions.push({ type, fullName, state: smaller === undefined ? absent : 'deleted' })
      yield
    }
  }
  return { files: left, deletions }
}
