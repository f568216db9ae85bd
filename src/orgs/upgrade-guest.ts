import { findAdministrator, findUserId } from '../auth/users/users.ts'
import { requireObject, type SchemaSnapshot } from '../schema/snapshot/snapshot.ts'
import type { Db } from '../storage/database/db.ts'
import type { Org } from '../storage/orgs/org.ts'
import { RecordIds } from '../storage/orgs/record-ids.ts'
import { GUEST_PROFILE, guestProfile } from './first-profiles.ts'
import { insertFirstRecords } from './first-records.sql.ts'
import { guestUser, guestUsername, type UserLocale } from './guest-user.ts'
import { upgradeGuestSql } from './upgrade-guest.sql.ts'

/** The name of the guest profile where another profile already uses the default name. */
const OTHER_NAME = 'Site Guest'

async function freeProfileName(db: Db, org: Org): Promise<string> {
  const taken = await db.query(upgradeGuestSql.profileNamed(org, GUEST_PROFILE))
  return taken.length === 0 ? GUEST_PROFILE : OTHER_NAME
}

/** A username that is already taken must not prevent the server from starting. */
async function freeUsername(db: Db, org: Org, id: string): Promise<string> {
  const usual = guestUsername(org)
  const holder = await findUserId(db, org, usual)
  return holder === undefined ? usual : `${id.toLowerCase()}.${usual}`
}

/** Adds a guest user and its profile to an org from a version without guests. */
export async function upgradeGuest(db: Db, org: Org, schema: SchemaSnapshot, time: string): Promise<void> {
  const there = await db.query(upgradeGuestSql.guest(org))
  if (there.length > 0) return
  await db.transaction(async (tx) => {
    const ids = new RecordIds(org, tx)
    const idFor = (object: string) => ids.make(requireObject(schema, object).keyPrefix)
    const [profileId, setId, id] = [await idFor('Profile'), await idFor('PermissionSet'), await idFor('User')]
    const profile = guestProfile(profileId, setId, await freeProfileName(tx, org))
    const [locale] = await tx.query<UserLocale>(upgradeGuestSql.locale(org))
    const user = guestUser(id, await freeUsername(tx, org, id), profileId, locale!)
    const creator = (await findAdministrator(tx, org))?.id ?? id
    for (const statement of insertFirstRecords(org, [...profile, user], creator, time)) {
      await tx.query(statement)
    }
  })
}
