import type { FieldDefinition, ObjectDefinition } from '../definitions/definition.ts'

/**
 * What a change says about what it does not name. `extend` only adds: objects that are not there, and to those that are
 * the fields that they lack. `keep` makes everything that it names so, and leaves the rest alone. `replace` is the whole:
 * what it does not name goes. `restore` is the same to the last sign: ids start as the definitions say.
 */
export type ChangeMode = 'extend' | 'keep' | 'replace' | 'restore'

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

const lacking = (known: readonly FieldDefinition[], more: readonly FieldDefinition[]) =>
  more.filter((field) => !known.some(({ name }) => same(name, field.name)))

function extended(known: ObjectDefinition, wanted: ObjectDefinition): ObjectDefinition {
  const added = lacking(known.fields, wanted.fields)
  return added.length === 0 ? known : { ...known, fields: [...known.fields, ...added] }
}

/** Something of an object that has a name in it, and a record with an id. */
interface Part {
  readonly name: string
  readonly id?: string
}

type Parts<T> = readonly T[] | undefined

/** The wanted ones and then those that are there beside them; undefined when there are none at all. */
function alongside<T extends Part>(known: Parts<T>, wanted: Parts<T>): Parts<T> {
  const kept = known?.filter(({ name }) => !wanted?.some((part) => part.name === name)) ?? []
  return kept.length === 0 ? wanted : [...(wanted ?? []), ...kept]
}

/** The wanted ones with the ids of those that are there. */
const withKnownIds = <T extends Part>(known: Parts<T>, wanted: Parts<T>): Parts<T> =>
  wanted?.map((part) => {
    const id = known?.find(({ name }) => name === part.name)?.id
    return id === undefined ? part : { ...part, id }
  })

function keeping(known: ObjectDefinition, wanted: ObjectDefinition): ObjectDefinition {
  const kept = lacking(wanted.fields, known.fields)
  const recordTypes = alongside(known.recordTypes, wanted.recordTypes)
  const listViews = alongside(known.listViews, wanted.listViews)
  return {
    ...wanted,
    fields: [...wanted.fields, ...kept],
    ...(recordTypes && { recordTypes }),
    ...(listViews && { listViews }),
  }
}

/** What the platform gave an object stays: the start of its ids, the ids of its record types and list views. */
function identified(known: ObjectDefinition | undefined, wanted: ObjectDefinition): ObjectDefinition {
  if (known === undefined) return wanted
  const recordTypes = withKnownIds(known.recordTypes, wanted.recordTypes)
  const listViews = withKnownIds(known.listViews, wanted.listViews)
  return {
    ...wanted,
    keyPrefix: known.keyPrefix,
    ...(recordTypes && { recordTypes }),
    ...(listViews && { listViews }),
  }
}

/** The definitions of all objects after a change. */
export function mergeDefinitions(
  before: readonly ObjectDefinition[],
  wanted: readonly ObjectDefinition[],
  mode: ChangeMode,
): ObjectDefinition[] {
  if (mode === 'restore') return [...wanted]
  const knownOf = (name: string) => before.find((object) => same(object.name, name))
  const named = wanted.map((object) => {
    const known = knownOf(object.name)
    if (known === undefined || mode === 'replace') return identified(known, object)
    return mode === 'extend' ? extended(known, object) : identified(known, keeping(known, object))
  })
  if (mode === 'replace') return named
  return [...before.filter((object) => !wanted.some(({ name }) => same(name, object.name))), ...named]
}
