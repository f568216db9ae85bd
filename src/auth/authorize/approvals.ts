import { type Clock, secondsNow } from '../../base/clock.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { ConnectedApp } from '../oauth/connected-app.ts'
import { asksForRefresh } from '../oauth/scopes.ts'
import { approvalSql } from './approvals.sql.ts'

/** Maximum number of approvals kept per user and app; the oldest is deleted. (docs/reference/api/tokens.md#jwt-bearer) */
const MAX_APPROVALS = 5

interface Approval {
  readonly org: Org
  readonly clientId: string
  readonly userId: string
  readonly scopes: readonly string[]
}

const union = (lists: readonly (readonly string[])[]) => [...new Set(lists.flat())]

async function loadApprovals(db: Db, org: Org, clientId: string, userId: string) {
  const rows = await db.query<{ scopes: string[] }>(approvalSql.find(org, clientId, userId))
  return rows.map(({ scopes }) => scopes)
}

/** All scopes that a user has approved for an app. */
export async function approvedScopes(db: Db, org: Org, clientId: string, userId: string): Promise<string[]> {
  return union(await loadApprovals(db, org, clientId, userId))
}

/** Scopes that an app may use while the user is offline: of approvals with a refresh scope only. (docs/reference/api/tokens.md#jwt-bearer) */
export async function offlineScopes(db: Db, org: Org, clientId: string, userId: string): Promise<string[]> {
  return union((await loadApprovals(db, org, clientId, userId)).filter(asksForRefresh))
}

/** Stores a user's approval of an app. */
export async function approve(
  db: Db,
  clock: Clock,
  { org, clientId, userId, scopes }: Approval,
): Promise<void> {
  await db.query(approvalSql.insert(org, clientId, userId, scopes, secondsNow(clock)))
  await db.query(approvalSql.deleteOldest(org, clientId, userId, MAX_APPROVALS))
}

/** True if the administrator has approved the app for the user. */
export async function isPreApproved(db: Db, org: Org, app: ConnectedApp, userId: string): Promise<boolean> {
  if (app.id === undefined) return false
  const [row] = await db.query<{ isGranted: boolean }>(approvalSql.isGranted(org, app.id, userId))
  return row!.isGranted
}
