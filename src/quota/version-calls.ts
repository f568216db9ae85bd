import type { Db } from '../storage/database/db.ts'
import type { Org } from '../storage/orgs/org.ts'
import { quotaSql } from './quota.sql.ts'

const DAY = 24 * 3600 * 1000

/** Calls that an app made in a version. */
export interface VersionCalls {
  readonly version: number
  /** Empty: no app's. */
  readonly clientId: string
  readonly calls: number
  /** The last day on which there was one: `2026-11-22`. */
  readonly lastDay: string
}

/** Which versions were spoken in the last days, by whom. */
export function loadVersionCalls(db: Db, org: Org, now: Date, days: number): Promise<VersionCalls[]> {
  const since = new Date(now.getTime() - days * DAY).toISOString().slice(0, 10)
  return db.query<VersionCalls>(quotaSql.versionCalls(org.id, since))
}
