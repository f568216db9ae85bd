import { ApiError } from '../../base/api-error.ts'
import { isEventObject, isMetadataType } from '../definitions/custom-name.ts'
import type { ObjectDefinition } from '../definitions/definition.ts'

const DIGITS = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz']

export const MAX_CUSTOM_OBJECTS = DIGITS.length ** 2

/** Letters that ids of the org's own objects start with, by the kind of the object: there may be so many of each kind. */
const LETTERS = { object: 'a', type: 'm', event: 'e' } as const

type Kind = keyof typeof LETTERS

export const kindOf = (name: string): Kind =>
  isMetadataType(name) ? 'type' : isEventObject(name) ? 'event' : 'object'

/** The letter that ids of an object of the org start with. */
export const findIdLetter = (name: string): string => LETTERS[kindOf(name)]

/**
 * A new custom object takes the next free prefix: a00, a01, ... a0z, a10, ..., a metadata type m00, m01, ..., a platform event e00, e01, ...
 * (docs/reference/api/records.md#ids)
 */
function* freePrefixes(letter: string, taken: ReadonlySet<string>): Generator<string, never> {
  for (const first of DIGITS) {
    for (const second of DIGITS) {
      const prefix = `${letter}${first}${second}`
      if (!taken.has(prefix)) yield prefix
    }
  }
  throw new ApiError(
    'DEPLOYMENT_REFUSED',
    'An org can have 3,844 custom objects, 3,844 metadata types and 3,844 platform events',
  )
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

/** Assigns key prefixes to new objects, and ids to their new parts that are records. */
export async function withIdentities(
  definitions: readonly ObjectDefinition[],
  before: readonly ObjectDefinition[],
  makeId: MakeId,
): Promise<ObjectDefinition[]> {
  const taken = new Set([...before, ...definitions].map(({ keyPrefix }) => keyPrefix))
  const free = {
    object: freePrefixes(LETTERS.object, taken),
    type: freePrefixes(LETTERS.type, taken),
    event: freePrefixes(LETTERS.event, taken),
  } as const satisfies Record<Kind, unknown>
  const byPrefix = new Map<string, ObjectDefinition>()
  const identified: ObjectDefinition[] = []
  for (const definition of definitions) {
    const keyPrefix =
      definition.keyPrefix === '' ? free[kindOf(definition.name)].next().value : definition.keyPrefix
    const twin = byPrefix.get(keyPrefix)
    if (twin !== undefined) {
      const said = `${definition.name}: ids of ${twin.name} start with ${keyPrefix} already; take keyPrefix out of its file`
      throw new ApiError('DEPLOYMENT_REFUSED', said)
    }
    byPrefix.set(keyPrefix, definition)
    const { recordTypes, listViews, records } = definition
    identified.push({
      ...definition,
      keyPrefix,
      ...(recordTypes && { recordTypes: await withIds(recordTypes, '012', makeId) }),
      ...(listViews && { listViews: await withIds(listViews, '00B', makeId) }),
      ...(records && { records: await withIds(records, keyPrefix, makeId) }),
    })
  }
  return identified
}
