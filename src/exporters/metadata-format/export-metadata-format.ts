import type { DefinitionFiles } from '../../definitions/formats/object-file.ts'
import { type Component, pathOfComponent, writeComponent } from '../components/component.ts'
import { ExportNotes } from '../components/export-notes.ts'
import { makeComponents } from '../components/make-components.ts'
import { selectComponents } from './select-components.ts'
import { listMembers, type TypeMembers } from './type-members.ts'

/** A component of a type or of its children's. */
interface Named {
  readonly type: string
  readonly fullName: string
}

/** A component with its file. */
interface MetadataFile extends Named {
  /** `objects/Job__c.object` */
  readonly path: string
  readonly text: string
  /** Components inside the file, such as the fields of an object. */
  readonly children: readonly Named[]
}

interface Exported {
  readonly files: readonly MetadataFile[]
  /** The members that a manifest of these files names. */
  readonly members: readonly TypeMembers[]
  /** A sentence for each member that was asked for and is not there. */
  readonly messages: readonly string[]
  /** Parts that the export left out, a line each. */
  readonly notes: readonly string[]
}

/** Makes the components of definition files, and pauses between them. */
function* listComponents(definitions: DefinitionFiles, notes: ExportNotes): Generator<void, Component[]> {
  const all: Component[] = []
  for (const component of makeComponents(definitions, notes)) {
    all.push(component)
    yield
  }
  return all
}

/**
 * Writes definition files in metadata format: a file for each component, of an object with everything inside in the order
 * of names. It can be run in slices.
 * @param wanted the components that are asked for; all of them if absent
 */
export function* exportMetadataFormat(
  definitions: DefinitionFiles,
  wanted?: readonly TypeMembers[],
): Generator<void, Exported> {
  const notes = new ExportNotes()
  const all = yield* listComponents(definitions, notes)
  const { components, messages } =
    wanted === undefined ? { components: all, messages: [] } : selectComponents(all, wanted)
  const files: MetadataFile[] = []
  for (const component of components) {
    const { type, fullName } = component
    const children = component.children.toSorted((a, b) => (a.fullName < b.fullName ? -1 : 1))
    // Nothing is said of a standard object that has neither parts nor changes.
    if (component.content === undefined && children.length === 0) continue
    const text = yield* writeComponent(component, children)
    files.push({ type, fullName, path: pathOfComponent(component), text, children })
  }
  return { files, members: listMembers(components), messages, notes: notes.lines }
}
