import type { ObjectDefinition } from '../schema/definitions/definition.ts'
import { getText, integrityError, type ObjectBehaviour } from './behaviour.ts'
import { makePermissionSetField } from './make-permission-set-field.ts'
import { notWritable } from './not-writable.ts'

/** What else a permission set opens: a connected app, or a custom resource by its name. */
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
      name: 'SetupEntityType',
      label: 'Setup Entity Type',
      type: 'picklist',
      length: 40,
      values: ['ConnectedApplication', 'CustomResource'],
      restricted: true,
      ...notWritable,
    },
  ],
}

export const SETUP_ENTITY_ACCESS_BEHAVIOUR: ObjectBehaviour = {
  completeInsert(values, object) {
    const app = getText(object, values, 'SetupEntityId')
    const resource = getText(object, values, 'ResourceName')
    if ((app === undefined) === (resource === undefined)) {
      throw integrityError('Give either SetupEntityId or ResourceName', 'SetupEntityId')
    }
    const type = app === undefined ? 'CustomResource' : 'ConnectedApplication'
    values.set(object.field('SetupEntityType')!, type)
  },
}
