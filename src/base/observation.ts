/** Something worth telling, for the log now and for metrics later. Never holds a token, a body or a field value. */
export type Observation =
  | { readonly kind: 'operation'; readonly route: string; readonly method: string; readonly status: number }
  | { readonly kind: 'failure'; readonly errorId: string; readonly error: unknown }
  | { readonly kind: 'notice'; readonly message: string }

export type Observe = (observation: Observation) => void
