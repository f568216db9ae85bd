/** A call in the journal. Never holds a token, a body or a field value. */
export interface JournalEntry {
  /** `token`: an app was issued an access token. `event`: an event met a fault. */
  readonly kind: 'call' | 'token' | 'event'
  /** True if it counts toward the allocation. */
  readonly isCounted: boolean
  /** By the system clock, milliseconds since 1970. */
  readonly beganAt: number
  readonly milliseconds: number
  /** Undefined for calls without an app. */
  readonly clientId: string | undefined
  readonly method: string
  /** The route pattern: `/sobjects/:object/:id`. */
  readonly route: string
  /** `64.0`; empty for routes without a version. */
  readonly version: string
  /** 0: the connection was cut before a response. */
  readonly status: number
  /** The first error of the response, or of a step in it; empty if there is none. */
  readonly code: string
  /** The fault injected into the call; empty if there is none. */
  readonly fault: string
  /** Equal for repeated calls: a hash of app, method, path, query and body. */
  readonly sameness: string
  /** The same without the version in the path. */
  readonly samenessInAnyVersion: string
}
