import { CALENDAR_YEAR, type FiscalYear } from '../../base/fiscal-year.ts'
import type { OrgDefaults } from '../../storage/orgs/org.ts'
import type { User } from './users.ts'

/** The user of a call. */
export interface Principal {
  readonly userId: string
  readonly username: string
  /** The user's locale, for example `en_US`, and time zone. */
  readonly locale: string
  readonly timeZone: string
  /** Those of the user's org. */
  readonly fiscalYear: FiscalYear
  readonly orgDefaults: OrgDefaults
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** Makes the principal of a user. */
export function makePrincipal(user: User): Principal {
  const { id: userId, username, timeZone, locale } = user
  return Object.freeze({
    userId,
    username,
    locale: locale ?? 'en_US',
    timeZone: timeZone !== null && isTimeZone(timeZone) ? timeZone : 'UTC',
    fiscalYear: Object.freeze({
      startMonth: user.fiscalStartMonth ?? CALENDAR_YEAR.startMonth,
      isNamedByStart: user.isFiscalYearNamedByStart ?? CALENDAR_YEAR.isNamedByStart,
    }),
    orgDefaults: Object.freeze({ businessHours: user.businessHours, timeZone: user.orgTimeZone }),
  })
}

/** True if a token with these scopes may use the data APIs. (docs/reference/api/tokens.md#scopes) */
export function mayUseData(scopes: readonly string[]): boolean {
  return scopes.includes('api') || scopes.includes('full')
}
