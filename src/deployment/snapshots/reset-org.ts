import { patiently } from '../../schema/change/patiently.ts'
import { loadSnapshot } from '../../schema/load-snapshot.ts'
import { metadataSql } from '../../schema/metadata.sql.ts'
import type { ObjectType } from '../../schema/object-type.ts'
import type { Db } from '../../storage/db.ts'
import type { Org } from '../../storage/org.ts'
import { orgSql } from '../../storage/orgs.sql.ts'
import { loadCounters, setCounters } from './counters.ts'
import { snapshotSql } from './snapshot.sql.ts'

/** Objects that say who works in an org and how; what they hold is no data. */
const SET_UP = [
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
]

const isSetUp = ({ name }: ObjectType) => SET_UP.includes(name)

/** Users that point to records: they stay, and point nowhere. */
function waysOut(org: Org, objects: readonly ObjectType[]) {
  const names = new Set(objects.filter((object) => !isSetUp(object)).map(({ name }) => name))
  return objects
    .filter(isSetUp)
    .flatMap((object) =>
      object.fields
        .filter(
          ({ column, referenceTo }) => column !== undefined && referenceTo.some((name) => names.has(name)),
        )
        .map(({ column }) => snapshotSql.clearReference(org, object, column!)),
    )
}

/** Empties an org: every record goes but users and what belongs to them. The schema stays. */
export function resetOrg(db: Db, org: Org): Promise<void> {
  return patiently(db, async (tx) => {
    const { objects } = await loadSnapshot(tx, org)
    await tx.query(snapshotSql.holdStill(org, objects))
    const deletions = objects
      .filter((object) => !isSetUp(object))
      .map((object) =>
        snapshotSql.deleteRows(
          org,
          object,
          object.name === 'Pricebook2' ? snapshotSql.isStandardPricebook : undefined,
        ),
      )
    await tx.script([snapshotSql.deferKeys, ...waysOut(org, objects), ...deletions])
    await tx.query(orgSql.beginEpoch(org))
    await tx.query(metadataSql.bumpAccess(org))
    const counters = await loadCounters(tx, org)
    await setCounters(
      tx,
      org,
      counters.map(({ name }) => ({ name, last: 0 })),
    )
  })
}
