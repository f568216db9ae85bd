import { getOrInsert } from '../../base/get-or-insert.ts'
import type { Note, NoteKind } from '../../importers/note.ts'
import { picklistsOf } from './compare-component.ts'
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
  formula: 'CustomField',
  rollUp: 'CustomField',
  default: 'CustomField',
  reference: 'CustomField',
  type: 'CustomField',
  validation: 'ValidationRule',
  recordType: 'RecordType',
  listView: 'ListView',
}

/** Types by what stands before a name in the location of a note. */
const PREFIXES: Readonly<Record<string, string>> = {
  'validation rule': 'ValidationRule',
  'record type': 'RecordType',
  'list view': 'ListView',
  record: 'CustomMetadata',
  'permission set': 'PermissionSet',
  profile: 'Profile',
  settings: 'Settings',
  label: 'CustomLabel',
  'channel member': 'PlatformEventChannelMember',
  channel: 'PlatformEventChannel',
  'global value set': 'GlobalValueSet',
  'standard value set': 'StandardValueSet',
}

const findPrefix = (location: string): string =>
  Object.keys(PREFIXES).find((prefix) => location.toLowerCase().startsWith(`${prefix} `)) ?? ''

/** A problem of a component. */
export interface Remark {
  readonly isError: boolean
  readonly text: string
}

/** Finds the component that a note is about, or one that has it. */
function makeFinder(components: readonly Component[]): (note: Note) => Component | undefined {
  const named = new Map<string, Component[]>()
  for (const one of components) {
    // What is wrong with the values of a standard set is noted of the picklists that take them.
    const picklists = one.type === 'StandardValueSet' ? picklistsOf(one.fullName) : []
    for (const name of [one.fullName, ...picklists])
      getOrInsert(named, name.toLowerCase(), () => []).push(one)
  }
  return ({ kind, location }) => {
    const prefix = findPrefix(location)
    const wanted = PREFIXES[prefix] ?? TYPES[kind]
    const spelled = prefix === '' ? location : location.slice(prefix.length + 1)
    const name = spelled.toLowerCase()
    const all = named.get(name) ?? []
    // Two that differ in case alone are not one: the second is refused.
    const exact = all.filter(({ fullName }) => fullName === spelled)
    const found = exact.length > 0 ? exact : all
    const [object = ''] = name.split('.', 1)
    return found.find(({ type }) => type === wanted) ?? found[0] ?? named.get(object)?.[0]
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
