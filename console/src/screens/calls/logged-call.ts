/** A call in the log. (docs/reference/api/admin-api.md#call-log) */
export interface LoggedCall {
  readonly id: string
  readonly time: string
  readonly requestId: string
  readonly method: string
  readonly path: string
  readonly route: string
  readonly status: number
  readonly errorCode: string | null
  readonly durationMs: number
  readonly statements: number | null
  readonly databaseMs: number | null
  readonly user: string | null
  readonly app: string | null
  readonly clientAddress: string
  readonly bytesIn: number | null
  readonly bytesOut: number | null
}

/** What was kept of a request or an answer. */
export interface Kept {
  readonly query?: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** A call with its statements, and its bodies where they were kept. */
export interface WholeCall extends LoggedCall {
  readonly statementList: readonly { readonly sql: string; readonly ms: number }[]
  readonly request?: Kept | null
  readonly response?: Kept | null
}
