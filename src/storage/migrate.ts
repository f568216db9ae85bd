import { holdExit } from '../base/exit-hold.ts'
import type { Db } from './database/db.ts'
import { MIGRATIONS, migrationSql } from './migrations.sql.ts'

/** @throws Error if the database was migrated by a newer Objectry */
async function countApplied(db: Db): Promise<number> {
  const [row] = await db.query<{ number: number }>(migrationSql.applied)
  const { number } = row!
  if (number > MIGRATIONS.length) {
    throw new Error(
      `The database is at migration ${number}, this Objectry knows ${MIGRATIONS.length}. Start the newer version that migrated it.`,
    )
  }
  return number
}

/**
 * True if a server was ever started on the database, for commands that must not migrate it.
 * @throws Error if the database belongs to another version of Objectry
 */
export async function isMigrated(db: Db): Promise<boolean> {
  const [row] = await db.query<{ isThere: boolean }>(migrationSql.isThere)
  if (!row!.isThere) return false
  const applied = await countApplied(db)
  if (applied < MIGRATIONS.length) {
    throw new Error(
      `The database is at migration ${applied}, this Objectry is at ${MIGRATIONS.length}. Start the server once: it brings the database up to date.`,
    )
  }
  return true
}

/**
 * Applies the pending migrations of the platform's own tables, in one transaction. Servers that start at the same time
 * wait for its lock.
 * @throws Error if the database was migrated by a newer Objectry
 */
export async function migrate(db: Db): Promise<void> {
  const applyMissing = async (tx: Db) => {
    await tx.script(migrationSql.waitForOthers)
    await tx.query(migrationSql.lock)
    await tx.script(migrationSql.ensureTable)
    const applied = await countApplied(tx)
    for (const [index, migration] of MIGRATIONS.entries()) {
      if (index < applied) continue
      await tx.script(migration.statements)
      await tx.query(migrationSql.record(index + 1, migration.name))
    }
  }
  await holdExit(() => db.transaction(applyMissing))
}
