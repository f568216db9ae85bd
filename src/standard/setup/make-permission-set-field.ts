import type { FieldDefinition } from '../../schema/fields/field-definition.ts'
import { type Complete, getText, integrityError } from '../behaviour/behaviour.ts'

/** The permission set that something is granted by: a set of its own, or the one that belongs to a profile. */
export const makePermissionSetField = (children: string): FieldDefinition => ({
  name: 'ParentId',
  label: 'Parent ID',
  type: 'reference',
  to: ['PermissionSet'],
  relationship: 'Parent',
  children,
  onDelete: 'cascade',
  required: true,
  updateable: false,
})

/** Stores the schema's spelling of the object that a permission names. */
export const completeObjectName: Complete = (values, object, schema) => {
  const named = getText(object, values, 'SobjectType')
  if (named === undefined) return
  const target = schema.object(named)
  if (target === undefined) throw integrityError(`Unknown object ${named.slice(0, 80)}`, 'SobjectType')
  values.set(object.field('SobjectType')!, target.name)
}
