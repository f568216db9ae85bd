import type { FieldFile } from '../../definitions/field-file.ts'
import { type FieldSource, findLocation } from './field-source.ts'
import { readAutonumberFormat } from './read-autonumber-format.ts'
import { readReference } from './read-reference.ts'
import { readSummary } from './read-summary.ts'
import { readPicklistValues } from './read-values.ts'

type Reader = (source: FieldSource) => FieldFile

/** A flag, left out when it is false. */
const flag = <Name extends keyof FieldFile>({ xml }: FieldSource, name: Name): FieldFile =>
  xml.isTrue(name) ? { [name]: true } : {}

const key = (source: FieldSource): FieldFile => {
  const unique = source.xml.isTrue('unique')
  return {
    ...flag(source, 'unique'),
    ...flag(source, 'externalId'),
    ...(unique ? flag(source, 'caseSensitive') : {}),
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
    ...flag(source, 'required'),
    ...key(source),
  })

const plain =
  (type: FieldFile['type'], max = 131_072): Reader =>
  (source) => ({ type, ...length(source, max), ...flag(source, 'required') })

const decimal =
  (type: FieldFile['type']): Reader =>
  (source) => ({
    type,
    precision: source.xml.number('precision') ?? 18,
    scale: source.xml.number('scale') ?? 0,
    ...flag(source, 'required'),
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
    const common: FieldFile = { type, ...flag(source, 'required') }
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
    ...flag(source, 'externalId'),
  }
}

/** A reference to a record of another system, stored as a text with its id. */
function foreign(what: string, max: number): Reader {
  return (source) => {
    const target = source.xml.text('referenceTo') ?? source.xml.text('referenceTargetField') ?? 'elsewhere'
    for (const name of ['relationshipName', 'relationshipLabel', 'deleteConstraint']) source.xml.all(name)
    source.project.pad.add(
      'type',
      findLocation(source),
      `${what} to ${target}: a text of ${max} characters now`,
    )
    return { type: 'string', length: max, ...flag(source, 'required') }
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
  ExternalLookup: foreign('an external lookup', 255),
  Hierarchy: readReference,
  Html: plain('richtextarea'),
  IndirectLookup: foreign('an indirect lookup', 255),
  Location: () => ({ type: 'location' }),
  LongTextArea: plain('longtextarea'),
  Lookup: readReference,
  MasterDetail: readReference,
  MetadataRelationship: foreign('a reference to metadata', 255),
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
