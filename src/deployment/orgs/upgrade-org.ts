import { createHash } from 'node:crypto'
import { moveClients } from '../../auth/apps/move-clients.ts'
import { passwordSql } from '../../auth/users/passwords.sql.ts'
import { secondsText, systemClock } from '../../base/clock.ts'
import { recentSql } from '../../recent/recently-viewed.sql.ts'
import { ddl } from '../../schema/change/ddl.sql.ts'
import { deployInside } from '../../schema/change/deploy.ts'
import { retryOnLockTimeout } from '../../schema/change/retry-on-lock-timeout.ts'
import { searchIndexSql } from '../../schema/change/search-index.sql.ts'
import { metadataSql } from '../../schema/snapshot/metadata.sql.ts'
import { makeSnapshot } from '../../schema/snapshot/snapshot.ts'
import { STANDARD_OBJECTS } from '../../standard/standard-objects.ts'
import { bytesSql } from '../../storage/bytes.sql.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { orgSql } from '../../storage/orgs/orgs.sql.ts'
import { importJournalSql } from '../imports/import-journal.sql.ts'
import { snapshotSql } from '../stored-values/snapshot.sql.ts'
import {
  askForSteps,
  type DoneSteps,
  loadDoneSteps,
  noteStepsDone,
  returnToSteps,
} from '../upgrades/step-store.ts'
import { UPGRADE_STEPS } from '../upgrades/upgrade-steps.ts'
import { upgradeGuest } from './upgrade-guest.ts'
import { upgradePermissionsSql } from './upgrade-permissions.sql.ts'
import { bringsEncryption, upgradePermissions } from './upgrade-permissions.ts'

/** One more whenever an upgrade does something that it did not do before. */
const UPGRADE = 5

/**
 * What an org that this version made or upgraded is up to date with: its standard objects, how words are indexed, and the
 * steps that the background carries out.
 */
function makeMark(): string {
  const hash = createHash('sha256').update(`${UPGRADE}${JSON.stringify(STANDARD_OBJECTS)}`)
  const { objects } = makeSnapshot(0, new Date(0), STANDARD_OBJECTS)
  const indexes = searchIndexSql.wanted({ id: '', schemaName: '', name: '' }, objects)
  for (const { create } of indexes.values()) hash.update(create.text)
  for (const { name, version } of UPGRADE_STEPS) hash.update(`${name} ${version}`)
  return hash.digest('hex')
}

let mark: string | undefined
const currentMark = () => {
  mark ??= makeMark()
  return mark
}

/** For an org that this version has made: it lacks nothing that this version knows. */
export async function markUpToDate(db: Db, org: Org): Promise<void> {
  await db.query(orgSql.markUpToDate(org, currentMark()))
  await noteStepsDone(db, org)
}

/** Which version an org is up to date with, and which steps it has had: kept with a state of the org. */
export interface UpgradeMark {
  readonly mark: string | null
  readonly steps: DoneSteps
}

export async function loadUpgradeMark(db: Db, org: Org): Promise<UpgradeMark> {
  const [known] = await db.query<{ mark: string | null }>(orgSql.upToDateWith(org))
  return { mark: known?.mark ?? null, steps: await loadDoneSteps(db, org) }
}

/**
 * Brings an org up to date that holds the state of another time or another org by now.
 * @param had what that state was up to date with
 */
export async function upgradeAgain(
  db: Db,
  org: Org,
  { mark: had, steps }: UpgradeMark,
  now?: Date,
): Promise<void> {
  await returnToSteps(db, org, steps)
  await db.query(orgSql.markUpToDate(org, had))
  await upgradeOrg(db, org, now)
}

/** The orgs that another version has left, the oldest first. */
export const loadOutdatedOrgs = (db: Db): Promise<Org[]> => db.query<Org>(orgSql.outdated(currentMark()))

/**
 * Adds what a newer version has and the org lacks, so far as it must be there before a server serves: standard objects, the
 * tables beside them, permissions, the guest, apps as records. Nothing here looks at all records of an object that was there
 * before, but where a field takes other values now. What does is left to the steps of the background. One short transaction.
 */
export function upgradeOrg(db: Db, org: Org, now: Date = systemClock()): Promise<void> {
  return retryOnLockTimeout(db, async (tx) => {
    const [known] = await tx.query<{ mark: string | null }>(orgSql.lockMark(org))
    if (known === undefined || known.mark === currentMark()) return
    const { schema, steps } = await deployInside(tx, org, { objects: STANDARD_OBJECTS, isQuick: true })
    if (bringsEncryption(steps)) await tx.query(upgradePermissionsSql.grantAdministrators(org))
    const tables = await tx.query<{ name: string }>(ddl.withoutDeletion(org, schema.objects))
    if (tables.length > 0) await tx.script(tables.map(({ name }) => ddl.addDeletion(org, name)))
    const keys = await tx.query<{ table: string; name: string }>(ddl.nonDeferrableKeys(org))
    if (keys.length > 0) await tx.script(keys.map(({ table, name }) => ddl.loosenKey(org, table, name)))
    const bytes = await tx.query<{ table: string; column: string }>(ddl.compressedBytes(org))
    if (bytes.length > 0)
      await tx.script(bytes.map(({ table, column }) => ddl.keepUncompressed(org, table, column)))
    await tx.script([
      ...snapshotSql.createTables(org),
      ...importJournalSql.createTable(org),
      ...metadataSql.createAccessVersion(org),
      ...passwordSql.createTables(org),
      ...bytesSql.createTables(org),
      ...recentSql.createTables(org),
    ])
    await upgradePermissions(tx, org, secondsText(now))
    await upgradeGuest(tx, org, schema, secondsText(now))
    await moveClients(tx, org, now)
    await askForSteps(tx, org)
    await tx.query(orgSql.markUpToDate(org, currentMark()))
  })
}
