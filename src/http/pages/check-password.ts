import type { Attempts } from '../../auth/attempts/attempts.ts'
import { checkCountedPassword } from '../../auth/users/check-counted-password.ts'
import type { LogIn } from '../../auth/users/log-in.ts'
import type { Clock } from '../../base/clock.ts'
import type { Config } from '../../config/config.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { findClientAddress } from '../request/client-address.ts'
import type { PageContext } from './page-context.ts'
import { tooManyAttempts } from './page-refusal.ts'

export interface PasswordServices {
  readonly reserved: Db
  readonly clock: Clock
  readonly attempts: Attempts
  readonly config: Config
}

/**
 * Checks a password; addresses with too many wrong passwords are refused.
 * @throws PageRefusal 429
 */
export async function checkPagePassword(
  { reserved: db, clock, attempts, config: settings }: PasswordServices,
  { request }: PageContext,
  org: Org,
  username: string,
  password: string,
): Promise<LogIn> {
  const address = findClientAddress(settings, request)
  const found = await checkCountedPassword(
    { db, clock, attempts, settings, address },
    org,
    username,
    password,
  )
  if (found.logIn === undefined) throw tooManyAttempts(found.wait)
  return found.logIn
}
