import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import type { ObjectBehaviour } from '../behaviour/behaviour.ts'
import { completeObjectName, makePermissionSetField } from './make-permission-set-field.ts'

/** Rights that a permission set grants on the records of one object. */
export const OBJECT_PERMISSIONS: ObjectDefinition = {
  name: 'ObjectPermissions',
  label: 'Object Permissions',
  labelPlural: 'Object Permissions',
  keyPrefix: '110',
  ownerless: true,
  searchable: false,
  fields: [
    makePermissionSetField('ObjectPerms'),
    {
      name: 'SobjectType',
      label: 'Object Type Name',
      type: 'string',
      length: 255,
      required: true,
      updateable: false,
    },
    { name: 'PermissionsCreate', label: 'Create Records', type: 'boolean' },
    { name: 'PermissionsRead', label: 'Read Records', type: 'boolean' },
    { name: 'PermissionsEdit', label: 'Edit Records', type: 'boolean' },
    { name: 'PermissionsDelete', label: 'Delete Records', type: 'boolean' },
    { name: 'PermissionsViewAllRecords', label: 'Read All Records', type: 'boolean' },
    { name: 'PermissionsModifyAllRecords', label: 'Edit All Records', type: 'boolean' },
    { name: 'PermissionsViewAllFields', label: 'Read All Fields', type: 'boolean' },
    { name: 'PermissionsEditAllFields', label: 'Edit All Fields', type: 'boolean' },
  ],
}

export const OBJECT_PERMISSIONS_BEHAVIOUR: ObjectBehaviour = { completeInsert: completeObjectName }
