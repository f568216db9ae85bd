export type TokenKind =
  | 'word'
  | 'symbol'
  | 'string'
  | 'number'
  | 'date'
  | 'datetime'
  | 'time'
  | 'currency'
  | 'end'

/** A piece of the query text. (docs/reference/api/queries.md#text-of-a-query) */
export interface Token {
  readonly kind: TokenKind
  /** The characters as typed. */
  readonly text: string
  /** The form that the grammar compares: a word in upper case, or a symbol; empty for other tokens. */
  readonly key: string
  readonly at: number
  readonly end: number
}
