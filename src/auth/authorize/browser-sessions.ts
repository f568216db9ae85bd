import { randomBytes } from 'node:crypto'
import { type Clock, type ClockOf, secondsNow } from '../../base/clock.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { sessionEnded } from '../oauth/oauth-error.ts'
import { hashToken, makeFamily } from '../oauth/token-text.ts'
import { ending, issuing } from '../tokens/access-locks.ts'
import { deleteFamily } from '../tokens/revoke.ts'
import type { LoggedIn } from '../users/log-in.ts'
import { isPasswordStill, mustChangePassword } from '../users/passwords.ts'
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
  /** True if the user must change the password before anything else. */
  readonly mustChange: boolean
  /** The access token that opened it, without a log-in. It ends with the token, and permits nothing that a log-in does. */
  readonly openedBy: { readonly tokenHash: string; readonly scopes: readonly string[] } | undefined
}

/**
 * Starts the session of a log-in; only its hash is stored. Always a new value, to prevent session fixation.
 * @returns the value of its cookie; undefined: the password has changed meanwhile
 * @throws OAuthError inactive_user
 */
export async function beginBrowserSession(
  db: Db,
  clock: Clock,
  org: Org,
  { user, passwordHash }: LoggedIn,
): Promise<string | undefined> {
  const token = randomBytes(32).toString('base64url')
  const now = secondsNow(clock)
  await db.query(browserSessionSql.deleteOld(now - IDLE_SECONDS))
  return issuing(db, { org, userId: user.id }, async (tx) => {
    if (!(await isPasswordStill(tx, org, user.id, passwordHash))) return undefined
    await tx.query(browserSessionSql.insert(hashToken(token), org, user.id, now))
    return token
  })
}

/**
 * Starts a session with the rights of an access token. @returns the value of its cookie; undefined: the token is revoked
 */
export async function beginSessionOfToken(
  db: Db,
  clock: Clock,
  accessTokenHash: string,
): Promise<string | undefined> {
  const token = randomBytes(32).toString('base64url')
  const now = secondsNow(clock)
  const [begun] = await db.query(browserSessionSql.insertOfToken(hashToken(token), accessTokenHash, now))
  return begun && token
}

interface SessionRow {
  readonly userId: string
  readonly lastUsedAt: number
  /** These are null for a session without an access token. */
  readonly accessTokenHash: string | null
  readonly tokenScopes: readonly string[] | null
  readonly tokenEndsAt: number | null
  readonly orgId: string
  readonly schemaName: string
  readonly orgName: string
}

/**
 * Undefined if there is no such session, it or its access token has expired, or the user is inactive.
 * @param clockOf the clock of an org
 */
export async function findBrowserSession(
  db: Db,
  clock: Clock,
  clockOf: ClockOf,
  token: string,
): Promise<BrowserSession | undefined> {
  const tokenHash = hashToken(token)
  const now = secondsNow(clock)
  const [row] = await db.query<SessionRow>(browserSessionSql.find(tokenHash, now - IDLE_SECONDS))
  if (row === undefined) return undefined
  const { accessTokenHash, tokenScopes, tokenEndsAt } = row
  // Access tokens live by the clock of their org.
  if (tokenEndsAt !== null && secondsNow(clockOf(row.orgId)) > tokenEndsAt) return undefined
  const org: Org = Object.freeze({ id: row.orgId, schemaName: row.schemaName, name: row.orgName })
  const user = await findUser(db, org, row.userId)
  if (user?.isActive !== true) return undefined
  if (now - row.lastUsedAt > TOUCH_AFTER_SECONDS) await db.query(browserSessionSql.touch(tokenHash, now))
  const openedBy = accessTokenHash === null ? undefined : { tokenHash: accessTokenHash, scopes: tokenScopes! }
  return { tokenHash, org, user, mustChange: await mustChangePassword(db, org, user.id), openedBy }
}

/**
 * The family of all tokens that the console gets in a session, which end together.
 * @throws OAuthError access_denied when the session has ended meanwhile
 */
export async function takeConsoleFamily(
  db: Db,
  { tokenHash }: Pick<BrowserSession, 'tokenHash'>,
): Promise<string> {
  const [taken] = await db.query<{ family: string }>(browserSessionSql.takeFamily(tokenHash, makeFamily()))
  if (taken === undefined) throw sessionEnded()
  return taken.family
}

/** Ends a session in favor of another log-in; what the console got in it stays. */
export async function endBrowserSession(db: Db, token: string): Promise<void> {
  await db.query(browserSessionSql.delete(hashToken(token)))
}

/** Ends a session and the tokens that the console got in it. */
export async function logOut(db: Db, token: string): Promise<void> {
  const tokenHash = hashToken(token)
  type Found = {
    readonly userId: string
    readonly orgId: string
    readonly schemaName: string
    readonly orgName: string
  }
  const [found] = await db.query<Found>(browserSessionSql.findUser(tokenHash))
  if (found === undefined) return
  const { userId, orgId, schemaName, orgName } = found
  await ending(db, { id: orgId, schemaName, name: orgName }, { userIds: [userId] }, async (tx) => {
    const [ended] = await tx.query<{ family: string | null }>(browserSessionSql.delete(tokenHash))
    if (typeof ended?.family === 'string') await deleteFamily(tx, ended.family)
  })
}
