/** Org-wide permissions of profiles and permission sets, whose fields are named `Permissions<Name>`. */
export const SYSTEM_PERMISSION_NAMES = [
  'ApiEnabled',
  'ViewAllData',
  'ModifyAllData',
  'ViewSetup',
  'ManageUsers',
  'CustomizeApplication',
  'ViewEncryptedData',
  'ManageDataIntegrations',
  'BulkApiHardDelete',
  'ViewCallLog',
] as const

export type SystemPermission = (typeof SYSTEM_PERMISSION_NAMES)[number]

/** Permissions implied by others. */
const IMPLIED: { readonly [Name in SystemPermission]?: readonly SystemPermission[] } = {
  ModifyAllData: ['ViewAllData', 'ManageDataIntegrations'],
  ManageUsers: ['ViewSetup'],
  CustomizeApplication: ['ViewSetup'],
}

export function withImplied(given: Iterable<SystemPermission>): ReadonlySet<SystemPermission> {
  const all = new Set<SystemPermission>()
  for (const name of given) {
    all.add(name)
    for (const implied of IMPLIED[name] ?? []) all.add(implied)
  }
  return all
}
