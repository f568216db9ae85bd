import { type Clock, secondsText } from '../../base/clock.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { type AttemptLimits, passwordRules } from '../attempts/attempt-rules.ts'
import { attemptSql } from '../attempts/attempts.sql.ts'
import type { Attempts } from '../attempts/attempts.ts'
import { passwordMatches, pretendToCompare } from './password-hash.ts'
import { passwordSql } from './passwords.sql.ts'
import { findUser, findUserId, isGuest, type User } from './users.ts'

/** Longer than any password or username; what is longer is not worth hashing. */
const MAX_LENGTH = 1000

/**
 * Why nobody is logged in. `refused`: there is no such user, or the password is wrong. `locked`: too many were wrong.
 * `inactive`, which a guest always is, is told only to who knows the password.
 */
export type LogInRefusal = 'refused' | 'locked' | 'inactive'

export type LogIn =
  | { readonly user: User; readonly mustChange: boolean; readonly refusal?: undefined }
  | { readonly user?: undefined; readonly refusal: LogInRefusal }

/** What checking a password takes. */
export interface LoggingIn {
  readonly db: Db
  readonly clock: Clock
  readonly attempts: Attempts
  readonly settings: AttemptLimits
  /** Where the client is, as `addressKey` has it. */
  readonly address: string
}

interface StoredPassword {
  readonly hash: string
  readonly mustChange: boolean
}

/** Undefined: the password is wrong, or there is none. */
async function matchingPassword({ db }: LoggingIn, org: Org, userId: string, password: string) {
  const [stored] = await db.query<StoredPassword>(passwordSql.find(org, userId))
  if (stored === undefined) {
    await pretendToCompare(password)
    return undefined
  }
  return (await passwordMatches(password, stored.hash)) ? stored : undefined
}

/**
 * Whether the password is that of the user. It takes as long for a user who does not exist or is locked as for a wrong
 * password, so neither answer nor time tells whom there is. Ten failures in a row lock the user for 15 minutes at that
 * address; from addresses that the user never logged in from, a hundred in an hour lock the user at all of those.
 */
export async function checkPassword(
  loggingIn: LoggingIn,
  org: Org,
  username: string,
  password: string,
): Promise<LogIn> {
  const { db, clock, attempts, settings, address } = loggingIn
  const isSane = ![username, password].some((text) => text.length > MAX_LENGTH || text.includes('\0'))
  const userId = isSane ? await findUserId(db, org, username) : undefined
  if (userId === undefined) {
    await pretendToCompare(password.slice(0, MAX_LENGTH))
    return { refusal: 'refused' }
  }
  const isKnown = (await db.query(attemptSql.isKnownAt(org.id, userId, address))).length > 0
  const rules = passwordRules(settings, org, userId, { address, isKnown })
  const attempt = await attempts.begin(rules)
  if (attempt.wait > 0) {
    await pretendToCompare(password)
    return { refusal: 'locked' }
  }
  let stored: StoredPassword | undefined
  let isWrong = false
  try {
    stored = await matchingPassword(loggingIn, org, userId, password)
    isWrong = stored === undefined
  } finally {
    await attempt.end(isWrong)
  }
  if (stored === undefined) return { refusal: 'refused' }
  await attempts.forgetAt(rules[0])
  const user = await findUser(db, org, userId)
  if (user?.isActive !== true || isGuest(user)) return { refusal: 'inactive' }
  const now = clock()
  await db.query(attemptSql.noteKnown(org.id, userId, address, now.getTime() / 1000))
  await db.query(passwordSql.noteLogin(org, userId, secondsText(now)))
  return { user, mustChange: stored.mustChange }
}
