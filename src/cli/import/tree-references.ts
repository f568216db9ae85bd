import { isObject } from '../../base/json.ts'
/** The records below a record: what stands under the names of its child relationships. */
export const findBranches = (record: Readonly<Record<string, unknown>>) =>
  Object.values(record).flatMap((value) =>
    isObject(value) && Array.isArray(value.records) ? value.records.filter(isObject) : [],
  )

/** How many records a tree has. */
export const countRecords = (record: Readonly<Record<string, unknown>>): number =>
  findBranches(record).reduce((sum, child) => sum + countRecords(child), 1)

/** The names of all records of a tree. */
export function namesIn(record: Readonly<Record<string, unknown>>): string[] {
  const { attributes } = record
  const own =
    isObject(attributes) && typeof attributes.referenceId === 'string' ? [attributes.referenceId] : []
  return [...own, ...findBranches(record).flatMap(namesIn)]
}

/** The names that a tree refers to: `@AccountRef1`. */
export function mentionsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.startsWith('@') ? [value.slice(1)] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(mentionsIn) : []
}

/** The same record with ids in place of the names that are known; an unknown one is left for the server to judge. */
export function fillReferences<T>(value: T, ids: ReadonlyMap<string, string>): T {
  if (typeof value === 'string') return ((value.startsWith('@') && ids.get(value.slice(1))) || value) as T
  if (Array.isArray(value)) return value.map((item) => fillReferences(item, ids)) as T
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, fillReferences(item, ids)]),
  ) as T
}
