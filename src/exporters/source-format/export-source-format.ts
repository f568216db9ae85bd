import { drain } from '../../base/run-in-slices.ts'
import { makeFileName } from '../../definitions/formats/definition-name.ts'
import type { DefinitionFiles } from '../../definitions/formats/object-file.ts'
import {
  type ChildComponent,
  type Component,
  childContent,
  nameOfChild,
  pathOfComponent,
  writeComponent,
} from '../components/component.ts'
import { getChildType } from '../components/component-types.ts'
import { ExportNotes } from '../components/export-notes.ts'
import { makeComponents } from '../components/make-components.ts'
import { writeXml } from '../components/write-xml.ts'

interface Exported {
  readonly files: ReadonlyMap<string, string>
  /** Parts that the export left out, a line each. */
  readonly notes: readonly string[]
}

/** Children that stand in the file of a component, and those that have files of their own. */
function splitChildren({ children }: Component): readonly [ChildComponent[], ChildComponent[]] {
  const isApart = ({ type }: ChildComponent) => getChildType(type).suffix !== undefined
  return [children.filter((child) => !isApart(child)), children.filter(isApart)]
}

function pathOfChild({ fullName }: Component, child: ChildComponent): string {
  const { element, suffix } = getChildType(child.type)
  return `objects/${fullName}/${element}/${makeFileName(nameOfChild(child))}.${suffix}-meta.xml`
}

/** Objects have a folder of their own. */
const pathOf = (component: Component) =>
  component.type === 'CustomObject'
    ? `objects/${component.fullName}/${component.fullName}.object-meta.xml`
    : `${pathOfComponent(component)}-meta.xml`

/** Writes definition files in source format, the inverse of its import. (docs/how-to/bring-your-schema.md) */
export function exportSourceFormat(definitions: DefinitionFiles): Exported {
  const files = new Map<string, string>()
  const notes = new ExportNotes()
  for (const component of makeComponents(definitions, notes)) {
    const [inside, apart] = splitChildren(component)
    if (component.content !== undefined)
      files.set(pathOf(component), drain(writeComponent(component, inside)))
    for (const child of apart)
      files.set(pathOfChild(component, child), drain(writeXml(child.type, childContent(child))))
  }
  return { files, notes: notes.lines }
}
