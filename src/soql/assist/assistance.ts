import type { ErrorCode } from '../../base/error-codes.ts'

/* What the help for editors answers with. Types only: the console reads them, too. */

/** A part of a SELECT; `count` is LIMIT or OFFSET. */
export type Clause =
  | 'select'
  | 'from'
  | 'using'
  | 'where'
  | 'with'
  | 'group'
  | 'having'
  | 'order'
  | 'count'
  | 'for'

/** Something that may stand at a place of a query. */
export interface Completion {
  readonly label: string
  readonly kind:
    | 'object'
    | 'field'
    | 'relationship'
    | 'child'
    | 'function'
    | 'keyword'
    | 'dateLiteral'
    | 'value'
  readonly detail: string
  /** Text to insert. */
  readonly insert: string
}

/** Completions at a position, and the part of the text that they replace. */
export interface Completions {
  readonly start: number
  readonly end: number
  /** Where in the innermost SELECT the place is; none outside of one. */
  readonly clause?: Clause
  readonly items: readonly Completion[]
}

/** Why a text would be refused, and where. */
export interface QueryProblem {
  readonly message: string
  readonly errorCode: ErrorCode
  readonly start: number
  readonly end: number
}

/** Facts of a text for an editor. Offsets are UTF-16 code units, as in JavaScript. */
export interface Assistance {
  readonly errors: readonly QueryProblem[]
  readonly completions?: Completions
}
