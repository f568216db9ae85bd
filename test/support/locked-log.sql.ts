import { sql } from '../../src/base/sql.ts'
import { besideCalls } from '../../src/storage/connection-guard.ts'
import type { Db } from '../../src/storage/db.ts'
import type { Org } from '../../src/storage/org.ts'

/** Keeps everybody else from the delivery log until the work is done. */
export function whileLogIsLocked<T>(db: Db, org: Org, work: () => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    await tx.query(sql`lock table ${sql.id(org.schemaName, 'webhookdelivery')} in access exclusive mode`)
    // The work is somebody else's: it has connections of its own.
    return besideCalls(work)
  })
}
