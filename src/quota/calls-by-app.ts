import type { Db } from '../storage/database/db.ts'
import type { Org } from '../storage/orgs/org.ts'
import { quotaSql } from './quota.sql.ts'

const MINUTE = 60_000

/** Calls of the last 24 hours by client id, as far as they are written down: at most a second is missing. */
export async function callsByApp(db: Db, org: Org, now: Date): Promise<ReadonlyMap<string, number>> {
  const minute = Math.floor(now.getTime() / MINUTE)
  const rows = await db.query<{ clientId: string; calls: number }>(quotaSql.usedByApps(org.id, minute))
  return new Map(rows.map(({ clientId, calls }) => [clientId, calls]))
}
