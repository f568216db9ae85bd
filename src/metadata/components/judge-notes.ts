import { getOrInsert } from '../../base/get-or-insert.ts'
import type { Note, NoteKind } from '../../importers/note.ts'
import type { Component } from './find-components.ts'

/** Notes of what does not do here what its source says, which a deployment must not pass over. */
const ERRORS: readonly NoteKind[] = [
  'formula',
  'rollUp',
  'validation',
  'default',
  'reference',
  'object',
  'refused',
  'duplicate',
  'picklist',
  'type',
]

/** Types that notes of a kind are about first; others have the same names. */
const TYPES: Partial<Record<NoteKind, string>> = {
  validation: 'ValidationRule',
  recordType: 'RecordType',
  listView: 'ListView',
}

/** A problem of a component. */
export interface Remark {
  readonly isError: boolean
  readonly text: string
}

const PREFIX =
  /^(?:validation rule|record type|list view|record|permission set|profile|settings|label|channel member|channel|global value set|standard value set) /i

/** Finds the component that a note is about, or one that has it. */
function makeFinder(components: readonly Component[]): (note: Note) => Component | undefined {
  const named = new Map<string, Component[]>()
  for (const one of components) getOrInsert(named, one.fullName.toLowerCase(), () => []).push(one)
  return ({ kind, location }) => {
    const name = location.replace(PREFIX, '').toLowerCase()
    const found = named.get(name) ?? []
    const [object = ''] = name.split('.', 1)
    return found.find(({ type }) => type === TYPES[kind]) ?? found[0] ?? named.get(object)?.[0]
  }
}

/**
 * Tells which components the notes of an import are about. Takes a pause after each of them.
 * @returns remarks by component; by undefined those about none of them
 */
export function* judgeNotes(
  components: readonly Component[],
  notes: readonly Note[],
): Generator<void, Map<Component | undefined, Remark[]>> {
  const remarks = new Map<Component | undefined, Remark[]>()
  const findComponent = makeFinder(components)
  for (const note of notes) {
    const component = findComponent(note)
    const text = component === undefined ? `${note.location}: ${note.what}` : note.what
    getOrInsert(remarks, component, () => []).push({ isError: ERRORS.includes(note.kind), text })
    yield
  }
  return remarks
}
