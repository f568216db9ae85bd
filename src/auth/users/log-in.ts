import { type Clock, secondsText } from '../../base/clock.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { type AttemptLimits, passwordRules } from '../attempts/attempt-rules.ts'
import { attemptSql } from '../attempts/attempts.sql.ts'
import type { Attempts } from '../attempts/attempts.ts'
import { passwordMatches, pretendToCompare } from './password-hash.ts'
import { passwordSql } from './passwords.sql.ts'
import { findUser, findUserId, isGuest, type User } from './users.ts'

/** Longer than any password or username; longer texts are not worth hashing. */
const MAX_LENGTH = 1000

/**
 * Why a log-in was refused. `refused`: there is no such user, or the password is wrong. `locked`: too many wrong passwords.
 * `inactive`, which a guest always is, is reported only with the right password.
 */
export type LogInRefusal = 'refused' | 'locked' | 'inactive'

export interface LoggedIn {
  readonly user: User
  readonly mustChange: boolean
  /** Of the password that was compared. */
  readonly passwordHash: string
}

export type LogIn =
  | (LoggedIn & { readonly refusal?: undefined })
  | { readonly user?: undefined; readonly refusal: LogInRefusal }

/** Dependencies of a password check. */
export interface LogInServices {
  readonly db: Db
  readonly clock: Clock
  readonly attempts: Attempts
  readonly settings: AttemptLimits
  /** Address of the client as returned by `addressKey`. */
  readonly address: string
}

interface StoredPassword {
  readonly hash: string
  readonly mustChange: boolean
}

/** Undefined if the password is wrong or the user has none. */
async function findMatchingPassword({ db }: LogInServices, org: Org, userId: string, password: string) {
  const [stored] = await db.query<StoredPassword>(passwordSql.find(org, userId))
  if (stored === undefined) {
    await pretendToCompare(password)
    return undefined
  }
  return (await passwordMatches(password, stored.hash)) ? stored : undefined
}

/**
 * Checks a user's password. It takes as long for an unknown or locked user as for a wrong password, so neither the answer
 * nor the time reveals which users exist. Ten consecutive failures lock the user for 15 minutes at that
 * address; a hundred in an hour from addresses that the user never logged in from lock the user at all of those.
 */
export async function checkPassword(
  services: LogInServices,
  org: Org,
  username: string,
  password: string,
): Promise<LogIn> {
  const { db, clock, attempts, settings, address } = services
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
    stored = await findMatchingPassword(services, org, userId, password)
    isWrong = stored === undefined
  } finally {
    await attempt.end(isWrong)
  }
  if (stored === undefined) return { refusal: 'refused' }
  await attempts.forgetAt(rules[0])
  const user = await findUser(db, org, userId)
  if (user?.isActive !== true || isGuest(user)) return { refusal: 'inactive' }
  const now = clock()
  await db.query(attemptSql.recordAddress(org.id, userId, address, now.getTime() / 1000))
  await db.query(passwordSql.recordLogin(org, userId, secondsText(now)))
  return { user, mustChange: stored.mustChange, passwordHash: stored.hash }
}
