import type { Db } from './db.ts'
import { MIGRATIONS, migrationSql } from './migrations.sql.ts'

/**
 * Brings the platform's own tables up to date, in one transaction under a lock that servers starting at the same
 * time wait for.
 * @throws Error when the database was migrated by a newer Objectry
 */
export async function migrate(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query(migrationSql.lock)
    await tx.script(migrationSql.ensureTable)
    const [row] = await tx.query<{ number: number }>(migrationSql.applied)
    const applied = row!.number
    if (applied > MIGRATIONS.length) {
      throw new Error(
        `The database is at migration ${applied}, this Objectry knows ${MIGRATIONS.length}. Start the newer version that migrated it.`,
      )
    }
    for (const [index, migration] of MIGRATIONS.entries()) {
      if (index < applied) continue
      await tx.script(migration.statements)
      await tx.query(migrationSql.record(index + 1, migration.name))
    }
  })
}
