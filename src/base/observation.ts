/** Something worth telling, for the log and for metrics. Never holds a token, a body or a field value. */
export type Observation =
  | { readonly kind: 'operation'; readonly route: string; readonly method: string; readonly status: number }
  /** A request was answered, at whatever endpoint. */
  | ({ readonly kind: 'request' } & AnsweredRequest)
  /** A statement has ended. Its text holds no values. */
  | {
      readonly kind: 'statement'
      readonly text: string
      readonly milliseconds: number
      /** Whether it took as long as the settings call slow. */
      readonly isSlow: boolean
      readonly requestId?: string
    }
  | {
      readonly kind: 'failure'
      readonly errorId: string
      readonly error: unknown
      readonly requestId?: string
    }
  /** A call met a failure that its org rehearses. */
  | {
      readonly kind: 'fault'
      readonly name: string
      readonly orgId: string
      readonly route: string
      readonly method: string
    }
  /** The event loop turns again after it was blocked for longer than a second. */
  | ({ readonly kind: 'blocked'; readonly milliseconds: number } & BlockedBy)
  /** Deployed code said something: its own words, which are its author's to watch over. */
  | { readonly kind: 'said'; readonly source: string; readonly message: string }
  /** What upgrades of orgs have left to do, over all servers of the database. */
  | { readonly kind: 'upgrades'; readonly pendingOrgs: number; readonly failedSteps: number }
  | { readonly kind: 'notice'; readonly message: string }

/** What blocked the event loop, as far as that is known. */
export interface BlockedBy {
  /** Of the request that was being handled; undefined: it was no request's work. */
  readonly method?: string
  /** The pattern of its path. */
  readonly route?: string
  /** The innermost call first. */
  readonly stack?: string
}

export interface AnsweredRequest {
  readonly id: string
  readonly method: string
  /** Without the query. */
  readonly path: string
  /** The endpoint group; `none` when there is nothing at its address. */
  readonly endpoint: string
  /** The pattern of its path, one of few; `unknown` when there is none. */
  readonly route: string
  readonly status: number
  readonly milliseconds: number
  /** How many statements it had carried out. */
  readonly statements: number
}

export type Observe = (observation: Observation) => void
