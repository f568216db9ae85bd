import { getOrInsert } from '../../base/get-or-insert.ts'
import { joinActivityField } from '../../definitions/formats/activity-fields.ts'
import type { Note, NoteKind } from '../../importers/note.ts'
import type { Place } from '../archive/text-places.ts'
import { picklistsOf } from './compare-component.ts'
import type { ComponentPlaces } from './component-places.ts'
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

/** Properties with the formulas that notes of a kind are about. */
const FORMULAS: Partial<Record<NoteKind, string>> = {
  formula: 'formula',
  default: 'default',
  validation: 'condition',
}

/** A problem of a component. */
export interface Remark {
  readonly isError: boolean
  readonly text: string
  /** In the file of the component, where it is known. */
  readonly place?: Place | undefined
}

interface SplitNote {
  readonly text: string
  /** In the formula that the note is about. */
  readonly place?: Place
  /** As definition files call it. */
  readonly property?: string | undefined
}

/**
 * Splits a note. What is said of a formula stands behind its place in the formula, `2:5: Field Amount__c does not exist.`, of another
 * property often behind the name: `children: Part__c has children Parts__r already`.
 */
function splitNote({ what, kind }: Note): SplitNote {
  const [, line, column, rest] = /^(\d+):(\d+): (.*)$/s.exec(what) ?? []
  if (line === undefined) return { text: what, property: /^([a-z]\w{0,40}): /i.exec(what)?.[1] }
  return {
    text: `${rest}, at ${line}:${column}`,
    place: { line: Number(line), column: Number(column) },
    property: FORMULAS[kind],
  }
}

/** Finds the component that a note is about, or one that has it. */
function makeFinder(components: readonly Component[]): (note: Note) => Component | undefined {
  const named = new Map<string, Component[]>()
  for (const one of components) {
    // A tab has the name of its object, and nothing was read of it.
    if (one.state === 'not supported') continue
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
    const inOrder = [wanted, 'CustomObject'].map((type) => found.find((one) => one.type === type))
    return (
      inOrder.find((one) => one !== undefined) ??
      found[0] ??
      named.get(joinActivityField(name))?.[0] ??
      named.get(object)?.[0]
    )
  }
}

/**
 * Tells which components the notes of an import are about. Takes a pause after each of them.
 * @returns remarks by component; by undefined those about none of them
 */
export function* judgeNotes(
  components: readonly Component[],
  notes: readonly Note[],
  places: ComponentPlaces,
): Generator<void, Map<Component | undefined, Remark[]>> {
  const remarks = new Map<Component | undefined, Remark[]>()
  const findComponent = makeFinder(components)
  for (const note of notes) {
    const component = findComponent(note)
    const { text, place, property } = splitNote(note)
    getOrInsert(remarks, component, () => []).push({
      isError: ERRORS.includes(note.kind),
      text: component === undefined ? `${note.location}: ${text}` : text,
      place: component && places.find(component, property, place),
    })
    yield
  }
  return remarks
}
