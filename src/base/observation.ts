/** An event for the log and for metrics. Never holds a token, a body or a field value. */
export type Observation =
  | { readonly kind: 'operation'; readonly route: string; readonly method: string; readonly status: number }
  /** A request was answered, at any endpoint. */
  | ({ readonly kind: 'request' } & AnsweredRequest)
  /** A statement ended. Its text holds no values. */
  | {
      readonly kind: 'statement'
      readonly text: string
      readonly milliseconds: number
      /** True if it took longer than the setting for slow statements. */
      readonly isSlow: boolean
      readonly requestId?: string | undefined
    }
  | {
      readonly kind: 'failure'
      readonly errorId: string
      readonly error: unknown
      readonly requestId?: string | undefined
    }
  /** Something failed that nothing waits for. */
  | {
      readonly kind: 'stray'
      readonly error: unknown
      /** Name of the trigger that has started it; undefined if none has. */
      readonly trigger?: string | undefined
    }
  /** A fault plan of the org applied to a call. */
  | {
      readonly kind: 'fault'
      readonly name: string
      readonly orgId: string
      readonly route: string
      readonly method: string
    }
  /** The event loop continues after it was blocked for longer than a second. */
  | ({ readonly kind: 'blocked'; readonly milliseconds: number } & BlockedBy)
  /** Deployed code wrote to its console. The text is its own; keeping secrets out of it is up to its author. */
  | { readonly kind: 'said'; readonly source: string; readonly message: string }
  /** Pending upgrade work of orgs, over all servers of the database. */
  | { readonly kind: 'upgrades'; readonly pendingOrgs: number; readonly failedSteps: number }
  /** How many bulk jobs this process works on. */
  | { readonly kind: 'bulk jobs'; readonly running: number }
  /** Rows of a bulk job were written, or refused, in one transaction; or the records of a query were stored. */
  | {
      readonly kind: 'bulk chunk'
      readonly work: 'ingest' | 'query'
      readonly rows: number
      readonly failed: number
      readonly milliseconds: number
    }
  /** A bulk job is over. */
  | { readonly kind: 'bulk end'; readonly work: 'ingest' | 'query'; readonly state: string }
  | { readonly kind: 'notice'; readonly message: string }

/** Cause of the blocked event loop, as far as known. */
export interface BlockedBy {
  /** Of the request being handled; undefined if it was not the work of a request. */
  readonly method?: string | undefined
  /** The route pattern. */
  readonly route?: string | undefined
  /** Innermost frame first. */
  readonly stack?: string | undefined
}

export interface AnsweredRequest {
  readonly id: string
  readonly method: string
  /** Without the query. */
  readonly path: string
  /** The endpoint group; `none` if no endpoint has this path. */
  readonly endpoint: string
  /** The route pattern; `unknown` if there is none. */
  readonly route: string
  readonly status: number
  readonly milliseconds: number
  /** Number of statements that were executed for it. */
  readonly statements: number
}

export type Observe = (observation: Observation) => void
