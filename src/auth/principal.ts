import type { User } from './users.ts'

/** Who calls. */
export interface Principal {
  readonly userId: string
  readonly username: string
  /** May use the set-up door. */
  readonly isAdministrator: boolean
  /** What the token may be used for: `api`, `full`, ... */
  readonly scopes: readonly string[]
  /** The user's locale, for example `en_US`, and time zone. */
  readonly locale: string
  readonly timeZone: string
  /** Month in which the org's fiscal year starts, 1 to 12. */
  readonly fiscalStartMonth: number
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** A user as the one who calls. */
export function principalOf(user: User, scopes: readonly string[]): Principal {
  const { id: userId, username, isAdministrator, timeZone, locale, fiscalStartMonth } = user
  return Object.freeze({
    userId,
    username,
    isAdministrator,
    scopes,
    locale: locale ?? 'en_US',
    timeZone: timeZone !== null && isTimeZone(timeZone) ? timeZone : 'UTC',
    fiscalStartMonth: fiscalStartMonth ?? 1,
  })
}

/** Whether the token opens the data paths. (contract/auth 0 and 2) */
export function mayUseData(principal: Principal): boolean {
  return principal.scopes.includes('api') || principal.scopes.includes('full')
}
