import type { FieldFile } from '../../definitions/field-file.ts'
import { type FieldSource, findLocation } from './field-source.ts'
import { readAutonumberFormat } from './read-autonumber-format.ts'
import { readFlag } from './read-flag.ts'
import { readForeignReference, readMetadataReference } from './read-foreign-reference.ts'
import { readReference } from './read-reference.ts'
import { readSummary } from './read-summary.ts'
import { readPicklistValues } from './read-values.ts'

type Reader = (source: FieldSource) => FieldFile

const key = (source: FieldSource): FieldFile => {
  const unique = source.xml.isTrue('unique')
  return {
    ...readFlag(source, 'unique'),
    ...readFlag(source, 'externalId'),
    ...(unique ? readFlag(source, 'caseSensitive') : {}),
  }
}

const length = ({ xml }: FieldSource, max: number): FieldFile => {
  const said = xml.number('length')
  return said === undefined ? {} : { length: Math.min(said, max) }
}

const text =
  (type: FieldFile['type'], max = 255): Reader =>
  (source) => ({
    type,
    ...length(source, max),
    ...readFlag(source, 'required'),
    ...key(source),
  })

const plain =
  (type: FieldFile['type'], max = 131_072): Reader =>
  (source) => ({ type, ...length(source, max), ...readFlag(source, 'required') })

const decimal =
  (type: FieldFile['type']): Reader =>
  (source) => ({
    type,
    precision: source.xml.number('precision') ?? 18,
    scale: source.xml.number('scale') ?? 0,
    ...readFlag(source, 'required'),
    ...key(source),
  })

/** The visible rows of a multi-select picklist. */
function visibleRows({ xml }: FieldSource): FieldFile {
  const lines = xml.number('visibleLines')
  return lines === undefined ? {} : { precision: Math.min(Math.max(lines, 3), 10) }
}

function list(type: FieldFile['type']): Reader {
  return (source) => {
    const { xml, project } = source
    const values = readPicklistValues(xml, project.valuesOfSet)
    const common: FieldFile = { type, ...readFlag(source, 'required') }
    if (values === undefined) return { ...common, values: [] }
    const { valueSet } = values
    if (valueSet === undefined || project.valuesOfSet(valueSet) !== undefined) return { ...common, ...values }
    project.pad.add(
      'picklist',
      findLocation(source),
      `its value set ${valueSet} is not among the files: no values`,
    )
    return { ...common, values: [] }
  }
}

/** An encrypted text. Notes masks other than asterisks for the full text. */
function encrypted(source: FieldSource): FieldFile {
  const { xml, project } = source
  const [character, kind] = [xml.text('maskChar') ?? 'asterisk', xml.text('maskType') ?? 'all']
  if (character !== 'asterisk' || kind !== 'all') {
    project.pad.add(
      'access',
      findLocation(source),
      `its mask is * for all of it, not ${character} for ${kind}`,
    )
  }
  return plain('encryptedstring', 175)(source)
}

function autonumber(source: FieldSource): FieldFile {
  return {
    type: 'autonumber',
    format: readAutonumberFormat(source.xml, findLocation(source), source.project.pad),
    ...readFlag(source, 'externalId'),
  }
}

/** How to read each field type of the format. */
export const FIELD_READERS: Readonly<Record<string, Reader>> = {
  Address: () => ({ type: 'address' }),
  AutoNumber: autonumber,
  Checkbox: () => ({ type: 'boolean' }),
  Currency: decimal('currency'),
  Date: plain('date'),
  DateTime: plain('datetime'),
  Email: text('email'),
  EncryptedText: encrypted,
  ExternalLookup: readForeignReference('an external lookup', 255),
  Hierarchy: readReference,
  Html: plain('richtextarea'),
  IndirectLookup: readForeignReference('an indirect lookup', 255),
  Location: () => ({ type: 'location' }),
  LongTextArea: plain('longtextarea'),
  Lookup: readReference,
  MasterDetail: readReference,
  MetadataRelationship: readMetadataReference,
  MultiselectPicklist: (source) => ({ ...list('multipicklist')(source), ...visibleRows(source) }),
  // Salesforce also describes integers as doubles.
  Number: decimal('double'),
  Percent: decimal('percent'),
  Phone: text('phone'),
  Picklist: list('picklist'),
  Summary: readSummary,
  Text: text('string'),
  TextArea: plain('textarea', 255),
  Time: plain('time'),
  Url: text('url'),
}
