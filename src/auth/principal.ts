/** Who calls. */
export interface Principal {
  readonly userId: string
  readonly username: string
  /** What the token may be used for: `api`, `full`, ... */
  readonly scopes: readonly string[]
  /** The user's locale, for example `en_US`, and time zone. */
  readonly locale: string
  readonly timeZone: string
  /** Month in which the org's fiscal year starts, 1 to 12. */
  readonly fiscalStartMonth: number
}

/** Whether the token opens the data paths. (contract/auth 0 and 2) */
export function mayUseData(principal: Principal): boolean {
  return principal.scopes.includes('api') || principal.scopes.includes('full')
}
