import { randomBytes } from 'node:crypto'
import type { Clock } from '../../base/clock.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { hashToken } from '../oauth/token-text.ts'
import { mustChangePassword } from '../users/passwords.ts'
import { findUser, type User } from '../users/users.ts'
import { browserSessionSql } from './browser-sessions.sql.ts'

/** How long a browser session lives after its last request. (docs/reference/api/tokens.md#sessions) */
const IDLE_SECONDS = 2 * 60 * 60

/** The last use is updated if the stored one is older than this. */
const TOUCH_AFTER_SECONDS = 60

/** A user's session in a browser. */
export interface BrowserSession {
  readonly tokenHash: string
  readonly org: Org
  readonly user: User
  /** Whether the user must change the password before anything else. */
  readonly mustChange: boolean
}

const seconds = (clock: Clock) => clock().getTime() / 1000

/** Starts a session and returns the value of its cookie; only its hash is stored. Always a new value, to prevent session fixation. */
export async function beginBrowserSession(db: Db, clock: Clock, org: Org, userId: string): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const now = seconds(clock)
  await db.query(browserSessionSql.deleteOld(now - IDLE_SECONDS))
  await db.query(browserSessionSql.insert(hashToken(token), org, userId, now))
  return token
}

/** Undefined if there is no such session, it has expired, or the user is inactive. */
export async function findBrowserSession(
  db: Db,
  clock: Clock,
  token: string,
): Promise<BrowserSession | undefined> {
  type SessionRow = { userId: string; lastUsedAt: number; orgId: string; schemaName: string; orgName: string }
  const tokenHash = hashToken(token)
  const now = seconds(clock)
  const [row] = await db.query<SessionRow>(browserSessionSql.find(tokenHash, now - IDLE_SECONDS))
  if (row === undefined) return undefined
  const org: Org = Object.freeze({ id: row.orgId, schemaName: row.schemaName, name: row.orgName })
  const user = await findUser(db, org, row.userId)
  if (user?.isActive !== true) return undefined
  if (now - row.lastUsedAt > TOUCH_AFTER_SECONDS) await db.query(browserSessionSql.touch(tokenHash, now))
  return { tokenHash, org, user, mustChange: await mustChangePassword(db, org, user.id) }
}

export async function endBrowserSession(db: Db, token: string): Promise<void> {
  await db.query(browserSessionSql.delete(hashToken(token)))
}
