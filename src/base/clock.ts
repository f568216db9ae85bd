/** Current time. Tests replace it. */
export type Clock = () => Date

/** Returns the clock of an org by its id, which may be offset; without an id, the system clock. */
export type ClockOf = (orgId: string | undefined) => Clock

export const systemClock: Clock = () => new Date()

/** Seconds since 1970, with their fraction. */
export const secondsNow = (clock: Clock): number => clock().getTime() / 1000

/** `2026-01-02T03:04:05Z`. Records store whole seconds, so fractions are truncated. (docs/reference/api/records.md#audit-fields) */
export function secondsText(date: Date): string {
  const second = Math.floor(date.getTime() / 1000)
  if (second !== last.second) last = { second, text: `${date.toISOString().slice(0, 19)}Z` }
  return last.text
}

/** Thousands of records may be written within a second. */
let last = { second: Number.NaN, text: '' }
