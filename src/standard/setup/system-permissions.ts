import type { SystemPermission } from '../../access/system-permission.ts'
import type { FieldDefinition } from '../../schema/fields/field-definition.ts'

const LABELS: Readonly<Record<SystemPermission, string>> = {
  ApiEnabled: 'API Enabled',
  ViewAllData: 'View All Data',
  ModifyAllData: 'Modify All Data',
  ViewSetup: 'View Setup and Configuration',
  ManageUsers: 'Manage Users',
  CustomizeApplication: 'Customize Application',
  ViewEncryptedData: 'View Encrypted Data',
  ManageDataIntegrations: 'Manage Data Integrations',
  BulkApiHardDelete: 'Bulk API Hard Delete',
  ViewCallLog: 'View Call Log',
}

/** Org-wide permissions of profiles and permission sets; the same fields on both. */
export const SYSTEM_PERMISSIONS: readonly FieldDefinition[] = Object.entries(LABELS).map(([name, label]) => ({
  name: `Permissions${name}`,
  label,
  type: 'boolean',
}))
