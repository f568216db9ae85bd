import type { FieldDefinition } from '../schema/definition.ts'

/** What profiles and permission sets allow in the whole org; the same fields on both. */
export const SYSTEM_PERMISSIONS: readonly FieldDefinition[] = [
  { name: 'PermissionsApiEnabled', label: 'API Enabled', type: 'boolean' },
  { name: 'PermissionsViewAllData', label: 'View All Data', type: 'boolean' },
  { name: 'PermissionsModifyAllData', label: 'Modify All Data', type: 'boolean' },
  { name: 'PermissionsViewSetup', label: 'View Setup and Configuration', type: 'boolean' },
  { name: 'PermissionsManageUsers', label: 'Manage Users', type: 'boolean' },
  { name: 'PermissionsCustomizeApplication', label: 'Customize Application', type: 'boolean' },
]
