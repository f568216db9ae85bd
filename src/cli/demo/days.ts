const DAY = 86_400_000

/** The day that is so many days after another, or before it: `2026-03-01`. */
export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10)

/** Of two days the one that comes first. */
export const earlier = (one: string, other: string): string => (one < other ? one : other)
