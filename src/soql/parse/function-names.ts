/** Functions over many records. (docs/reference/api/queries.md#groups) */
export const AGGREGATE_FUNCTIONS = ['AVG', 'COUNT', 'COUNT_DISTINCT', 'MIN', 'MAX', 'SUM'] as const

/** True of a function over many records. */
export const isAggregateFunction = (name: string): name is AggregateFunction =>
  (AGGREGATE_FUNCTIONS as readonly string[]).includes(name)

/** Functions that extract a part of a date or a datetime. (docs/reference/api/queries.md#parts-of-dates) */
export const DATE_FUNCTIONS = [
  'CALENDAR_MONTH',
  'CALENDAR_QUARTER',
  'CALENDAR_YEAR',
  'DAY_IN_MONTH',
  'DAY_IN_WEEK',
  'DAY_IN_YEAR',
  'DAY_ONLY',
  'FISCAL_MONTH',
  'FISCAL_QUARTER',
  'FISCAL_YEAR',
  'HOUR_IN_DAY',
  'WEEK_IN_MONTH',
  'WEEK_IN_YEAR',
] as const

/** Functions of one field of a record, their only argument. (docs/reference/api/queries.md#functions) */
export const FIELD_FUNCTIONS = ['toLabel', 'convertCurrency', 'GROUPING'] as const

export type AggregateFunction = (typeof AGGREGATE_FUNCTIONS)[number]
export type DateFunction = (typeof DATE_FUNCTIONS)[number]
export type FieldFunction = (typeof FIELD_FUNCTIONS)[number]
