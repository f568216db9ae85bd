/** Averages and distances are computed in another way here: so much may they differ. */
const TOLERANCE = 1e-12

function sameNumber(a: number, b: number): boolean {
  return a === b || Math.abs(a - b) <= TOLERANCE * Math.max(Math.abs(a), Math.abs(b))
}

/** True if two JSON values are the same, the order of keys included, fractions as far as they can be told apart. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (typeof a === 'number' && typeof b === 'number') return sameNumber(a, b)
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  const [left, right] = [Object.entries(a), Object.entries(b)]
  return (
    Array.isArray(a) === Array.isArray(b) &&
    left.length === right.length &&
    left.every(([key, value], i) => key === right[i]![0] && sameJson(value, right[i]![1]))
  )
}

/** True if rows come in the runs expected, in any order within a run. */
export function sameRuns(rows: readonly unknown[], runs: readonly (readonly unknown[])[]): boolean {
  let start = 0
  for (const run of runs) {
    const left = rows.slice(start, start + run.length)
    start += run.length
    for (const expected of run) {
      const found = left.findIndex((row) => sameJson(row, expected))
      if (found < 0) return false
      left.splice(found, 1)
    }
  }
  return start === rows.length
}
