import type { FieldFile } from '../../definitions/field-file.ts'
import type { FileValue } from '../file-value.ts'
import type { NotePad } from '../notes.ts'
import type { XmlElement } from './xml-element.ts'

/** What the fields of a project may need to know of each other. */
export interface Project {
  readonly pad: NotePad
  /** The values of a global value set; undefined: the project has none of this name. */
  valuesOfSet(name: string): readonly FileValue[] | undefined
  /** What a field named as `Expense__c.Amount__c` becomes; undefined when nobody knows. */
  fieldAt(path: string): FieldFile | undefined
}

/** A field of a project, to be read. */
export interface FieldSource {
  readonly object: string
  readonly name: string
  readonly xml: XmlElement
  readonly project: Project
}

export const findLocation = ({ object, name }: FieldSource) => `${object}.${name}`
