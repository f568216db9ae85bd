import { createHash } from 'node:crypto'
import { moveClients } from '../auth/apps/move-clients.ts'
import { passwordSql } from '../auth/passwords.sql.ts'
import { secondsText, systemClock } from '../base/clock.ts'
import { holdExit } from '../base/exit-hold.ts'
import { recentSql } from '../recent/recently-used.sql.ts'
import { ddl } from '../schema/ddl.sql.ts'
import { deploySchema } from '../schema/deploy.ts'
import { metadataSql } from '../schema/metadata.sql.ts'
import { searchIndexSql } from '../schema/search-index.sql.ts'
import { syncSearchIndexes } from '../schema/search-indexes.ts'
import { makeSnapshot } from '../schema/snapshot.ts'
import { STANDARD_OBJECTS } from '../standard/standard-objects.ts'
import { bytesSql } from '../storage/bytes.sql.ts'
import type { Db } from '../storage/db.ts'
import type { Org } from '../storage/org.ts'
import { orgSql } from '../storage/orgs.sql.ts'
import { importJournalSql } from './imports/import-journal.sql.ts'
import { snapshotSql } from './snapshots/snapshot.sql.ts'
import { upgradeGuest } from './upgrade-guest.ts'
import { upgradePermissions } from './upgrade-permissions.ts'

/** One more whenever an upgrade does something that it did not do before. */
const UPGRADE = 4

/** What an org that this version made or upgraded is up to date with: its standard objects, and how words are indexed. */
function makeMark(): string {
  const hash = createHash('sha256').update(`${UPGRADE}${JSON.stringify(STANDARD_OBJECTS)}`)
  const { objects } = makeSnapshot(0, new Date(0), STANDARD_OBJECTS)
  const indexes = searchIndexSql.wanted({ id: '', schemaName: '', name: '' }, objects)
  for (const { text } of indexes.values()) hash.update(text)
  return hash.digest('hex')
}

let mark: string | undefined
const currentMark = () => {
  mark ??= makeMark()
  return mark
}

/** Tells later starts that the org lacks nothing that this version knows. */
export async function markUpToDate(db: Db, org: Org): Promise<void> {
  await db.query(orgSql.markUpToDate(org, currentMark()))
}

/** Adds what a newer version has and the org lacks: standard objects, the search, apps as records, the guest. */
export async function upgradeOrg(db: Db, org: Org, now: Date = systemClock()): Promise<void> {
  const [known] = await db.query<{ mark: string | null }>(orgSql.upToDateWith(org))
  if (known?.mark !== currentMark()) await holdExit(() => upgrade(db, org, now))
}

async function upgrade(db: Db, org: Org, now: Date): Promise<void> {
  const { schema } = await deploySchema(db, org, { objects: STANDARD_OBJECTS })
  await syncSearchIndexes(db, org, schema)
  const tables = await db.query<{ name: string }>(ddl.withoutDeletion(org, schema.objects))
  if (tables.length > 0) await db.script(tables.map(({ name }) => ddl.addDeletion(org, name)))
  const keys = await db.query<{ table: string; name: string }>(ddl.stiffKeys(org))
  if (keys.length > 0) await db.script(keys.map(({ table, name }) => ddl.loosenKey(org, table, name)))
  const bytes = await db.query<{ table: string; column: string }>(ddl.compressedBytes(org))
  if (bytes.length > 0)
    await db.script(bytes.map(({ table, column }) => ddl.keepUncompressed(org, table, column)))
  await db.script([
    ...snapshotSql.createTables(org),
    ...importJournalSql.createTable(org),
    ...metadataSql.createAccessVersion(org),
    ...passwordSql.createTables(org),
    ...bytesSql.createTables(org),
    ...recentSql.createTables(org),
  ])
  await upgradePermissions(db, org, secondsText(now))
  await upgradeGuest(db, org, schema, secondsText(now))
  await moveClients(db, org, now)
  await markUpToDate(db, org)
}
