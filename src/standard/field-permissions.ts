import type { ObjectDefinition } from '../schema/definitions/definition.ts'
import { permissionsOf } from './permissions-of.ts'

/** What a permission set allows with one field. */
export const FIELD_PERMISSIONS: ObjectDefinition = {
  name: 'FieldPermissions',
  label: 'Field Permissions',
  labelPlural: 'Field Permissions',
  keyPrefix: '01k',
  ownerless: true,
  searchable: false,
  fields: [
    permissionsOf('FieldPerms'),
    {
      name: 'SobjectType',
      label: 'Sobject Type Name',
      type: 'string',
      length: 255,
      required: true,
      updateable: false,
    },
    // `Account.AnnualRevenue`
    { name: 'Field', label: 'Field Name', type: 'string', length: 255, required: true, updateable: false },
    { name: 'PermissionsRead', label: 'Read Field', type: 'boolean' },
    { name: 'PermissionsEdit', label: 'Edit Field', type: 'boolean' },
  ],
}
