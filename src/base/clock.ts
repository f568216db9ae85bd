/** The time of a call. Tests bring their own. */
export type Clock = () => Date

/** The clock of an org, by its id: it may have been moved. Undefined: the machine's. */
export type ClockOf = (orgId: string | undefined) => Clock

export const systemClock: Clock = () => new Date()

/** `2026-01-02T03:04:05Z`: records keep whole seconds, so the rest is cut. (docs/reference/api/records.md#audit-fields) */
export function secondsText(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`
}
