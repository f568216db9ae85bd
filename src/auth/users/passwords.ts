import { type Clock, secondsNow, secondsText } from '../../base/clock.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { attemptSql, scopeOfUser } from '../attempts/attempts.sql.ts'
import { ending } from '../tokens/access-locks.ts'
import { endAccess, type KeptAccess } from '../tokens/end-access.ts'
import { hashPassword } from './password-hash.ts'
import { passwordSql } from './passwords.sql.ts'

/** A hashed password: hashing takes time and needs no database. */
export interface NewPassword {
  readonly hash: string
  /** True if the user must choose another password at the next log-in. */
  readonly mustChange: boolean
}

/** The access of the user that stays valid. */
export type Kept = KeptAccess

/** Stores a hashed password; ends all access of the user. */
export async function storePassword(
  db: Db,
  org: Org,
  userId: string,
  { hash, mustChange }: NewPassword,
  clock: Clock,
  kept: Kept = {},
): Promise<void> {
  const now = clock()
  await ending(db, org, { userIds: [userId] }, async (tx) => {
    await tx.query(passwordSql.set(org, userId, hash, mustChange, now.getTime() / 1000))
    await unlockUser(tx, org, userId)
    await tx.query(passwordSql.recordPasswordChange(org, userId, secondsText(now)))
    await endAccess(tx, org, [userId], kept)
  })
}

interface Choice {
  readonly mustChange?: boolean
  readonly kept?: Kept
}

/**
 * Sets a user's password. Ends the user's browser sessions, access tokens, refresh tokens and codes, except the given
 * ones. The caller has checked the rules (`checkPasswordRules`).
 */
export async function setPassword(
  db: Db,
  org: Org,
  userId: string,
  password: string,
  clock: Clock,
  { mustChange = false, kept }: Choice = {},
): Promise<void> {
  const hash = await hashPassword(password)
  await storePassword(db, org, userId, { hash, mustChange }, clock, kept)
}

/** Resets the count of wrong passwords of a user, for all addresses. */
export async function unlockUser(db: Db, org: Org, userId: string): Promise<void> {
  await db.query(attemptSql.forget(scopeOfUser(org.id, userId)))
}

/** True if the password that was compared is the user's still. */
export async function isPasswordStill(db: Db, org: Org, userId: string, hash: string): Promise<boolean> {
  return (await db.query(passwordSql.findStored(org, userId, hash))).length > 0
}

/** True if the user must choose another password before anything else. */
export async function mustChangePassword(db: Db, org: Org, userId: string): Promise<boolean> {
  const [row] = await db.query<{ mustChange: boolean }>(passwordSql.mustChange(org, userId))
  return row?.mustChange ?? false
}

/** The state of a user's password. */
interface PasswordState {
  /** True if there were too many wrong passwords, at one address at least. */
  readonly isLocked: boolean
  readonly mustChange: boolean
}

/** By user id, for users with a password. */
export async function loadPasswordStates(
  db: Db,
  org: Org,
  clock: Clock,
): Promise<ReadonlyMap<string, PasswordState>> {
  type Row = { id: string; mustChange: boolean }
  const rows = await db.query<Row>(passwordSql.states(org))
  const locked = await db.query<{ id: string }>(attemptSql.lockedUsers(org.id, secondsNow(clock)))
  const isLocked = new Set(locked.map(({ id }) => id))
  return new Map(rows.map(({ id, mustChange }) => [id, { isLocked: isLocked.has(id), mustChange }]))
}
