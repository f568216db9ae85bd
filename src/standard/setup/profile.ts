import { findAdministrator } from '../../auth/users/users.ts'
import { ApiError } from '../../base/api-error.ts'
import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import { getText, type ObjectBehaviour, type Write, type WrittenRecord } from '../behaviour/behaviour.ts'
import { LAST_USE, notWritable } from '../behaviour/not-writable.ts'
import { USER_TYPE_VALUES } from '../values/short-picklists.ts'
import { USER_LICENSE_ID } from '../views/user-license.sql.ts'
import { SYSTEM_PERMISSIONS } from './system-permissions.ts'

/** Refuses a change that would leave an org without an administrator. */
export async function requireAdministrator({ db, org }: Write): Promise<void> {
  if ((await findAdministrator(db, org)) !== undefined) return
  throw new ApiError(
    'FIELD_INTEGRITY_EXCEPTION',
    'An org needs an active user whose profile may manage users and customize the application',
  )
}

export const PROFILE: ObjectDefinition = {
  name: 'Profile',
  label: 'Profile',
  labelPlural: 'Profiles',
  keyPrefix: '00e',
  ownerless: true,
  fields: [
    { name: 'Name', label: 'Name', type: 'string', length: 255, required: true, nameField: true },
    {
      name: 'UserType',
      label: 'User Type',
      type: 'picklist',
      length: 40,
      values: USER_TYPE_VALUES,
      restricted: true,
      ...notWritable,
    },
    {
      name: 'UserLicenseId',
      label: 'User License ID',
      type: 'reference',
      to: ['UserLicense'],
      relationship: 'UserLicense',
      required: true,
      onDelete: 'restrict',
      default: USER_LICENSE_ID,
      ...notWritable,
    },
    { name: 'Description', label: 'Description', type: 'string', length: 255 },
    ...SYSTEM_PERMISSIONS,
    ...LAST_USE,
  ],
}

/** Each profile has its own permission set for its object and field permissions. */
async function addPermissionSets(write: Write, profiles: readonly WrittenRecord[]): Promise<void> {
  const sets = profiles.map(({ id, values }) => ({
    Name: `X${id}`,
    Label: (getText(write.object, values, 'Name') ?? id).slice(0, 80),
    IsOwnedByProfile: true,
    IsCustom: false,
    Type: 'Profile',
    ProfileId: id,
  }))
  await write.insert('PermissionSet', sets)
}

export const PROFILE_BEHAVIOUR: ObjectBehaviour = {
  afterInsert: addPermissionSets,
  afterChange: requireAdministrator,
}
