import type { DefinitionFiles } from '../../definitions/formats/object-file.ts'
import { type Component, makeRootName, withChildren } from '../components/component.ts'
import { ExportNotes } from '../components/export-notes.ts'
import { makeComponents } from '../components/make-components.ts'
import { type Content, putInOrder } from '../components/write-xml.ts'
import { selectComponents } from './select-components.ts'

/** Returns the element of a component of a type, which may be a child of a selected one. */
function findElement(components: readonly Component[], type: string, fullName: string): Content | undefined {
  for (const component of components) {
    if (component.type === type && component.fullName === fullName) {
      const content = { ...withChildren(component, component.children), fullName }
      return { '@_xsi:type': makeRootName(component), ...content }
    }
    const child = component.children.find((one) => one.type === type && one.fullName === fullName)
    if (child !== undefined) return { '@_xsi:type': type, ...child.content, fullName }
  }
  return undefined
}

/**
 * Makes the elements of some components of a type, as the files of an export have them; undefined for those that are not there. It can be
 * run in slices.
 */
export function* readComponents(
  definitions: DefinitionFiles,
  type: string,
  names: readonly string[],
): Generator<void, (Content | undefined)[]> {
  const all: Component[] = []
  for (const component of makeComponents(definitions, new ExportNotes())) {
    all.push(component)
    yield
  }
  const { components } = selectComponents(all, [{ type, members: names }])
  const found: (Content | undefined)[] = []
  for (const name of names) {
    const element = findElement(components, type, name)
    found.push(element && (putInOrder(element) as Content))
    yield
  }
  return found
}
