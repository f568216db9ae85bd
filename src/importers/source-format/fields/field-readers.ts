import type { FieldFile } from '../../../definitions/formats/field-file.ts'
import { isMetadataType } from '../../../schema/definitions/custom-name.ts'
import type { FieldType } from '../../../schema/fields/field-type.ts'
import { FIELD_TYPES } from '../../../schema/fields/registry.ts'
import type { SourcePart } from '../../../schema/fields/type-in-source-format.ts'
import type { NotePad } from '../../notes.ts'
import type { MetadataElement } from '../project/metadata-element.ts'
import { type FieldSource, findLocation } from './field-source.ts'
import { readReference } from './read-reference.ts'
import { readSummary } from './read-summary.ts'
import { readPicklistValues } from './read-values.ts'

/** Placeholders of a format for parts of the date: `{MMDDYY}`. They are not supported and would be plain text. */
const DAY = /\{[YMD]+\}[-_/. ]?/gi

/** Reads the display format of an autonumber. */
export function readAutonumberFormat(xml: MetadataElement, location: string, pad: NotePad): string {
  const source = xml.text('displayFormat') ?? '{0}'
  const format = source.replaceAll(DAY, '')
  if (format !== source) pad.add('autonumber', location, `${source} names the day: the format is ${format}`)
  const first = xml.number('startingNumber')
  if (first !== undefined && first !== 1) pad.add('autonumber', location, `starts at 1, not at ${first}`)
  return format
}

/** A flag, left out when it is false. */
const readFlag = <Name extends keyof FieldFile>({ xml }: FieldSource, name: Name): FieldFile =>
  xml.isTrue(name) ? { [name]: true } : {}

/** A reference to a record of another system, stored as a text with its id. */
function readForeignReference(what: string, max: number) {
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
function readMetadataReference(source: FieldSource): FieldFile {
  const isBetweenTypes = [source.object, source.xml.text('referenceTo') ?? ''].every(isMetadataType)
  if (!isBetweenTypes) return readAsText(source)
  source.xml.all('deleteConstraint')
  const { onDelete: _, ...field } = readReference(source)
  return field
}

type Reader = (source: FieldSource) => FieldFile

function readLength({ xml }: FieldSource, { file }: FieldType): FieldFile {
  const said = xml.number('length')
  const max = file?.maxLength
  return said === undefined || max === undefined ? {} : { length: Math.min(said, max) }
}

const readKey: Reader = (source) => ({
  ...readFlag(source, 'unique'),
  ...readFlag(source, 'externalId'),
  ...(source.xml.isTrue('unique') ? readFlag(source, 'caseSensitive') : {}),
})

/** The visible rows of a multi-select picklist. */
function readRows({ xml }: FieldSource): FieldFile {
  const lines = xml.number('visibleLines')
  return lines === undefined ? {} : { precision: Math.min(Math.max(lines, 3), 10) }
}

function readValues(source: FieldSource): FieldFile {
  const { xml, project } = source
  const values = readPicklistValues(xml, project.valuesOfSet)
  if (values === undefined) return { values: [] }
  const { valueSet } = values
  if (valueSet === undefined || project.valuesOfSet(valueSet) !== undefined) return values
  project.pad.add(
    'picklist',
    findLocation(source),
    `its value set ${valueSet} is not among the files: no values`,
  )
  return { values: [] }
}

/** Notes masks other than asterisks for the full text. */
function readMask(source: FieldSource): FieldFile {
  const { xml, project } = source
  const [character, kind] = [xml.text('maskChar') ?? 'asterisk', xml.text('maskType') ?? 'all']
  if (character !== 'asterisk' || kind !== 'all') {
    project.pad.add(
      'access',
      findLocation(source),
      `its mask is * for all of it, not ${character} for ${kind}`,
    )
  }
  return {}
}

const PARTS: Readonly<Record<SourcePart, (source: FieldSource, type: FieldType) => FieldFile>> = {
  length: readLength,
  required: (source) => readFlag(source, 'required'),
  key: readKey,
  externalId: (source) => readFlag(source, 'externalId'),
  digits: ({ xml }) => ({ precision: xml.number('precision') ?? 18, scale: xml.number('scale') ?? 0 }),
  values: readValues,
  rows: readRows,
  format: (source) => ({
    format: readAutonumberFormat(source.xml, findLocation(source), source.project.pad),
  }),
  mask: readMask,
  reference: readReference,
}

const readType =
  (type: FieldType): Reader =>
  (source) =>
    Object.assign({ type: type.name }, ...type.sourceFormat!.reads.map((part) => PARTS[part](source, type)))

/** The readers of the types that are field types here, by their names there. */
const ofTypes = Object.values(FIELD_TYPES).flatMap((type): [string, Reader][] =>
  type.sourceFormat === undefined || type.sourceFormat.isOther === true
    ? []
    : [[type.sourceFormat.name, readType(type)]],
)

/** How to read each field type of the format. */
export const FIELD_READERS: Readonly<Record<string, Reader>> = {
  ...Object.fromEntries(ofTypes),
  ExternalLookup: readForeignReference('an external lookup', 255),
  Hierarchy: readReference,
  IndirectLookup: readForeignReference('an indirect lookup', 255),
  MasterDetail: readReference,
  MetadataRelationship: readMetadataReference,
  Summary: readSummary,
}
