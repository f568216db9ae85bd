/** Settings with which a process starts. */
export interface Assignment {
  /** From 1. The process that replaces another one has its number. */
  readonly number: number
  readonly port: number
  /** Undefined if there is no public site. */
  readonly sitePort: number | undefined
  /** In base64; undefined: the one of the settings. */
  readonly secretKey: string | undefined
  /** True if another process has migrated the database and made the first org. */
  readonly isPrepared: boolean
}

/** Results of the first process that serves, such as its first org. */
export interface Serving {
  readonly address: string
  readonly siteAddress?: string | undefined
  /** Only at the first start with a database. */
  readonly firstApp?: { readonly clientId: string; readonly clientSecret: string } | undefined
  readonly firstUser?: { readonly username: string; readonly password: string } | undefined
}

/** From the primary to a process. */
export type ToProcess =
  | { readonly kind: 'start'; readonly assignment: Assignment }
  /** True if all processes serve. */
  | { readonly kind: 'ready'; readonly isReady: boolean }
  /** Asks for the metrics of this process. */
  | { readonly kind: 'count' }
  /** The metrics of all processes, which this one asked for. */
  | { readonly kind: 'metrics'; readonly text: string }
  | { readonly kind: 'stop' }

/** From a process to the primary. */
export type FromProcess =
  | { readonly kind: 'serving'; readonly serving: Serving }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'counted'; readonly text: string }
  | { readonly kind: 'wantsMetrics' }
