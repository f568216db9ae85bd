import { removeAllJobs } from '../../bulk/jobs/job-store.ts'
import { retryOnLockTimeout } from '../../schema/change/retry-on-lock-timeout.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { bumpAccess } from '../../schema/snapshot/bump-access.ts'
import { loadSnapshot } from '../../schema/snapshot/load-snapshot.ts'
import { holdUsedObjects } from '../../schema/snapshot/used-objects.ts'
import { isSetupObject } from '../../standard/setup/setup-objects.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { orgSql } from '../../storage/orgs/orgs.sql.ts'
import { eventLogSql } from '../../streaming/event-log.sql.ts'
import { snapshotSql } from '../stored-values/snapshot.sql.ts'
import { setCounters } from './counters.ts'

/** Some of its records stay after a reset. */
const isPartlyKept = ({ name }: ObjectType) => name === 'Pricebook2'

/** References from records that stay to deleted records, which a reset clears. */
function waysOut(org: Org, objects: readonly ObjectType[]) {
  const names = new Set(objects.filter((object) => !isSetupObject(object.name)).map(({ name }) => name))
  return objects
    .filter((object) => isSetupObject(object.name) || isPartlyKept(object))
    .flatMap((object) =>
      object.fields
        .filter(
          ({ column, referenceTo }) => column !== undefined && referenceTo.some((name) => names.has(name)),
        )
        .map(({ column }) => snapshotSql.clearReference(org, object, column!)),
    )
}

/** Deletes all records of an org except users and other setup records, and all bulk jobs. The schema stays. */
export function resetOrg(db: Db, org: Org): Promise<void> {
  return retryOnLockTimeout(db, async (tx) => {
    await removeAllJobs(tx, org)
    const { storedObjects } = await loadSnapshot(tx, org)
    const objects = await holdUsedObjects(tx, org, storedObjects)
    await tx.query(snapshotSql.lockTables(org, objects))
    const deletions = objects
      .filter((object) => !isSetupObject(object.name))
      .map((object) =>
        snapshotSql.deleteRows(
          org,
          object,
          isPartlyKept(object) ? snapshotSql.isStandardPricebook : undefined,
        ),
      )
    await tx.script([...waysOut(org, objects), ...deletions])
    const forgetting = [orgSql.forgetMetadataJobs(org), orgSql.beginEpoch(org), ...eventLogSql.reset(org)]
    for (const statement of forgetting) await tx.query(statement)
    await bumpAccess(tx, org)
    await setCounters(tx, org, [])
  })
}
