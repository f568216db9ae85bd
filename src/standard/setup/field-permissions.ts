import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import { getText, integrityError, type ObjectBehaviour } from '../behaviour/behaviour.ts'
import { completeObjectName, makePermissionSetField } from './make-permission-set-field.ts'

/** Rights that a permission set grants on one field. */
export const FIELD_PERMISSIONS: ObjectDefinition = {
  name: 'FieldPermissions',
  label: 'Field Permissions',
  labelPlural: 'Field Permissions',
  keyPrefix: '01k',
  ownerless: true,
  searchable: false,
  fields: [
    makePermissionSetField('FieldPerms'),
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

export const FIELD_PERMISSIONS_BEHAVIOUR: ObjectBehaviour = {
  /** Stores the schema's spelling of the field, which must be one that can be granted. */
  completeInsert(values, object, schema) {
    completeObjectName(values, object, schema)
    const named = getText(object, values, 'Field')
    const target = schema.object(getText(object, values, 'SobjectType') ?? '')
    if (named === undefined || target === undefined) return
    const [prefix, name = ''] = named.split('.', 2) as [string, string?]
    const field = prefix.toLowerCase() === target.name.toLowerCase() ? target.field(name) : undefined
    if (field === undefined)
      throw integrityError(`${target.name} has no field ${named.slice(0, 80)}`, 'Field')
    if (!field.permissionable && field.parts.length === 0) {
      throw integrityError(
        `${target.name}.${field.name} comes with its object and cannot be granted`,
        'Field',
      )
    }
    values.set(object.field('Field')!, `${target.name}.${field.name}`)
  },
}
