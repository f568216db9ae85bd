import { passwordSql } from '../../auth/passwords.sql.ts'
import { holdExit } from '../../base/exit-hold.ts'
import { deployInside } from '../../schema/deploy.ts'
import { loadDefinitions } from '../../schema/load-snapshot.ts'
import type { Db } from '../../storage/db.ts'
import type { Org } from '../../storage/org.ts'
import { orgSql } from '../../storage/orgs.sql.ts'
import { createOrg } from '../../storage/orgs.ts'
import { createOwnTables } from '../provision-org.ts'
import { loadUpgradeMark, upgradeAgain } from '../upgrade-org.ts'
import { noteStepsDone } from '../upgrades/step-store.ts'
import { loadCounters, setCounters } from './counters.ts'
import { snapshotSql } from './snapshot.sql.ts'

/** Makes an org with the objects, users, passwords and records of another one. Its snapshots stay behind. */
export function copyOrg(db: Db, source: Org, name: string, host: string | undefined): Promise<Org> {
  const copy = async (tx: Db) => {
    await tx.script(snapshotSql.oneMoment)
    const org = await createOrg(tx, name, host)
    await createOwnTables(tx, org)
    const objects = await loadDefinitions(tx, source)
    const { schema } = await deployInside(tx, org, { objects, mode: 'restore' })
    const rows = schema.objects.map((object) => snapshotSql.copyRows(source, org, object))
    await tx.script([snapshotSql.deferKeys, ...rows])
    await tx.query(passwordSql.copy(source, org))
    await tx.query(snapshotSql.renameOrganization(source, org))
    await tx.query(orgSql.startIdsBehind(org, source))
    await setCounters(tx, org, await loadCounters(tx, source))
    // What the records of the source lack by now those of the copy lack too.
    await noteStepsDone(tx, org)
    await upgradeAgain(tx, org, await loadUpgradeMark(tx, source))
    return org
  }
  return holdExit(() => db.transaction(copy))
}
