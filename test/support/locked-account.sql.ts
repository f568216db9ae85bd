import { sql } from '../../src/base/sql.ts'
import { besideCalls } from '../../src/storage/database/connection-guard.ts'
import type { TestOrg } from './org.ts'

/** Lets everybody else who would write the account wait until the work is done. */
export function whileAccountIsLocked<T>(
  { db, org }: Pick<TestOrg, 'db' | 'org'>,
  id: string,
  work: () => Promise<T>,
): Promise<T> {
  return db.transaction(async (tx) => {
    await tx.query(sql`select id from ${sql.id(org.schemaName, 'account')} where id = ${id} for update`)
    // The work is somebody else's: it has connections of its own.
    return besideCalls(work)
  })
}

/** True if a write of an account waits for a lock. */
export async function isWaiting({ db, org }: Pick<TestOrg, 'db' | 'org'>): Promise<boolean> {
  const pattern = `%${org.schemaName}%account%`
  const rows = await db.query(
    sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like ${pattern}`,
  )
  return rows.length > 0
}

/** A statement that does nothing for a while. */
export const sleepSql = (seconds: number) => sql`select pg_sleep(${seconds}) as slept`
