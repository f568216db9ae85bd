import type { Db } from '../storage/database/db.ts'
import type { Org } from '../storage/orgs/org.ts'
import { quotaSql } from './quota.sql.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 3600 * 1000

/** Number of calls that an app made in a version. */
interface VersionCalls {
  readonly version: number
  /** Empty for calls without an app. */
  readonly clientId: string
  readonly calls: number
  /** The last day with such a call: `2026-11-22`. */
  readonly lastDay: string
}

/** Calls of the last days by version and app. */
export function loadVersionCalls(db: Db, org: Org, now: Date, days: number): Promise<VersionCalls[]> {
  const since = new Date(now.getTime() - days * DAY_MS).toISOString().slice(0, 10)
  return db.query<VersionCalls>(quotaSql.versionCalls(org.id, since))
}

/** Calls of the last 24 hours by client id. Calls of the last second may be missing, since counts are flushed each second. */
export async function loadCallsByApp(db: Db, org: Org, now: Date): Promise<ReadonlyMap<string, number>> {
  const minute = Math.floor(now.getTime() / MINUTE_MS)
  const rows = await db.query<{ clientId: string; calls: number }>(quotaSql.usedByApps(org.id, minute))
  return new Map(rows.map(({ clientId, calls }) => [clientId, calls]))
}

/** The calls of an hour. */
interface HourUse {
  /** When it began. */
  readonly hour: string
  /** By client id, most calls first. */
  readonly apps: readonly { readonly app: string; readonly calls: number }[]
  /** By API version: `66.0`. */
  readonly versions: readonly { readonly version: string; readonly calls: number }[]
}

const HOUR_MS = 3600 * 1000

/** The calls of the last hours with the one that is under way, the oldest first; hours without calls too. */
export async function loadHours(db: Db, org: Org, now: Date, hours: number): Promise<HourUse[]> {
  const last = Math.floor(now.getTime() / HOUR_MS)
  const first = last - hours + 1
  type Row<Key extends string> = { readonly hour: number; readonly calls: number } & Readonly<
    Record<Key, string>
  >
  const apps = await db.query<Row<'app'>>(quotaSql.appsByHour(org.id, first, last))
  const versions = await db.query<Row<'version'>>(quotaSql.versionsByHour(org.id, first, last))
  return Array.from({ length: hours }, (_, index) => {
    const own = (row: { readonly hour: number }) => row.hour === first + index
    return {
      hour: new Date((first + index) * HOUR_MS).toISOString().replace('.000', ''),
      apps: apps.filter(own).map(({ app, calls }) => ({ app, calls })),
      versions: versions.filter(own).map(({ version, calls }) => ({ version: `${version}.0`, calls })),
    }
  })
}
