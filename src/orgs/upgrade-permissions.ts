import { SYSTEM_PERMISSION_NAMES, type SystemPermission } from '../access/system-permission.ts'
import type { PlannedStep } from '../schema/change/deploy.ts'
import type { Db } from '../storage/database/db.ts'
import type { Org } from '../storage/orgs/org.ts'
import { RecordIds } from '../storage/orgs/record-ids.ts'
import { ADMINISTRATOR_PROFILE, ownedSet } from './first-profiles.ts'
import { insertFirstRecords } from './first-records.sql.ts'
import { upgradePermissionsSql } from './upgrade-permissions.sql.ts'

/** Permissions of administrators that earlier versions did not have. */
const LATER_PERMISSIONS: readonly SystemPermission[] = ['ViewEncryptedData', 'ViewCallLog']

/** Those that an upgrade adds, which administrators are granted. */
export const findBroughtPermissions = (steps: readonly PlannedStep[]): readonly SystemPermission[] =>
  LATER_PERMISSIONS.filter((name) =>
    steps.some(
      ({ kind, object, field }) => kind === 'add' && object === 'Profile' && field === `Permissions${name}`,
    ),
  )

/** True if an upgrade adds the type of permission sets, which those of profiles have another one of. */
export const bringsTypes = (steps: readonly PlannedStep[]): boolean =>
  steps.some(({ kind, object, field }) => kind === 'add' && object === 'PermissionSet' && field === 'Type')

/** Permissions that every user effectively had in versions without permissions. */
const FORMER_PERMISSIONS = ['ApiEnabled', 'ModifyAllData'] as const

/**
 * Gives profiles from a version without permissions a permission set with everything their users could do before, so
 * that an upgrade locks nobody out.
 */
export async function upgradePermissions(db: Db, org: Org, time: string): Promise<void> {
  type Profile = { id: string; name: string; userId: string }
  const profiles = await db.query<Profile>(upgradePermissionsSql.profilesWithoutSet(org))
  const ids = new RecordIds(org, db)
  for (const { id, name, userId } of profiles) {
    const names = name === ADMINISTRATOR_PROFILE ? SYSTEM_PERMISSION_NAMES : FORMER_PERMISSIONS
    await db.query(upgradePermissionsSql.grant(org, id, names))
    const set = ownedSet(await ids.make('0PS', db), id, name.slice(0, 80))
    for (const statement of insertFirstRecords(org, [set], userId, time)) await db.query(statement)
  }
}
