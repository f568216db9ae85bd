import { type Clock, secondsText } from '../base/clock.ts'
import type { Db } from '../storage/db.ts'
import type { Org } from '../storage/org.ts'
import { passwordMatches, pretendToCompare } from './password-hash.ts'
import { passwordSql } from './passwords.sql.ts'
import { findUser, findUserId, isGuest, type User } from './users.ts'

/** So many wrong passwords in a row lock a user, for so many seconds. */
const MOST_FAILURES = 10
const LOCK_SECONDS = 15 * 60

/** Longer than any password or username; what is longer is not worth hashing. */
const LONGEST = 1000

/**
 * Why nobody is logged in. `refused`: there is no such user, or the password is wrong. `locked`: too many were wrong.
 * `inactive`, which a guest always is, is told only to who knows the password.
 */
export type LogInRefusal = 'refused' | 'locked' | 'inactive'

export type LogIn =
  | { readonly user: User; readonly mustChange: boolean; readonly refusal?: undefined }
  | { readonly user?: undefined; readonly refusal: LogInRefusal }

/**
 * Whether the password is that of the user. It takes as long for a user who does not exist or is locked as for a wrong
 * password, so neither answer nor time tells whom there is. After ten failures in a row nobody gets in for 15 minutes.
 */
export async function checkPassword(
  db: Db,
  org: Org,
  username: string,
  password: string,
  clock: Clock,
): Promise<LogIn> {
  const isSane = ![username, password].some((text) => text.length > LONGEST || text.includes('\0'))
  const userId = isSane ? await findUserId(db, org, username) : undefined
  const now = clock()
  if (userId === undefined) {
    await pretendToCompare(password.slice(0, LONGEST))
    return { refusal: 'refused' }
  }
  const seconds = now.getTime() / 1000
  type Claimed = { hash: string; mustChange: boolean }
  const claim = passwordSql.claimAttempt(org, userId, MOST_FAILURES, LOCK_SECONDS, seconds)
  const [claimed] = await db.query<Claimed>(claim)
  if (claimed === undefined) {
    await pretendToCompare(password)
    const locked = await db.query(passwordSql.isLocked(org, userId, seconds))
    return { refusal: locked.length > 0 ? 'locked' : 'refused' }
  }
  if (!(await passwordMatches(password, claimed.hash))) return { refusal: 'refused' }
  await db.query(passwordSql.unlock(org, userId))
  const user = await findUser(db, org, userId)
  if (user?.isActive !== true || isGuest(user)) return { refusal: 'inactive' }
  await db.query(passwordSql.noteLogin(org, userId, secondsText(now)))
  return { user, mustChange: claimed.mustChange }
}
