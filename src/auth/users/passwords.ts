import { type Clock, secondsText } from '../../base/clock.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { attemptSql, scopeOfUser } from '../attempts/attempts.sql.ts'
import { endAccess, type KeptAccess } from '../tokens/end-access.ts'
import { hashPassword } from './password-hash.ts'
import { passwordSql } from './passwords.sql.ts'

/** A password that is hashed already: hashing takes its time and needs no database. */
export interface NewPassword {
  readonly hash: string
  /** The user has to choose another one at the next log-in. */
  readonly mustChange: boolean
}

/** What of the user's access goes on. */
export type Kept = KeptAccess

/** Gives a user a password that was hashed before; everything that the user was logged in with ends. */
export async function storePassword(
  db: Db,
  org: Org,
  userId: string,
  { hash, mustChange }: NewPassword,
  clock: Clock,
  kept: Kept = {},
): Promise<void> {
  const now = clock()
  await db.transaction(async (tx) => {
    await tx.query(passwordSql.set(org, userId, hash, mustChange, now.getTime() / 1000))
    await unlockUser(tx, org, userId)
    await tx.query(passwordSql.notePasswordChange(org, userId, secondsText(now)))
    await endAccess(tx, org, userId, kept)
  })
}

interface Choice {
  readonly mustChange?: boolean
  readonly kept?: Kept
}

/**
 * Gives a user a password. The user's browser sessions, access tokens, refresh tokens and codes end, but for what is
 * named. The caller has checked the rules (`checkPasswordRules`).
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

/** Forgets the wrong passwords of a user, from wherever they came. */
export async function unlockUser(db: Db, org: Org, userId: string): Promise<void> {
  await db.query(attemptSql.forget(scopeOfUser(org.id, userId)))
}

/** Whether the user has to choose another password before anything else. */
export async function mustChangePassword(db: Db, org: Org, userId: string): Promise<boolean> {
  const [row] = await db.query<{ mustChange: boolean }>(passwordSql.mustChange(org, userId))
  return row?.mustChange ?? false
}

/** What is known of a user's password. */
export interface PasswordState {
  /** Too many passwords were wrong: at one address at least. */
  readonly isLocked: boolean
  readonly mustChange: boolean
}

/** By the ids of users who have a password. */
export async function loadPasswordStates(
  db: Db,
  org: Org,
  clock: Clock,
): Promise<ReadonlyMap<string, PasswordState>> {
  type Row = { id: string; mustChange: boolean }
  const rows = await db.query<Row>(passwordSql.states(org))
  const locked = await db.query<{ id: string }>(attemptSql.lockedUsers(org.id, clock().getTime() / 1000))
  const isLocked = new Set(locked.map(({ id }) => id))
  return new Map(rows.map(({ id, mustChange }) => [id, { isLocked: isLocked.has(id), mustChange }]))
}
