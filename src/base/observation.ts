/** Something worth telling, for the log now and for metrics later. Never holds a token, a body or a field value. */
export type Observation =
  /** A call came to the data door, whatever it is made of: what the allocation counts. */
  | { readonly kind: 'call'; readonly orgId: string; readonly userId: string }
  | { readonly kind: 'operation'; readonly route: string; readonly method: string; readonly status: number }
  | { readonly kind: 'failure'; readonly errorId: string; readonly error: unknown }
  | { readonly kind: 'notice'; readonly message: string }

export type Observe = (observation: Observation) => void
