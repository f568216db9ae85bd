/** The fiscal quarter that a day is in. A fiscal year is named after the calendar year in which it ends. */
export interface FiscalPeriod {
  readonly year: number
  /** 1 to 4. */
  readonly quarter: number
}

/**
 * @param day `2026-11-20`
 * @param startMonth first month of the fiscal year, 1 to 12
 */
export function getFiscalPeriod(day: string, startMonth: number): FiscalPeriod {
  const [year, month] = day.split('-').map(Number) as [number, number]
  const passed = (month - startMonth + 12) % 12
  const endsNextYear = startMonth > 1 && month >= startMonth
  return { year: endsNextYear ? year + 1 : year, quarter: Math.floor(passed / 3) + 1 }
}
