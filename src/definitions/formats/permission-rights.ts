import type { OBJECT_PERMISSION_NAMES } from '../../access/grants.sql.ts'
import { guardOf } from '../../access/guards.ts'
import type { ObjectRights } from '../../access/rights.ts'
import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import type { Field } from '../../schema/fields/field.ts'

/** Rights on an object as files name them, with the permission that grants each. */
export const OBJECT_PERMISSIONS_OF: Readonly<
  Record<keyof ObjectRights, (typeof OBJECT_PERMISSION_NAMES)[number]>
> = {
  read: 'Read',
  create: 'Create',
  edit: 'Edit',
  delete: 'Delete',
  viewAll: 'ViewAllRecords',
  modifyAll: 'ModifyAllRecords',
  viewAllFields: 'ViewAllFields',
  editAllFields: 'EditAllFields',
}

export const OBJECT_RIGHT_NAMES = Object.keys(OBJECT_PERMISSIONS_OF) as (keyof ObjectRights)[]

/** Maximum length of the label of a permission set. */
export const MAX_LABEL_LENGTH = 80

/** Members of definition files that grant permissions. */
export const PERMISSION_KINDS = ['permissionSets', 'profiles'] as const
export type PermissionKind = (typeof PERMISSION_KINDS)[number]

/** True if object permissions decide about the records of an object. */
export const isGrantable = (object: ObjectDefinition): boolean =>
  guardOf(object) === undefined && object.shareOf === undefined && object.historyOf === undefined

/** True if field permissions decide about a field. The others come with their object. */
export const isGrantableField = (field: Field): boolean => field.permissionable || field.parts.length > 0
