/** Syntax tree of a formula, before names and types are known. Offsets are in the text. */
export type Syntax =
  | { readonly kind: 'number'; readonly text: string; readonly at: number }
  | { readonly kind: 'text'; readonly text: string; readonly at: number }
  | { readonly kind: 'constant'; readonly value: boolean | null; readonly at: number }
  | { readonly kind: 'name'; readonly name: string; readonly at: number }
  | {
      readonly kind: 'call'
      readonly name: string
      readonly args: readonly Syntax[]
      readonly at: number
      /** Offset behind the call. */
      readonly end: number
    }
  | {
      readonly kind: 'operator'
      readonly operator: string
      readonly args: readonly Syntax[]
      readonly at: number
    }
