import type { ObjectDefinition } from '../definitions/definition.ts'
import type { FieldDefinition } from '../fields/field-definition.ts'

/**
 * How a change treats what it does not name. `extend` only adds objects, and fields to existing objects. `keep` applies
 * everything that it names and keeps the rest. `replace` removes everything that it does not name. `restore` also
 * replaces key prefixes with those of the definitions.
 */
export type ChangeMode = 'extend' | 'keep' | 'replace' | 'restore'

const mapByName = <T extends { readonly name: string }>(named: readonly T[]): ReadonlyMap<string, T> =>
  new Map(named.map((one) => [one.name.toLowerCase(), one]))

function lacking(known: readonly FieldDefinition[], more: readonly FieldDefinition[]) {
  const names = mapByName(known)
  return more.filter(({ name }) => !names.has(name.toLowerCase()))
}

function extended(known: ObjectDefinition, wanted: ObjectDefinition): ObjectDefinition {
  const added = lacking(known.fields, wanted.fields)
  return added.length === 0 ? known : { ...known, fields: [...known.fields, ...added] }
}

/** A named part of an object that has a record of its own. */
interface Part {
  readonly name: string
  readonly id?: string
}

type Parts<T> = readonly T[] | undefined

/** The wanted parts, then the other existing ones; undefined when there are none. */
function mergeParts<T extends Part>(known: Parts<T>, wanted: Parts<T>): Parts<T> {
  const kept = known?.filter(({ name }) => !wanted?.some((part) => part.name === name)) ?? []
  return kept.length === 0 ? wanted : [...(wanted ?? []), ...kept]
}

/** The wanted parts with the ids of the existing ones. */
const withKnownIds = <T extends Part>(known: Parts<T>, wanted: Parts<T>): Parts<T> =>
  wanted?.map((part) => {
    const id = known?.find(({ name }) => name === part.name)?.id
    return id === undefined ? part : { ...part, id }
  })

/** A detail whose reference to its master is kept stays one: without an owner, shared as its master. */
function keepsMaster(known: ObjectDefinition, kept: readonly FieldDefinition[]): Partial<ObjectDefinition> {
  const isDetail = kept.some(({ masterDetail }) => masterDetail !== undefined)
  return isDetail ? { ownerless: known.ownerless === true, sharing: known.sharing ?? 'readWrite' } : {}
}

function keeping(known: ObjectDefinition, wanted: ObjectDefinition): ObjectDefinition {
  const kept = lacking(wanted.fields, known.fields)
  const recordTypes = mergeParts(known.recordTypes, wanted.recordTypes)
  const listViews = mergeParts(known.listViews, wanted.listViews)
  const records = mergeParts(known.records, wanted.records)
  return {
    ...keepsMaster(known, kept),
    ...wanted,
    fields: [...wanted.fields, ...kept],
    ...(recordTypes && { recordTypes }),
    ...(listViews && { listViews }),
    ...(records && { records }),
  }
}

/** Keeps what the platform assigned to an object: its key prefix, and the ids of its parts. */
function keepIdentities(known: ObjectDefinition | undefined, wanted: ObjectDefinition): ObjectDefinition {
  if (known === undefined) return wanted
  const recordTypes = withKnownIds(known.recordTypes, wanted.recordTypes)
  const listViews = withKnownIds(known.listViews, wanted.listViews)
  const records = withKnownIds(known.records, wanted.records)
  return {
    ...wanted,
    keyPrefix: known.keyPrefix,
    ...(recordTypes && { recordTypes }),
    ...(listViews && { listViews }),
    ...(records && { records }),
  }
}

/** The definitions of all objects after a change. */
export function mergeDefinitions(
  before: readonly ObjectDefinition[],
  wanted: readonly ObjectDefinition[],
  mode: ChangeMode,
): ObjectDefinition[] {
  if (mode === 'restore') return [...wanted]
  const known = mapByName(before)
  const knownOf = (name: string) => known.get(name.toLowerCase())
  const named = wanted.map((object) => {
    const known = knownOf(object.name)
    if (known === undefined || mode === 'replace') return keepIdentities(known, object)
    return mode === 'extend' ? extended(known, object) : keepIdentities(known, keeping(known, object))
  })
  if (mode === 'replace') return named
  const replaced = mapByName(wanted)
  return [...before.filter(({ name }) => !replaced.has(name.toLowerCase())), ...named]
}
