import type { ObjectDefinition } from '../schema/definitions/definition.ts'
import type { ObjectBehaviour } from './behaviour.ts'
import { notWritable } from './not-writable.ts'
import { uniqueTogether } from './unique-together.ts'

export const PERMISSION_SET_ASSIGNMENT: ObjectDefinition = {
  name: 'PermissionSetAssignment',
  label: 'Permission Set Assignment',
  labelPlural: 'Permission Set Assignments',
  keyPrefix: '0Pa',
  ownerless: true,
  searchable: false,
  updateable: false,
  fields: [
    {
      name: 'PermissionSetId',
      label: 'PermissionSet ID',
      type: 'reference',
      to: ['PermissionSet'],
      relationship: 'PermissionSet',
      children: 'Assignments',
      onDelete: 'cascade',
      required: true,
      updateable: false,
    },
    {
      name: 'AssigneeId',
      label: 'Assignee ID',
      type: 'reference',
      to: ['User'],
      relationship: 'Assignee',
      children: 'PermissionSetAssignments',
      onDelete: 'cascade',
      required: true,
      updateable: false,
    },
    {
      name: 'PermissionSetGroupId',
      label: 'PermissionSetGroup ID',
      type: 'reference',
      to: ['PermissionSetGroup'],
      relationship: 'PermissionSetGroup',
      ...notWritable,
    },
    { name: 'ExpirationDate', label: 'Expires On', type: 'datetime', ...notWritable },
    { name: 'IsActive', label: 'Is Active', type: 'boolean', default: true, ...notWritable },
  ],
}

/** Clients that assign what may be assigned already look for the first two words. */
export const PERMISSION_SET_ASSIGNMENT_BEHAVIOUR: ObjectBehaviour = {
  refuseInsert: uniqueTogether(
    ['AssigneeId', 'PermissionSetId'],
    (assignee, set) => `Duplicate PermissionSetAssignment. Assignee: ${assignee}; Permission Set: ${set}`,
  ),
}
