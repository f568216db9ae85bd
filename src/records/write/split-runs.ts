import type { ObjectType } from '../../schema/objects/object-type.ts'

/** One record of a list. */
interface Listed {
  readonly object: ObjectType | undefined
  /** What the records of a run differ in; undefined: it differs from all others. */
  readonly id?: string | undefined
}

/** Records of one object that stand next to each other; the same record twice belongs to two runs. */
export function splitRuns<E extends Listed>(entries: readonly E[]): E[][] {
  const runs: E[][] = []
  let ids = new Set<string>()
  for (const entry of entries) {
    const run = runs.at(-1)
    const again = entry.id !== undefined && ids.has(entry.id)
    if (run === undefined || run[0]!.object !== entry.object || again) {
      runs.push([entry])
      ids = new Set()
    } else run.push(entry)
    if (entry.id !== undefined) ids.add(entry.id)
  }
  return runs
}
