import type { AggregateFunction, DateFunction, FieldFunction } from './function-names.ts'
import type { NumberLiteral } from './literal.ts'

/** A single name as typed: object, alias, relationship, scope, category. (docs/reference/api/queries.md#names) */
export interface Name {
  readonly kind: 'name'
  readonly text: string
  readonly at: number
}

/** `Name`, `Account.Name`, `c.Account.Name`: at least one segment, each as typed. (docs/reference/api/queries.md#fields, docs/reference/api/queries.md#parents) */
export interface FieldPath {
  readonly kind: 'path'
  readonly segments: readonly string[]
  readonly at: number
}

/** Anything that can be compared, sorted by, or (in part) grouped by. */
export type Expression = FieldPath | FunctionCall

/**
 * A call whose number and kinds of arguments the parser has checked; `function` discriminates. Whether the function may
 * be used in that clause, on that field, is checked by analysis. (docs/reference/api/queries.md#functions)
 */
export type FunctionCall = AggregateCall | DateCall | FieldCall | FormatCall | DistanceCall

interface Call {
  readonly kind: 'call'
  /** As typed. */
  readonly name: string
  readonly at: number
}

/** `SUM(Amount)`; only `COUNT()` has no argument. */
export interface AggregateCall extends Call {
  readonly function: AggregateFunction
  readonly args: readonly [] | readonly [FieldPath]
}

/** `CALENDAR_YEAR(CloseDate)`, `DAY_ONLY(convertTimezone(CreatedDate))`. (docs/reference/api/queries.md#parts-of-dates) */
export interface DateCall extends Call {
  readonly function: DateFunction
  readonly args: readonly [FieldPath | ConvertTimezoneCall]
}

/** `toLabel(Status)`, `convertCurrency(Amount)`, `GROUPING(Status)`. */
export interface FieldCall extends Call {
  readonly function: FieldFunction
  readonly args: readonly [FieldPath]
}

/** `FORMAT(Amount)`, `FORMAT(MIN(CloseDate))`. */
export interface FormatCall extends Call {
  readonly function: 'FORMAT'
  readonly args: readonly [Expression]
}

/** `DISTANCE(Site__c, GEOLOCATION(59.9, 10.7), 'km')`. (docs/reference/api/queries.md#distances) */
export interface DistanceCall extends Call {
  readonly function: 'DISTANCE'
  readonly args: readonly [FieldPath, FieldPath | GeolocationCall, DistanceUnit]
}

/** Only inside a date function. */
export interface ConvertTimezoneCall extends Call {
  readonly function: 'convertTimezone'
  readonly args: readonly [FieldPath]
}

/** Only inside DISTANCE: latitude, longitude. */
export interface GeolocationCall extends Call {
  readonly function: 'GEOLOCATION'
  readonly args: readonly [NumberLiteral, NumberLiteral]
}

export interface DistanceUnit {
  readonly kind: 'unit'
  readonly value: 'mi' | 'km'
  readonly at: number
}
