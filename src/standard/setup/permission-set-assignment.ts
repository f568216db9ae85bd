import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import { getText, integrityError, type ObjectBehaviour, type WrittenRecord } from '../behaviour/behaviour.ts'
import { notWritable } from '../behaviour/not-writable.ts'
import { uniqueTogether } from '../behaviour/unique-together.ts'
import { permissionSetSql } from './setup.sql.ts'

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
const refuseSecond = uniqueTogether(
  ['AssigneeId', 'PermissionSetId'],
  (assignee, set) => `Duplicate PermissionSetAssignment. Assignee: ${assignee}; Permission Set: ${set}`,
)

export const PERMISSION_SET_ASSIGNMENT_BEHAVIOUR: ObjectBehaviour = {
  refuseInsert: async (write, records) => {
    const { db, org, object } = write
    const setOf = ({ values }: WrittenRecord) => getText(object, values, 'PermissionSetId')
    const sets = records.flatMap((record) => setOf(record) ?? [])
    const rows = await db.query<{ id: string }>(permissionSetSql.ofProfiles(org, sets))
    const owned = new Set<string | undefined>(rows.map(({ id }) => id))
    const message = 'The permission set of a profile is assigned by the ProfileId of the user'
    const refusals = records
      .filter((record) => owned.has(setOf(record)))
      .map((record) => [record, integrityError(message, 'PermissionSetId')] as const)
    return new Map([...(await refuseSecond(write, records)), ...refusals])
  },
}
