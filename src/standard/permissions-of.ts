import type { FieldDefinition } from '../schema/definitions/definition.ts'

/** The permission set that something is granted by: a set of its own, or the one that belongs to a profile. */
export const permissionsOf = (children: string): FieldDefinition => ({
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
