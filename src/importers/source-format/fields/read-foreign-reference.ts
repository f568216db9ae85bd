import type { FieldFile } from '../../../definitions/formats/field-file.ts'
import { isMetadataType } from '../../../schema/definitions/custom-name.ts'
import { type FieldSource, findLocation } from './field-source.ts'
import { readFlag } from './read-flag.ts'
import { readReference } from './read-reference.ts'

/** A reference to a record of another system, stored as a text with its id. */
export function readForeignReference(what: string, max: number) {
  return (source: FieldSource): FieldFile => {
    const target = source.xml.text('referenceTo') ?? source.xml.text('referenceTargetField') ?? 'elsewhere'
    for (const name of ['relationshipName', 'relationshipLabel', 'deleteConstraint']) source.xml.all(name)
    source.project.pad.add(
      'type',
      findLocation(source),
      `${what} to ${target}: a text of ${max} characters now`,
    )
    return { type: 'string', length: max, ...readFlag(source, 'required') }
  }
}

const readAsText = readForeignReference('a reference to metadata', 255)

/** Between metadata types it is a reference. Others name objects and fields, or a record that may come and go. */
export function readMetadataReference(source: FieldSource): FieldFile {
  const isBetweenTypes = [source.object, source.xml.text('referenceTo') ?? ''].every(isMetadataType)
  if (!isBetweenTypes) return readAsText(source)
  source.xml.all('deleteConstraint')
  const { onDelete: _, ...field } = readReference(source)
  return field
}
