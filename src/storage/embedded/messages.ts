import type { ThrownText } from './thrown-text.ts'

/** What a statement gives: rows as arrays, with the names of their columns. */
export interface Result {
  readonly names: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
}

/** What the database's thread starts with. */
export interface ThreadData {
  /** Undefined: in memory. */
  readonly folder: string | undefined
  /** The data to start with. */
  readonly image: Uint8Array | undefined
}

/** What the server asks of the thread. It answers in the order of the questions. */
export type ToThread =
  | { readonly kind: 'statement'; readonly text: string; readonly values: readonly unknown[] }
  /** Several statements without values. */
  | { readonly kind: 'script'; readonly text: string }
  /** Fails when the transaction turns out to be rolled back at its end. */
  | { readonly kind: 'transactionEnd'; readonly text: string }
  | { readonly kind: 'dump' }
  | { readonly kind: 'close' }

/** The first answer says that the database is open. */
export type FromThread =
  | { readonly kind: 'done'; readonly result?: Result; readonly image?: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'failed'; readonly error: ThrownText; readonly isBroken: boolean }
