import type { CountedDateLiteral, FixedDateLiteral } from './date-literal-names.ts'

/** A value in a condition. Bind variables have no node: they are rejected. (docs/reference/api/queries.md#literals) */
export type Literal =
  | StringLiteral
  | NumberLiteral
  | BooleanLiteral
  | NullLiteral
  | DateLiteral
  | DateTimeLiteral
  | TimeLiteral
  | NamedDateLiteral
  | CurrencyLiteral

export interface StringLiteral {
  readonly kind: 'string'
  /** Without quotes, escapes decoded. */
  readonly value: string
  readonly at: number
}

/**
 * The string after LIKE. In `value` escapes are decoded, `%` and `_` are wildcards, and a backslash escapes the
 * next character (`%`, `_` or `\`).
 */
export interface LikePattern {
  readonly kind: 'pattern'
  readonly value: string
  readonly at: number
}

export interface NumberLiteral {
  readonly kind: 'number'
  readonly value: number
  /** Sign, digits and fraction as typed; can have more digits than `value` can represent. */
  readonly text: string
  readonly at: number
}

interface BooleanLiteral {
  readonly kind: 'boolean'
  readonly value: boolean
  readonly at: number
}

interface NullLiteral {
  readonly kind: 'null'
  readonly at: number
}

/** `value` is `YYYY-MM-DD`, a day that exists. (docs/reference/api/queries.md#dates) */
export interface DateLiteral {
  readonly kind: 'date'
  readonly value: string
  readonly at: number
}

/** `value` is `YYYY-MM-DDThh:mm:ss.sssZ`, in UTC, truncated to milliseconds. (docs/reference/api/queries.md#dates) */
export interface DateTimeLiteral {
  readonly kind: 'datetime'
  readonly value: string
  readonly at: number
}

/** `value` is `hh:mm:ss.sssZ`, in UTC, truncated to milliseconds. (docs/reference/api/queries.md#dates) */
export interface TimeLiteral {
  readonly kind: 'time'
  readonly value: string
  readonly at: number
}

/** `TODAY`, `LAST_N_DAYS:30`. (docs/reference/api/queries.md#dates) */
export type NamedDateLiteral =
  | {
      readonly kind: 'dateLiteral'
      readonly name: FixedDateLiteral
      readonly n?: undefined
      readonly at: number
    }
  | {
      readonly kind: 'dateLiteral'
      readonly name: CountedDateLiteral
      /** A non-negative safe integer. */
      readonly n: number
      readonly at: number
    }

/** `USD5000`, `eur-10.50`. (docs/reference/api/queries.md#distances) */
export interface CurrencyLiteral {
  readonly kind: 'currency'
  /** In upper case; not checked against known currencies here. */
  readonly iso: string
  readonly amount: number
  /** The amount as typed. */
  readonly text: string
  readonly at: number
}
