import { isMetadataType } from '../../schema/definitions/custom-name.ts'
import type { ObjectDefinition } from '../../schema/definitions/definition.ts'

const SETUP_OBJECTS: ReadonlySet<string> = new Set([
  'Organization',
  'Profile',
  'PermissionSet',
  'PermissionSetAssignment',
  'ObjectPermissions',
  'FieldPermissions',
  'SetupEntityAccess',
  'ConnectedApplication',
  'User',
  'UserRole',
  'Group',
  'GroupMember',
  'RecordType',
  'ListView',
  'BusinessHours',
])

/** True if its records configure the org, such as users and permissions. Records of metadata types belong to the schema. */
export const isSetupObject = (name: string): boolean => SETUP_OBJECTS.has(name) || isMetadataType(name)

/** True if changes of its records can be kept: clients write them, and they are data. */
export const mayTrackHistory = ({
  name,
  view,
  setting,
  historyOf,
  shareOf,
  createable,
  updateable,
}: ObjectDefinition): boolean =>
  view === undefined &&
  setting === undefined &&
  historyOf === undefined &&
  shareOf === undefined &&
  !(createable === false && updateable === false) &&
  !isSetupObject(name)
