import type { ThrownText } from './thrown-text.ts'

/** The result of a statement: rows as arrays, and the names of their columns. */
export interface Result {
  readonly names: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
}

/** Start parameters of the database thread. */
export interface ThreadData {
  /** Undefined for a database in memory. */
  readonly folder: string | undefined
  /** Initial data. */
  readonly image: Uint8Array | undefined
  /** True if the folder is empty. */
  readonly isNew?: boolean
}

/** Requests to the thread. It answers them in order. */
export type ToThread =
  | { readonly kind: 'statement'; readonly text: string; readonly values: readonly unknown[] }
  /** Several statements without values. */
  | { readonly kind: 'script'; readonly text: string }
  /** Fails if the transaction turns out to be rolled back at its end. */
  | { readonly kind: 'transactionEnd'; readonly text: string }
  | { readonly kind: 'dump' }
  | { readonly kind: 'close' }

/** Answers of the thread. The first one says that the database is open. */
export type FromThread =
  | { readonly kind: 'done'; readonly result?: Result; readonly image?: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'failed'; readonly error: ThrownText; readonly isBroken: boolean }
