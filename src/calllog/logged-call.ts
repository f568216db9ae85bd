/* What the call log answers with. Types only: the console reads them, too. */

/** A statement of the database, whose text holds no values, and how long it took. */
export interface LoggedStatement {
  readonly sql: string
  readonly ms: number
}

/** A call as the log lists it. (docs/reference/api/admin-api.md#call-log) */
export interface LoggedCall {
  readonly id: string
  readonly time: string
  readonly requestId: string
  readonly method: string
  readonly path: string
  readonly route: string
  /** 0: the connection was cut. */
  readonly status: number
  /** Empty: it succeeded. */
  readonly errorCode: string
  readonly durationMs: number
  readonly statements: number
  readonly databaseMs: number
  readonly user: string | null
  readonly app: string | null
  readonly clientAddress: string | null
  readonly bytesIn: number
  readonly bytesOut: number | null
}

export interface LoggedCalls {
  readonly calls: readonly LoggedCall[]
  /** The cursor to go on with. */
  readonly next: string
}

/** The kept part of a request or an answer. */
export interface KeptContent {
  readonly query?: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** A call with its statements, and its bodies where they were kept. */
export interface WholeCall extends LoggedCall {
  readonly statementList: readonly LoggedStatement[]
  readonly request?: KeptContent
  readonly response?: KeptContent
}
