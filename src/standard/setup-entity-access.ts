import type { ObjectDefinition } from '../schema/definitions/definition.ts'
import { notWritable } from './not-writable.ts'
import { permissionsOf } from './permissions-of.ts'

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
    permissionsOf('SetupEntityAccessItems'),
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
