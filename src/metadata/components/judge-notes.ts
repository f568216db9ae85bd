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

/** The component that a note is about, or one that has it. */
function findComponent(components: readonly Component[], { kind, location }: Note): Component | undefined {
  const name = location.replace(PREFIX, '').toLowerCase()
  const named = components.filter(({ fullName }) => fullName.toLowerCase() === name)
  const [object = ''] = name.split('.')
  return (
    named.find(({ type }) => type === TYPES[kind]) ??
    named[0] ??
    components.find(({ fullName }) => fullName.toLowerCase() === object)
  )
}

/**
 * Tells which components the notes of an import are about.
 * @returns remarks by component; by undefined those about none of them
 */
export function judgeNotes(
  components: readonly Component[],
  notes: readonly Note[],
): Map<Component | undefined, Remark[]> {
  const remarks = new Map<Component | undefined, Remark[]>()
  for (const note of notes) {
    const component = findComponent(components, note)
    const text = component === undefined ? `${note.location}: ${note.what}` : note.what
    const known = remarks.get(component) ?? []
    remarks.set(component, [...known, { isError: ERRORS.includes(note.kind), text }])
  }
  return remarks
}
