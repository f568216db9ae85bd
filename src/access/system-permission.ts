/** What profiles and permission sets allow in the whole org: their fields are named `Permissions` and one of these. */
export const SYSTEM_PERMISSION_NAMES = [
  'ApiEnabled',
  'ViewAllData',
  'ModifyAllData',
  'ViewSetup',
  'ManageUsers',
  'CustomizeApplication',
  'ViewEncryptedData',
] as const

export type SystemPermission = (typeof SYSTEM_PERMISSION_NAMES)[number]

/** What each permission brings with it. */
const IMPLIED: { readonly [Name in SystemPermission]?: readonly SystemPermission[] } = {
  ModifyAllData: ['ViewAllData'],
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
