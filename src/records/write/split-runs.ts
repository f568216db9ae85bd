import { ApiError } from '../../base/api-error.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'

/** One record of a list. */
interface Listed {
  readonly object: ObjectType | undefined
  /** Key in which the records of a run differ; undefined if it differs from all others. */
  readonly id?: string | undefined
}

/** Within so many records of one object that stand next to each other none is changed twice. */
const MAX_CHUNK = 200

/** The records that are in a chunk more than once, the first ones too. (docs/reference/strict-rules.md) */
export function findRepeated<E extends Listed>(entries: readonly E[]): ReadonlySet<E> {
  const repeated = new Set<E>()
  let chunk = new Map<string, E>()
  let length = 0
  let object: ObjectType | undefined
  for (const entry of entries) {
    if (length === MAX_CHUNK || entry.object !== object) {
      chunk = new Map()
      length = 0
      ;({ object } = entry)
    }
    length++
    if (entry.id === undefined) continue
    const first = chunk.get(entry.id)
    if (first === undefined) chunk.set(entry.id, entry)
    else repeated.add(first).add(entry)
  }
  return repeated
}

export const repeatedId = (id: string): ApiError =>
  new ApiError('DUPLICATE_VALUE', `Duplicate id specified: ${id}`, { fields: ['Id'] })

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
