/** Who calls. */
export interface Principal {
  readonly userId: string
  readonly username: string
  /** What the token may be used for: `api`, `full`, ... */
  readonly scopes: readonly string[]
}

/** Whether the token opens the data paths. (contract/auth 0 and 2) */
export function mayUseData(principal: Principal): boolean {
  return principal.scopes.includes('api') || principal.scopes.includes('full')
}
