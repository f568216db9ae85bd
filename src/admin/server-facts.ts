/** Facts of the server for an org's administrators. (docs/reference/api/admin-api.md#orgs) */
export interface ServerFacts {
  /** Of Objectry: `0.1.0`. */
  readonly version: string
  readonly engine: 'pglite' | 'postgres'
  /** True if fault plans and moved clocks are allowed. */
  readonly allowsFaults: boolean
}
