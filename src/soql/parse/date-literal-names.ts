/** Named date literals without a number. (docs/reference/api/queries.md#dates) */
export const FIXED_DATE_LITERALS = [
  'YESTERDAY',
  'TODAY',
  'TOMORROW',
  'LAST_WEEK',
  'THIS_WEEK',
  'NEXT_WEEK',
  'LAST_MONTH',
  'THIS_MONTH',
  'NEXT_MONTH',
  'LAST_QUARTER',
  'THIS_QUARTER',
  'NEXT_QUARTER',
  'LAST_YEAR',
  'THIS_YEAR',
  'NEXT_YEAR',
  'LAST_90_DAYS',
  'NEXT_90_DAYS',
  'LAST_FISCAL_QUARTER',
  'THIS_FISCAL_QUARTER',
  'NEXT_FISCAL_QUARTER',
  'LAST_FISCAL_YEAR',
  'THIS_FISCAL_YEAR',
  'NEXT_FISCAL_YEAR',
] as const

/** Named date literals that take a number: `LAST_N_DAYS:n`. (docs/reference/api/queries.md#dates) */
export const COUNTED_DATE_LITERALS = [
  'LAST_N_DAYS',
  'NEXT_N_DAYS',
  'N_DAYS_AGO',
  'LAST_N_WEEKS',
  'NEXT_N_WEEKS',
  'N_WEEKS_AGO',
  'LAST_N_MONTHS',
  'NEXT_N_MONTHS',
  'N_MONTHS_AGO',
  'LAST_N_QUARTERS',
  'NEXT_N_QUARTERS',
  'N_QUARTERS_AGO',
  'LAST_N_YEARS',
  'NEXT_N_YEARS',
  'N_YEARS_AGO',
  'LAST_N_FISCAL_QUARTERS',
  'NEXT_N_FISCAL_QUARTERS',
  'N_FISCAL_QUARTERS_AGO',
  'LAST_N_FISCAL_YEARS',
  'NEXT_N_FISCAL_YEARS',
  'N_FISCAL_YEARS_AGO',
] as const

export type FixedDateLiteral = (typeof FIXED_DATE_LITERALS)[number]
export type CountedDateLiteral = (typeof COUNTED_DATE_LITERALS)[number]
