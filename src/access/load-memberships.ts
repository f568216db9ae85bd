import type { Sql } from '../base/sql.ts'
import type { SchemaSnapshot } from '../schema/snapshot/snapshot.ts'
import type { Db } from '../storage/database/db.ts'
import type { Org } from '../storage/orgs/org.ts'
import type { Memberships } from './access.ts'
import { grantsSql } from './grants.sql.ts'
import { findShares } from './row-rules.sql.ts'
import { getSharing } from './sharing.ts'

/** The user whose grants are loaded. */
export interface Grantee {
  readonly id: string
  readonly profileId: string
  readonly roleId: string | null
}

/** With more users than this below a user in the hierarchy, rules use their roles instead. */
const MAX_OWNERS = 1000

/** Maximum number of records that counts as few. */
const MAX_FEW = 5000

async function loadIds(db: Db, statement: Sql): Promise<string[]> {
  return (await db.query<{ id: string }>(statement)).map(({ id }) => id)
}

/** Objects of which the user can see only few records. */
async function findFew(
  db: Db,
  org: Org,
  schema: SchemaSnapshot,
  owners: readonly string[],
  memberships: readonly string[],
): Promise<ReadonlySet<string>> {
  const few = new Set<string>()
  for (const object of schema.objects) {
    const isPrivate = getSharing(object) === 'private' && object.field('OwnerId') !== undefined
    if (!isPrivate) continue
    const share = findShares(schema, object.name)?.object
    const statement = grantsSql.spread(org, object, share, owners, memberships, MAX_FEW + 1)
    const [row] = await db.query<{ owned: number; shared: number }>(statement)
    if (row!.owned <= MAX_FEW && row!.shared <= MAX_FEW) few.add(object.name)
  }
  return few
}

/** The ids of a user's permission sets, with the one of the profile. */
export const loadSets = (db: Db, org: Org, { id, profileId }: Grantee): Promise<string[]> =>
  loadIds(db, grantsSql.sets(org, id, profileId))

/** Loads the groups, users and roles whose records a user can see. */
export async function loadMemberships(
  db: Db,
  org: Org,
  schema: SchemaSnapshot,
  { id, roleId }: Grantee,
): Promise<Memberships> {
  const memberships = [id, ...(await loadIds(db, grantsSql.groups(org, id, roleId)))]
  const rolesBelow = roleId === null ? [] : await loadIds(db, grantsSql.rolesBelow(org, roleId))
  const usersBelow =
    rolesBelow.length === 0 ? [] : await loadIds(db, grantsSql.usersOf(org, rolesBelow, MAX_OWNERS + 1))
  const tooMany = usersBelow.length > MAX_OWNERS
  const owners = tooMany ? memberships : [...memberships, ...usersBelow]
  return {
    memberships,
    owners,
    ownersByRole: tooMany ? rolesBelow : [],
    rolesBelow,
    fewOf: tooMany ? new Set() : await findFew(db, org, schema, owners, memberships),
  }
}
