import type { FieldFile, FileValue } from '../../../definitions/formats/field-file.ts'
import type { ObjectFile } from '../../../definitions/formats/object-file.ts'
import type { NotePad } from '../../notes.ts'
import type { MetadataElement } from '../project/metadata-element.ts'

/** Access to other fields and value sets of the project. */
export interface Project {
  readonly pad: NotePad
  /** The values of a global value set; undefined when the project has none of this name. */
  valuesOfSet(name: string): readonly FileValue[] | undefined
  /** The imported field of a path such as `Expense__c.Amount__c`; undefined when it does not exist. */
  fieldAt(path: string): FieldFile | undefined
  /** The object as it is known, where what the project does not say of it stays so. */
  kept(object: string): ObjectFile | undefined
  /** Names of the record types of an object with a label. */
  recordTypesWith(object: string, label: string): readonly string[]
}

/** A field of a project. */
export interface FieldSource {
  readonly object: string
  readonly name: string
  readonly xml: MetadataElement
  readonly project: Project
}

export const findLocation = ({ object, name }: FieldSource) => `${object}.${name}`
