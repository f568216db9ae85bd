import { decidesAccess } from '../access/guards.ts'
import { SYSTEM_PERMISSION_NAMES, type SystemPermission } from '../access/system-permission.ts'
import { STANDARD_OBJECTS } from '../standard/standard-objects.ts'
import type { FirstRecord } from './first-records.sql.ts'

interface FirstProfile {
  readonly name: string
  readonly description: string
  readonly system: readonly SystemPermission[]
  /** What it allows with every standard object, as it is written in ObjectPermissions. */
  readonly rights: readonly string[]
}

export const ADMINISTRATOR_PROFILE = 'System Administrator'

const FIRST_PROFILES: readonly FirstProfile[] = [
  {
    name: ADMINISTRATOR_PROFILE,
    description: 'Everything, in the whole org',
    system: SYSTEM_PERMISSION_NAMES,
    rights: [],
  },
  {
    name: 'Standard User',
    description: 'Reads and writes records of all standard objects, as far as they are shared',
    system: ['ApiEnabled'],
    rights: ['Read', 'Create', 'Edit', 'Delete', 'ViewAllFields', 'EditAllFields'],
  },
  {
    name: 'Read Only',
    description: 'Reads records of all standard objects, as far as they are shared',
    system: ['ApiEnabled'],
    rights: ['Read', 'ViewAllFields'],
  },
  {
    name: 'Minimum Access',
    description: 'Nothing but what permission sets add: for integrations',
    system: ['ApiEnabled'],
    rights: [],
  },
]

const granted = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [`permissions${name.toLowerCase()}`, true] as const))

const DATA_OBJECTS = STANDARD_OBJECTS.filter(({ name }) => !decidesAccess(name)).map(({ name }) => name)

/** The permission set of a profile. */
export const ownedSet = (id: string, profileId: string, label: string): FirstRecord => ({
  table: 'permissionset',
  values: { id, name: `X${profileId}`, label, isownedbyprofile: true, profileid: profileId },
})

/**
 * The profiles that every org starts with.
 * @returns their records, and the id of the administrators' profile
 */
export async function firstProfiles(
  idFor: (object: string) => Promise<string>,
): Promise<{ records: FirstRecord[]; administratorId: string }> {
  const profiles: FirstRecord[] = []
  const sets: FirstRecord[] = []
  const grants: FirstRecord[] = []
  let administratorId = ''
  for (const { name, description, system, rights } of FIRST_PROFILES) {
    const [id, setId] = [await idFor('Profile'), await idFor('PermissionSet')]
    if (name === ADMINISTRATOR_PROFILE) administratorId = id
    const values = { id, name, description, usertype: 'Standard', ...granted(system) }
    profiles.push({ table: 'profile', values })
    sets.push(ownedSet(setId, id, name))
    for (const object of rights.length === 0 ? [] : DATA_OBJECTS) {
      const permissions = { parentid: setId, sobjecttype: object, ...granted(rights) }
      grants.push({
        table: 'objectpermissions',
        values: { id: await idFor('ObjectPermissions'), ...permissions },
      })
    }
  }
  return { records: [...profiles, ...sets, ...grants], administratorId }
}
