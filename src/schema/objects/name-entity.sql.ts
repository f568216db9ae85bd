import { type Sql, sql } from '../../base/sql.ts'
import type { Field } from '../fields/field.ts'
import { makeFields, makeObjectType, type ObjectType } from './object-type.ts'

/**
 * The fields that queries can reach through a polymorphic reference. (docs/reference/api/queries.md#conditions)
 */
const definition = {
  name: 'Name',
  label: 'Name',
  labelPlural: 'Names',
  keyPrefix: '',
  ownerless: true,
  fields: [
    { name: 'Name', label: 'Name', type: 'string', length: 255, nameField: true },
    { name: 'LastName', label: 'Last Name', type: 'string', length: 80 },
    { name: 'FirstName', label: 'First Name', type: 'string', length: 40 },
    { name: 'Type', label: 'Type', type: 'picklist', length: 40 },
    { name: 'Alias', label: 'Alias', type: 'string', length: 8 },
    { name: 'UserRoleId', label: 'Role ID', type: 'reference', to: ['UserRole'], relationship: 'UserRole' },
    {
      name: 'RecordTypeId',
      label: 'Record Type ID',
      type: 'reference',
      to: ['RecordType'],
      relationship: 'RecordType',
    },
    { name: 'IsActive', label: 'Active', type: 'boolean' },
    { name: 'ProfileId', label: 'Profile ID', type: 'reference', to: ['Profile'], relationship: 'Profile' },
    { name: 'Title', label: 'Title', type: 'string', length: 128 },
    { name: 'Email', label: 'Email', type: 'email', length: 80 },
    { name: 'Phone', label: 'Phone', type: 'phone', length: 40 },
    { name: 'NameOrAlias', label: 'Name or Alias', type: 'string', length: 255 },
    { name: 'CommunityNickname', label: 'Nickname', type: 'string', length: 40 },
    { name: 'Username', label: 'Username', type: 'string', length: 80 },
    { name: 'LastViewedDate', label: 'Last Viewed Date', type: 'datetime' },
    { name: 'LastReferencedDate', label: 'Last Referenced Date', type: 'datetime' },
  ],
} as const

const fields = makeFields(definition).filter((field) => !field.system || field.name === 'Id')

export const NAME_ENTITY: ObjectType = makeObjectType(definition, fields, [], [], [])

/** A field of the Name entity on one of the objects: its own, its name field, or nothing. */
export function nameColumn(object: ObjectType, field: Field): Sql {
  const column = (own: Field) => sql.id('n', own.column!)
  const own = object.field(field.name)
  if (field.name === 'Id') return sql.id('n', 'id')
  if (field.name === 'Name' && object.nameField !== undefined) return column(object.nameField)
  if (field.name === 'NameOrAlias') {
    const named = object.field('Alias') ?? object.nameField
    if (named !== undefined) return column(named)
  } else if (own?.column !== undefined && own.type.parameter === field.type.parameter) {
    return column(own)
  }
  // A boolean is never null.
  if (field.type.literal === 'boolean') return sql`false`
  return sql`null::${sql.raw(field.type.parameter)}`
}
