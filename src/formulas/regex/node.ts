import type { CharSet } from './char-set.ts'

/** How often a part of a pattern is tried, and in which order. `possessive`: as often as it can be, and no less. */
export type Greed = 'greedy' | 'lazy' | 'possessive'

/** A condition on a place of a text. */
export type Place =
  | 'start'
  | 'end'
  | 'last line end'
  | 'line begin'
  | 'line end'
  | 'word boundary'
  | 'no word boundary'

/** A part of a pattern. */
export type Node =
  | { readonly kind: 'set'; readonly set: CharSet }
  | { readonly kind: 'sequence'; readonly parts: readonly Node[] }
  | { readonly kind: 'choice'; readonly options: readonly Node[] }
  | { readonly kind: 'group'; readonly number: number; readonly body: Node }
  | {
      readonly kind: 'repeat'
      readonly body: Node
      readonly min: number
      readonly max: number
      readonly greed: Greed
    }
  | { readonly kind: 'atomic'; readonly body: Node }
  | { readonly kind: 'look'; readonly behind: boolean; readonly negative: boolean; readonly body: Node }
  | { readonly kind: 'reference'; readonly number: number; readonly fold: 'no' | 'ascii' | 'unicode' }
  | { readonly kind: 'place'; readonly place: Place; readonly unixLines: boolean }

/** A pattern as Java reads it. */
export interface Pattern {
  readonly root: Node
  readonly groups: number
}

/** The pattern is none, or says something that is not matched here. */
export class PatternError extends Error {}
