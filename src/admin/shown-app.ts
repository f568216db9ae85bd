/** An app as the admin API lists it. Types only: the console reads them, too. (docs/reference/api/admin-api.md#connected-apps) */
export interface ShownApp {
  readonly id: string
  readonly clientId: string
  readonly name: string
  readonly scopes: readonly string[]
  /** It has no secret. */
  readonly isPublic: boolean
  readonly isBlocked: boolean
  /** In 24 hours. */
  readonly calls: number
  readonly dailyCallBudget: number | null
}
