import { guardOf } from '../access/guards.ts'
import { SYSTEM_PERMISSION_NAMES, type SystemPermission } from '../access/system-permission.ts'
import { STANDARD_OBJECTS } from '../standard/standard-objects.ts'
import { USER_LICENSE_ID } from '../standard/views/user-license.sql.ts'
import type { FirstRecord } from './first-records.sql.ts'

export interface FirstProfile {
  readonly name: string
  readonly description: string
  readonly userType: 'Standard' | 'Guest'
  readonly system: readonly SystemPermission[]
  /** Permissions for every standard object, as ObjectPermissions has them. */
  readonly rights: readonly string[]
}

export const ADMINISTRATOR_PROFILE = 'System Administrator'

const GUEST: FirstProfile = {
  name: 'Guest',
  description: 'Who calls the public site: nothing but what is granted',
  userType: 'Guest',
  system: [],
  rights: [],
}

export const FIRST_PROFILES: readonly FirstProfile[] = [
  {
    name: ADMINISTRATOR_PROFILE,
    description: 'Everything, in the whole org',
    userType: 'Standard',
    system: SYSTEM_PERMISSION_NAMES,
    rights: [],
  },
  {
    name: 'Standard User',
    description: 'Reads and writes records of all standard objects, as far as they are shared',
    userType: 'Standard',
    system: ['ApiEnabled'],
    rights: ['Read', 'Create', 'Edit', 'Delete', 'ViewAllFields', 'EditAllFields'],
  },
  {
    name: 'Read Only',
    description: 'Reads records of all standard objects, as far as they are shared',
    userType: 'Standard',
    system: ['ApiEnabled'],
    rights: ['Read', 'ViewAllFields'],
  },
  {
    name: 'Minimum Access',
    description: 'Nothing but what permission sets add: for integrations',
    userType: 'Standard',
    system: ['ApiEnabled'],
    rights: [],
  },
  GUEST,
]

const granted = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [`permissions${name.toLowerCase()}`, true] as const))

/** The objects that they have permissions for. A history goes with its object. */
export const DATA_OBJECTS = STANDARD_OBJECTS.filter(
  (object) => guardOf(object) === undefined && object.historyOf === undefined,
).map(({ name }) => name)

/** The permission set of a profile. */
export const ownedSet = (id: string, profileId: string, label: string): FirstRecord => ({
  table: 'permissionset',
  values: {
    id,
    name: `X${profileId}`,
    label,
    isownedbyprofile: true,
    iscustom: false,
    type: 'Profile',
    profileid: profileId,
  },
})

const profileRecord = (id: string, { name, description, userType, system }: FirstProfile): FirstRecord => ({
  table: 'profile',
  values: {
    id,
    name,
    description,
    usertype: userType,
    userlicenseid: USER_LICENSE_ID,
    ...granted(system),
  },
})

interface FirstProfiles {
  readonly records: readonly FirstRecord[]
  readonly administratorId: string
  readonly guestId: string
}

/** Makes the initial profiles of an org. */
export async function firstProfiles(idFor: (object: string) => Promise<string>): Promise<FirstProfiles> {
  const profiles: FirstRecord[] = []
  const sets: FirstRecord[] = []
  const grants: FirstRecord[] = []
  const ids = new Map<string, string>()
  for (const profile of FIRST_PROFILES) {
    const { name, rights } = profile
    const [id, setId] = [await idFor('Profile'), await idFor('PermissionSet')]
    ids.set(name, id)
    profiles.push(profileRecord(id, profile))
    sets.push(ownedSet(setId, id, name))
    for (const object of rights.length === 0 ? [] : DATA_OBJECTS) {
      const permissions = { parentid: setId, sobjecttype: object, ...granted(rights) }
      grants.push({
        table: 'objectpermissions',
        values: { id: await idFor('ObjectPermissions'), ...permissions },
      })
    }
  }
  return {
    records: [...profiles, ...sets, ...grants],
    administratorId: ids.get(ADMINISTRATOR_PROFILE)!,
    guestId: ids.get(GUEST.name)!,
  }
}
