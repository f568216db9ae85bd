/** Functions over many records. (contract/soql 2 `agg`, 6) */
export const AGGREGATE_FUNCTIONS = ['AVG', 'COUNT', 'COUNT_DISTINCT', 'MIN', 'MAX', 'SUM'] as const

/** Functions that take a part out of a date or a datetime. (contract/soql 2 `dateFn`, 5.6) */
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

/** Functions over one field of one record, with that field as their only argument. (contract/soql 3.7) */
export const FIELD_FUNCTIONS = ['toLabel', 'convertCurrency', 'GROUPING'] as const

export type AggregateFunction = (typeof AGGREGATE_FUNCTIONS)[number]
export type DateFunction = (typeof DATE_FUNCTIONS)[number]
export type FieldFunction = (typeof FIELD_FUNCTIONS)[number]
