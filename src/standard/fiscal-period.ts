import type { FiscalYear } from '../base/fiscal-year.ts'

/** The fiscal quarter that a day is in. */
export interface FiscalPeriod {
  readonly year: number
  /** 1 to 4. */
  readonly quarter: number
}

/** @param day `2026-11-20` */
export function getFiscalPeriod(day: string, { startMonth, isNamedByStart }: FiscalYear): FiscalPeriod {
  const [year, month] = day.split('-').map(Number) as [number, number]
  const passed = (month - startMonth + 12) % 12
  // The calendar year in which it starts, and the one in which it ends.
  const first = month >= startMonth ? year : year - 1
  const last = startMonth > 1 ? first + 1 : first
  return { year: isNamedByStart ? first : last, quarter: Math.floor(passed / 3) + 1 }
}
