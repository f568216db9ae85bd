import type { SystemPermission } from '../access/system-permission.ts'
import { sql } from '../base/sql.ts'
import type { Org } from '../storage/orgs/org.ts'

const column = (name: SystemPermission) => sql.id(`permissions${name.toLowerCase()}`)

const granted = (names: readonly SystemPermission[]) =>
  sql.join(names.map((name) => sql`${column(name)} = true`))

export const upgradePermissionsSql = {
  /** Profiles from a version without permissions. */
  profilesWithoutSet: (org: Org) =>
    sql`select p.id, p.name, p.createdbyid as "userId" from ${sql.id(org.schemaName, 'profile')} p
        where not exists (select from ${sql.id(org.schemaName, 'permissionset')} s where s.profileid = p.id)`,

  /** Grants permissions to users who manage users and permissions. */
  grantAdministrators: (org: Org, names: readonly SystemPermission[]) =>
    sql`update ${sql.id(org.schemaName, 'profile')} set ${granted(names)}
        where ${column('ManageUsers')} and ${column('CustomizeApplication')}`,

  /** Gives the permission sets of profiles the type of such. */
  setTypes: (org: Org) =>
    sql`update ${sql.id(org.schemaName, 'permissionset')} set type = 'Profile', iscustom = false where isownedbyprofile`,

  grant: (org: Org, profileId: string, names: readonly SystemPermission[]) =>
    sql`update ${sql.id(org.schemaName, 'profile')} set ${granted(names)} where id = ${profileId}`,
}
