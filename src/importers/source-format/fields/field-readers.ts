import type { FieldFile } from '../../../definitions/formats/field-file.ts'
import type { FieldType } from '../../../schema/fields/field-type.ts'
import { FIELD_TYPES } from '../../../schema/fields/registry.ts'
import type { SourcePart } from '../../../schema/fields/type-in-source-format.ts'
import { type FieldSource, findLocation } from './field-source.ts'
import { readAutonumberFormat } from './read-autonumber-format.ts'
import { readFlag } from './read-flag.ts'
import { readForeignReference, readMetadataReference } from './read-foreign-reference.ts'
import { readReference } from './read-reference.ts'
import { readSummary } from './read-summary.ts'
import { readPicklistValues } from './read-values.ts'

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
