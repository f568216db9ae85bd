import { createHash } from 'node:crypto'
import { addConsoleApp } from '../auth/apps/add-console-app.ts'
import { moveClients } from '../auth/apps/move-clients.ts'
import { loginSql } from '../auth/history/login-history.sql.ts'
import { passwordSql } from '../auth/users/passwords.sql.ts'
import { preferenceSql } from '../auth/users/preferences.sql.ts'
import { secondsText, systemClock } from '../base/clock.ts'
import { recentSql } from '../recent/recently-viewed.sql.ts'
import { ddl } from '../schema/change/ddl.sql.ts'
import { deployInside } from '../schema/change/deploy.ts'
import { addField } from '../schema/change/plan-field.ts'
import { retryOnLockTimeout } from '../schema/change/retry-on-lock-timeout.ts'
import { searchIndexSql } from '../schema/change/search-index.sql.ts'
import { metadataSql } from '../schema/snapshot/metadata.sql.ts'
import { makeSnapshot, type SchemaSnapshot } from '../schema/snapshot/snapshot.ts'
import { pageSql } from '../soql/sql/page.sql.ts'
import { businessHoursSql } from '../standard/service/business-hours.sql.ts'
import { STANDARD_OBJECTS } from '../standard/standard-objects.ts'
import { bytesSql } from '../storage/bytes.sql.ts'
import type { Db } from '../storage/database/db.ts'
import type { Org } from '../storage/orgs/org.ts'
import { orgSql } from '../storage/orgs/orgs.sql.ts'
import { importJournalSql } from './imports/import-journal.sql.ts'
import { snapshotSql } from './stored-values/snapshot.sql.ts'
import { upgradeGuest } from './upgrade-guest.ts'
import { upgradePermissionsSql } from './upgrade-permissions.sql.ts'
import { bringsTypes, findBroughtPermissions, upgradePermissions } from './upgrade-permissions.ts'
import { upgradeStandard } from './upgrade-standard.ts'
import {
  type DoneSteps,
  loadDoneSteps,
  noteStepsDone,
  removeOldSteps,
  requestMissingSteps,
  requestSteps,
} from './upgrades/step-store.ts'
import { UPGRADE_STEPS } from './upgrades/upgrade-steps.ts'

/** Increase this number when the code of an upgrade changes. */
const UPGRADE = 12

/**
 * A hash of everything that this version upgrades: standard objects, search indexes, and background steps.
 */
function makeMark(): string {
  const hash = createHash('sha256').update(`${UPGRADE}${JSON.stringify(STANDARD_OBJECTS)}`)
  const { objects } = makeSnapshot(0, new Date(0), STANDARD_OBJECTS)
  const indexes = searchIndexSql.possible({ id: '', schemaName: '', name: '' }, objects)
  for (const { create } of indexes.values()) hash.update(create.text)
  for (const { name, version } of UPGRADE_STEPS) hash.update(`${name} ${version}`)
  return hash.digest('hex')
}

let mark: string | undefined

/** The hash of this version. It takes some time, and stays the same. */
export const currentMark = (): string => {
  mark ??= makeMark()
  return mark
}

/** Marks a new org as up to date. */
export async function markUpToDate(db: Db, org: Org): Promise<void> {
  await db.query(orgSql.markUpToDate(org, currentMark()))
  await noteStepsDone(db, org)
}

/** The version an org is up to date with and its completed steps. A snapshot stores it. */
export interface UpgradeMark {
  readonly mark: string | null
  readonly steps: DoneSteps
}

export async function loadUpgradeMark(db: Db, org: Org): Promise<UpgradeMark> {
  const [known] = await db.query<{ mark: string | null }>(orgSql.upToDateWith(org))
  return { mark: known?.mark ?? null, steps: await loadDoneSteps(db, org) }
}

/**
 * Upgrades an org whose state was restored from a snapshot or copied from another org.
 * @param had the upgrade mark of that state
 */
export async function upgradeAgain(db: Db, org: Org, { mark: had, steps }: UpgradeMark): Promise<void> {
  await requestMissingSteps(db, org, steps)
  await db.query(orgSql.markUpToDate(org, had))
  await upgradeOrg(db, org)
}

/** Drops the foreign keys that an earlier version made. */
async function dropKeys(tx: Db, org: Org): Promise<void> {
  const keys = await tx.query<{ table: string; name: string }>(ddl.foreignKeys(org))
  if (keys.length > 0) await tx.script(keys.map(({ table, name }) => ddl.dropKey(org, table, name)))
}

/** Adds the columns of fields that are stored, and were not in the version that the org is of. */
async function addMissingColumns(
  tx: Db,
  org: Org,
  { storedObjects: objects }: SchemaSnapshot,
): Promise<void> {
  const missing = await tx.query<{ table: string; column: string }>(ddl.missingColumns(org, objects))
  for (const { table, column } of missing) {
    const object = objects.find((one) => one.table === table)!
    const field = object.fields.find((one) => one.column === column)!
    await tx.script(addField(org, object, field).statements.map(({ sql }) => sql))
  }
}

/** The orgs that are not up to date with this version, the oldest first. */
export const loadOutdatedOrgs = (db: Db): Promise<Org[]> => db.query<Org>(orgSql.outdated(currentMark()))

/**
 * Adds what this version requires before a server can serve the org: standard objects, other tables, permissions, the
 * guest user, and apps as records. One short transaction. Work that scans all records belongs to the background steps.
 */
export function upgradeOrg(db: Db, org: Org, now: Date = systemClock()): Promise<void> {
  return retryOnLockTimeout(db, async (tx) => {
    const [known] = await tx.query<{ mark: string | null }>(orgSql.lockMark(org))
    if (known === undefined || known.mark === currentMark()) return
    // A deployment asks for the former, and makes a view of the latter.
    await tx.script([...metadataSql.createIndexRequests(org), ...loginSql.createTable(org)])
    await dropKeys(tx, org)
    const { schema, steps } = await deployInside(tx, org, {
      objects: upgradeStandard,
      mode: 'keep',
      isUpgrade: true,
    })
    await addMissingColumns(tx, org, schema)
    await tx.query(businessHoursSql.addFirst(org))
    const brought = findBroughtPermissions(steps)
    if (brought.length > 0) await tx.query(upgradePermissionsSql.grantAdministrators(org, brought))
    if (bringsTypes(steps)) await tx.query(upgradePermissionsSql.setTypes(org))
    const tables = await tx.query<{ name: string }>(ddl.withoutDeletion(org, schema.storedObjects))
    if (tables.length > 0) await tx.script(tables.map(({ name }) => ddl.addDeletion(org, name)))
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
      ...preferenceSql.createTable(org),
      ...pageSql.createUsage(org),
    ])
    await upgradePermissions(tx, org, secondsText(now))
    await upgradeGuest(tx, org, schema, secondsText(now))
    await moveClients(tx, org, now)
    await addConsoleApp(tx, org, now)
    await removeOldSteps(tx, org)
    await requestSteps(tx, org)
    await tx.query(orgSql.markUpToDate(org, currentMark()))
  })
}
