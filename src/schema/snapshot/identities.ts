import { ApiError } from '../../base/api-error.ts'
import type { ObjectDefinition } from '../definitions/definition.ts'

const DIGITS = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz']

export const MAX_CUSTOM_OBJECTS = DIGITS.length ** 2

/** A new custom object takes the next free prefix: a00, a01, ... a0z, a10, ... (docs/reference/api/records.md#ids) */
function* freePrefixes(taken: ReadonlySet<string>): Generator<string, never> {
  for (const first of DIGITS) {
    for (const second of DIGITS) {
      const prefix = `a${first}${second}`
      if (!taken.has(prefix)) yield prefix
    }
  }
  throw new ApiError('DEPLOYMENT_REFUSED', 'An org can have 3,844 custom objects')
}

type MakeId = (keyPrefix: string) => Promise<string>

/** Assigns ids to new parts that have records of their own. */
async function withIds<T extends { readonly id?: string }>(
  parts: readonly T[],
  keyPrefix: string,
  makeId: MakeId,
): Promise<T[]> {
  const identified: T[] = []
  for (const part of parts) {
    identified.push(part.id === undefined ? { ...part, id: await makeId(keyPrefix) } : part)
  }
  return identified
}

/** Assigns key prefixes to new objects, and ids to new record types and list views. */
export async function withIdentities(
  definitions: readonly ObjectDefinition[],
  before: readonly ObjectDefinition[],
  makeId: MakeId,
): Promise<ObjectDefinition[]> {
  const taken = new Set([...before, ...definitions].map(({ keyPrefix }) => keyPrefix))
  const free = freePrefixes(taken)
  const byPrefix = new Map<string, ObjectDefinition>()
  const identified: ObjectDefinition[] = []
  for (const definition of definitions) {
    const keyPrefix = definition.keyPrefix === '' ? free.next().value : definition.keyPrefix
    const twin = byPrefix.get(keyPrefix)
    if (twin !== undefined) {
      const said = `${definition.name}: ids of ${twin.name} start with ${keyPrefix} already; take keyPrefix out of its file`
      throw new ApiError('DEPLOYMENT_REFUSED', said)
    }
    byPrefix.set(keyPrefix, definition)
    const { recordTypes, listViews } = definition
    identified.push({
      ...definition,
      keyPrefix,
      ...(recordTypes && { recordTypes: await withIds(recordTypes, '012', makeId) }),
      ...(listViews && { listViews: await withIds(listViews, '00B', makeId) }),
    })
  }
  return identified
}
