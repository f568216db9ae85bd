/** When the fiscal years of an org start, and how they are named. */
export interface FiscalYear {
  /** The first month, 1 to 12. */
  readonly startMonth: number
  /** Named after the calendar year in which they start; else after the one in which they end. */
  readonly isNamedByStart: boolean
}

/** That of a new org: the calendar year. */
export const CALENDAR_YEAR: FiscalYear = { startMonth: 1, isNamedByStart: false }

/** The names of the months, in their order. */
export const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const
