/** What is remembered of a call where failures are rehearsed. Never a token, a body or a value. */
export interface JournalEntry {
  /** `call`: what the allocation counts. `token`: an app was given a new access token. */
  readonly kind: 'call' | 'token'
  /** Whether it counts toward the allocation. */
  readonly isCounted: boolean
  /** By the machine's clock, milliseconds since 1970. */
  readonly beganAt: number
  readonly milliseconds: number
  /** Undefined: no app's. */
  readonly clientId: string | undefined
  readonly method: string
  /** The pattern of the route: `/sobjects/:object/:id`. */
  readonly route: string
  /** `64.0`; empty where there are none. */
  readonly version: string
  /** 0: the connection was cut before an answer. */
  readonly status: number
  /** The first error of the answer, or of a step in it; empty: there is none. */
  readonly code: string
  /** The fault that the call met; empty: none. */
  readonly fault: string
  /** What calls have in common that are the same: a hash of app, method, path, query and body. */
  readonly sameness: string
  /** The same without the version that the path names. */
  readonly samenessInAnyVersion: string
}
