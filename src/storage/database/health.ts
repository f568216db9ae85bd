import type { Db } from './db.ts'
import { healthSql } from './health.sql.ts'

/** Resolves when the database answers. */
export async function checkHealth(db: Db): Promise<void> {
  await db.query(healthSql.ping)
}
