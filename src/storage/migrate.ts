import { holdExit } from '../base/exit-hold.ts'
import type { Db } from './database/db.ts'
import { FIRST_MIGRATION, MIGRATIONS, migrationSql } from './migrations.sql.ts'

const LAST = FIRST_MIGRATION + MIGRATIONS.length - 1

/**
 * The number of the last migration that a database has; 0 if none.
 * @throws Error if the database was migrated by a newer Objectry, or by one from before the first release
 */
async function findLastApplied(db: Db): Promise<number> {
  const [row] = await db.query<{ number: number }>(migrationSql.applied)
  const { number } = row!
  if (number > LAST) {
    throw new Error(
      `The database is at migration ${number}, this Objectry knows ${LAST}. Start the newer version that migrated it.`,
    )
  }
  if (number > 0 && number < FIRST_MIGRATION) {
    throw new Error(
      `The database is at migration ${number}, from before release 0.1.0 (migration ${FIRST_MIGRATION}), and cannot be upgraded. Export its records with the version that made it, and start with an empty database.`,
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
  const applied = await findLastApplied(db)
  if (applied < LAST) {
    throw new Error(
      `The database is at migration ${applied}, this Objectry is at ${LAST}. Start the server once: it brings the database up to date.`,
    )
  }
  return true
}

/**
 * Applies the pending migrations of the platform's own tables, in one transaction. Servers that start at the same time
 * wait for its lock.
 * @throws Error if the database was migrated by a newer Objectry, or by one from before the first release
 */
export async function migrate(db: Db): Promise<void> {
  const applyMissing = async (tx: Db) => {
    await tx.script(migrationSql.waitForOthers)
    await tx.query(migrationSql.lock)
    const [known] = await tx.query<{ isThere: boolean }>(migrationSql.isThere)
    // A cluster makes a schema on all of its nodes, also one that is there: a server starts while a node is down.
    if (!known!.isThere) await tx.script(migrationSql.ensureTable)
    const applied = await findLastApplied(tx)
    for (const [index, { name, statements }] of MIGRATIONS.entries()) {
      const number = FIRST_MIGRATION + index
      if (number <= applied) continue
      await tx.script(statements)
      await tx.query(migrationSql.record(number, name))
    }
  }
  await holdExit(() => db.transaction(applyMissing))
}
