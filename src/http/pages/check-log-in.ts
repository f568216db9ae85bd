import { logInRule } from '../../auth/attempt-rules.ts'
import { checkPassword, type LogIn } from '../../auth/log-in.ts'
import type { Org } from '../../storage/org.ts'
import { addressOf } from '../client-address.ts'
import { tooManyAttempts } from './page-refusal.ts'
import type { PageVisit } from './page-visit.ts'

/**
 * Whether somebody may log in; from an address where too many passwords were wrong nobody may.
 * @throws PageRefusal 429
 */
export async function checkLogIn(
  visit: PageVisit,
  org: Org,
  username: string,
  password: string,
): Promise<LogIn> {
  const { reserved: db, clock, attempts, config: settings } = visit.house
  const address = addressOf(visit)
  const attempt = await attempts.begin([logInRule(settings, address)])
  if (attempt.wait > 0) throw tooManyAttempts(attempt.wait)
  let isWrong = false
  try {
    const found = await checkPassword({ db, clock, attempts, settings, address }, org, username, password)
    isWrong = found.refusal !== undefined
    return found
  } finally {
    await attempt.end(isWrong)
  }
}
