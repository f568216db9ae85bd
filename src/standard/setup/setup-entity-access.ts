import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import { getText, integrityError, type ObjectBehaviour } from '../behaviour/behaviour.ts'
import { notWritable } from '../behaviour/not-writable.ts'
import { makePermissionSetField } from './make-permission-set-field.ts'

/** Most characters of the name of a custom permission. */
const MAX_CUSTOM_PERMISSION_LENGTH = 80

/** Names by which formulas can ask for a custom permission. (docs/how-to/permissions.md#custom-permissions) */
export const CUSTOM_PERMISSION_NAME = /^[A-Za-z]\w{0,79}$/

/** Further grants of a permission set: a connected app, a custom resource by its name, or a permission that formulas ask for. */
export const SETUP_ENTITY_ACCESS: ObjectDefinition = {
  name: 'SetupEntityAccess',
  label: 'Setup Entity Access',
  labelPlural: 'Setup Entity Access',
  keyPrefix: '0J0',
  ownerless: true,
  searchable: false,
  updateable: false,
  fields: [
    makePermissionSetField('SetupEntityAccessItems'),
    {
      name: 'SetupEntityId',
      label: 'Setup Entity ID',
      type: 'reference',
      to: ['ConnectedApplication'],
      relationship: 'SetupEntity',
      children: 'SetupEntityAccessItems',
      onDelete: 'cascade',
      updateable: false,
    },
    // Custom resources come with a deployment and are no records.
    {
      name: 'ResourceName',
      label: 'Custom Resource Name',
      type: 'string',
      length: 255,
      updateable: false,
    },
    {
      name: 'PermissionName',
      label: 'Custom Permission Name',
      type: 'string',
      length: MAX_CUSTOM_PERMISSION_LENGTH,
      updateable: false,
    },
    {
      name: 'SetupEntityType',
      label: 'Setup Entity Type',
      type: 'picklist',
      length: 40,
      values: ['ConnectedApplication', 'CustomResource', 'CustomPermission'],
      restricted: true,
      ...notWritable,
    },
  ],
}

/** Kinds of grants, by the field that names the grant. */
const TYPES: Readonly<Record<string, string>> = {
  SetupEntityId: 'ConnectedApplication',
  ResourceName: 'CustomResource',
  PermissionName: 'CustomPermission',
}

export const SETUP_ENTITY_ACCESS_BEHAVIOUR: ObjectBehaviour = {
  completeInsert(values, object) {
    const given = Object.keys(TYPES).filter((name) => getText(object, values, name) !== undefined)
    const [name] = given
    if (name === undefined || given.length > 1) {
      throw integrityError('Give one of SetupEntityId, ResourceName and PermissionName', 'SetupEntityId')
    }
    const permission = getText(object, values, 'PermissionName')
    if (permission !== undefined && !CUSTOM_PERMISSION_NAME.test(permission))
      throw integrityError('A custom permission is named by a letter and letters, digits and _', name)
    values.set(object.field('SetupEntityType')!, TYPES[name]!)
  },
}
