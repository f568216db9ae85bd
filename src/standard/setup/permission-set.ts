import { ApiError } from '../../base/api-error.ts'
import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import type { ObjectBehaviour } from '../behaviour/behaviour.ts'
import { notWritable } from '../behaviour/not-writable.ts'
import { permissionSetSql } from './setup.sql.ts'
import { SYSTEM_PERMISSIONS } from './system-permissions.ts'

export const PERMISSION_SET: ObjectDefinition = {
  name: 'PermissionSet',
  label: 'Permission Set',
  labelPlural: 'Permission Sets',
  keyPrefix: '0PS',
  ownerless: true,
  searchable: false,
  fields: [
    {
      name: 'Name',
      label: 'Permission Set Name',
      type: 'string',
      length: 80,
      required: true,
      nameField: true,
    },
    { name: 'Label', label: 'Permission Set Label', type: 'string', length: 80, required: true },
    { name: 'Description', label: 'Description', type: 'string', length: 255 },
    { name: 'IsOwnedByProfile', label: 'Is Owned By Profile', type: 'boolean', ...notWritable },
    {
      name: 'ProfileId',
      label: 'Profile ID',
      type: 'reference',
      to: ['Profile'],
      relationship: 'Profile',
      children: 'PermissionSets',
      onDelete: 'cascade',
      ...notWritable,
    },
    {
      name: 'LicenseId',
      label: 'License ID',
      type: 'reference',
      to: ['PermissionSetLicense', 'UserLicense'],
      relationship: 'License',
      ...notWritable,
    },
    { name: 'IsCustom', label: 'Is Custom', type: 'boolean', default: true, ...notWritable },
    { name: 'NamespacePrefix', label: 'Namespace Prefix', type: 'string', length: 15, ...notWritable },
    { name: 'HasActivationRequired', label: 'Has Activation Required', type: 'boolean', ...notWritable },
    {
      name: 'Type',
      label: 'Type',
      type: 'picklist',
      length: 40,
      required: true,
      values: [{ value: 'Regular', default: true }, 'Standard', 'Session', 'Group', 'Profile'],
      restricted: true,
      ...notWritable,
    },
    ...SYSTEM_PERMISSIONS,
  ],
}

export const PERMISSION_SET_BEHAVIOUR: ObjectBehaviour = {
  refuseDelete: async ({ db, org }, ids) => {
    const owned = await db.query<{ id: string }>(permissionSetSql.ofProfiles(org, ids))
    const message = 'The permission set of a profile can only be deleted with the profile'
    return new Map(owned.map(({ id }) => [id, new ApiError('INSUFFICIENT_ACCESS_OR_READONLY', message)]))
  },
}
