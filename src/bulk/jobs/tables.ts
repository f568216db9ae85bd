import { retryOnLockTimeout } from '../../schema/change/retry-on-lock-timeout.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { jobSql } from './job.sql.ts'

const known = new WeakSet<Org>()

/** True if the org has ever used bulk jobs. */
export async function hasTables(db: Db, org: Org): Promise<boolean> {
  if (known.has(org)) return true
  const [row] = await db.query<{ areThere: boolean }>(jobSql.areThere(org))
  if (row!.areThere) known.add(org)
  return row!.areThere
}

/** The orgs that have ever used bulk jobs. */
export const loadOrgsWithJobs = (db: Db): Promise<Org[]> => db.query<Org>(jobSql.orgs)

/** Creates the tables of bulk jobs with the first job: an org that has none pays nothing for them. */
export async function ensureTables(db: Db, org: Org): Promise<void> {
  if (await hasTables(db, org)) return
  await retryOnLockTimeout(db, async (tx) => {
    await tx.query(jobSql.lockOrg(org))
    await tx.script(jobSql.createTables(org))
  })
  known.add(org)
}
