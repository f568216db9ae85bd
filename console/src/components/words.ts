const UNITS = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
] as const

/** `2 d`, `3 h`, `45 s`: the largest unit. */
export function describeSeconds(seconds: number): string {
  const [size, unit] = UNITS.find(([size]) => seconds >= size) ?? [1, 's']
  return `${Math.floor(seconds / size)} ${unit}`
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })
const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })

/** The time of day here. */
export const timeOfDay = (time: Date | number | string): string => clock.format(new Date(time))

/** Day and time here. */
export const dayAndTime = (time: Date | number | string): string => moment.format(new Date(time))

const number = new Intl.NumberFormat('en-GB')

/** `12,345`. */
export const count = (value: number): string => number.format(value)

/** `3.4 kB`. */
export function describeBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** `12 ms`, `1.2 s`. */
export const describeDuration = (ms: number): string =>
  ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
