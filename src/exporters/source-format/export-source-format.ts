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
import { CHILD_TYPES } from '../components/component-types.ts'
import { ExportNotes } from '../components/export-notes.ts'
import { makeComponents } from '../components/make-components.ts'
import { writeXml } from '../components/write-xml.ts'

interface Exported {
  readonly files: ReadonlyMap<string, string>
  /** Parts that the export left out, a line each. */
  readonly notes: readonly string[]
}

/** The file of a child; undefined: its type stands in the file of its parent. */
function fileOfChild({ fullName }: Component, child: ChildComponent): readonly [string, string] | undefined {
  const { element, suffix } = CHILD_TYPES.get(child.type)!
  if (suffix === undefined) return undefined
  const path = `objects/${fullName}/${element}/${makeFileName(nameOfChild(child))}.${suffix}-meta.xml`
  return [path, drain(writeXml(child.type, childContent(child)))]
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
    const inside = component.children.filter((child) => {
      const file = fileOfChild(component, child)
      if (file !== undefined) files.set(...file)
      return file === undefined
    })
    if (component.content !== undefined)
      files.set(pathOf(component), drain(writeComponent(component, inside)))
  }
  return { files, notes: notes.lines }
}
