import { isDeepStrictEqual } from 'node:util'
import { withImplied } from '../../access/system-permission.ts'
import {
  ADMINISTRATOR_PROFILE,
  DATA_OBJECTS,
  FIRST_PROFILES,
  type FirstProfile,
} from '../../orgs/first-profiles.ts'
import { same } from '../checks/checking.ts'
import { makeLabel } from '../formats/definition-name.ts'
import type { DefinitionFiles } from '../formats/object-file.ts'
import type { PermissionSetFile, ProfileFile } from '../formats/permission-file.ts'
import {
  MAX_LABEL_LENGTH,
  OBJECT_PERMISSIONS_OF,
  OBJECT_RIGHT_NAMES,
  PERMISSION_KINDS,
  type PermissionKind,
} from '../formats/permission-rights.ts'
import { completeRights, type Granted } from './holder.ts'

const makeSetLabel = (name: string) => (makeLabel(name) || name).slice(0, MAX_LABEL_LENGTH)

/** Grants of a file. Its names are those of the schema: the check of the files requires their spelling. */
function readFile(kind: PermissionKind, name: string, file: PermissionSetFile | ProfileFile): Granted {
  const { description, system = [], customPermissions = [], objects = {}, fields = {} } = file
  const label = 'label' in file ? file.label : undefined
  const rights = Object.entries(objects).map(([object, given]) => [object, completeRights(given)] as const)
  return {
    kind,
    name,
    ...(kind === 'permissionSets' && { label: label?.trim() || makeSetLabel(name) }),
    description: description?.trim() || undefined,
    system: withImplied(system),
    custom: new Map(customPermissions.map((permission) => [permission, 'granted'])),
    objects: new Map(rights.filter(([, given]) => given.length > 0)),
    fields: new Map(Object.entries(fields)),
  }
}

/** Grants of the files of permission sets and profiles. */
export const readPermissionFiles = (files: DefinitionFiles): Granted[] =>
  PERMISSION_KINDS.flatMap((kind) =>
    Object.entries(files[kind] ?? {}).map(([name, file]) => readFile(kind, name, file ?? {})),
  )

/** The file of a permission set or profile, the inverse of reading it. */
function writeFile({
  kind,
  name,
  label,
  description,
  system,
  custom,
  objects,
  fields,
}: Granted): PermissionSetFile {
  const sorted = <T>(map: ReadonlyMap<string, T>) =>
    Object.fromEntries([...map].sort(([a], [b]) => (a < b ? -1 : 1)))
  return {
    ...(kind === 'permissionSets' && label !== makeSetLabel(name) && { label }),
    ...(description !== undefined && { description }),
    ...(system.size > 0 && { system: [...system].sort() }),
    ...(custom.size > 0 && { customPermissions: [...custom.keys()].sort() }),
    ...(objects.size > 0 && { objects: sorted(objects) as PermissionSetFile['objects'] }),
    ...(fields.size > 0 && { fields: sorted(fields) }),
  }
}

/** Grants of a profile that each org has from the start. */
function readFirstProfile({ name, description, system, rights }: FirstProfile): Granted {
  const given = completeRights(
    OBJECT_RIGHT_NAMES.filter((right) => rights.includes(OBJECT_PERMISSIONS_OF[right])),
  )
  return {
    kind: 'profiles',
    name,
    description,
    system: withImplied(system),
    custom: new Map(),
    objects: new Map(given.length === 0 ? [] : DATA_OBJECTS.map((object) => [object, given] as const)),
    fields: new Map(),
  }
}

/** True if a profile has no file: that of administrators, and those that are as they were in a new org. */
function hasNoFile(granted: Granted): boolean {
  if (granted.kind !== 'profiles') return false
  if (same(granted.name, ADMINISTRATOR_PROFILE)) return true
  const first = FIRST_PROFILES.find(({ name }) => name === granted.name)
  return first !== undefined && isDeepStrictEqual(writeFile(granted), writeFile(readFirstProfile(first)))
}

/** Makes the files of an org's permission sets and profiles, one at a time. Of several of a name the first has one. */
export function* writePermissionsInSlices(
  all: readonly Granted[],
): Generator<void, Required<Pick<DefinitionFiles, PermissionKind>>> {
  const files: Record<PermissionKind, [string, PermissionSetFile][]> = { permissionSets: [], profiles: [] }
  const seen = new Set<string>()
  for (const granted of all) {
    const key = `${granted.kind} ${granted.name.toLowerCase()}`
    if (seen.has(key) || hasNoFile(granted)) continue
    seen.add(key)
    files[granted.kind].push([granted.name, writeFile(granted)])
    yield
  }
  return {
    permissionSets: Object.fromEntries(files.permissionSets),
    profiles: Object.fromEntries(files.profiles),
  }
}
