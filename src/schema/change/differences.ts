import { isDeepStrictEqual } from 'node:util'

const shown = (value: unknown): string => {
  if (value === undefined) return 'none'
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string')) return value.join(', ')
  return typeof value === 'string' ? `"${value}"` : JSON.stringify(value)
}

const listed = (entry: unknown) =>
  typeof entry === 'string' ? entry : (entry as { readonly value: string }).value

/** `values + A, − B`, or that only what belongs to them changed. */
function valueDifferences(before: readonly unknown[], after: readonly unknown[]): string {
  const [old, now] = [before.map(listed), after.map(listed)]
  const signs = [
    ...now.filter((value) => !old.includes(value)).map((value) => `+ ${value}`),
    ...old.filter((value) => !now.includes(value)).map((value) => `− ${value}`),
  ]
  if (signs.length > 6) return `values ${signs.slice(0, 6).join(', ')} and ${signs.length - 6} more`
  return signs.length === 0 ? 'values' : `values ${signs.join(', ')}`
}

/** Describes the differences of two definitions in words: `length 20 → 40`. */
export function differences(
  before: object,
  after: object,
  without: readonly string[] = [],
): readonly { readonly property: string; readonly what: string }[] {
  const [old, now] = [before as Record<string, unknown>, after as Record<string, unknown>]
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])]
  return names
    .filter((name) => !without.includes(name) && !isDeepStrictEqual(old[name], now[name]))
    .map((property) => {
      const [from, to] = [old[property], now[property]]
      if (property === 'values' && Array.isArray(from) && Array.isArray(to)) {
        return { property, what: valueDifferences(from, to) }
      }
      return { property, what: `${property} ${shown(from)} → ${shown(to)}` }
    })
}
