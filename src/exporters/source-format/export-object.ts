import { makeFileName, makeLabel, makePlural } from '../../definitions/formats/definition-name.ts'
import type { FieldFile } from '../../definitions/formats/field-file.ts'
import type { ObjectFile, RecordFile, RecordTypeFile } from '../../definitions/formats/object-file.ts'
import { isCustomObject, isEventObject, isMetadataType } from '../../schema/definitions/custom-name.ts'
import { FIELD_TYPES } from '../../schema/fields/registry.ts'
import { exportField, exportStandardField, type KnownObjects } from './export-field.ts'
import type { ExportNotes } from './export-notes.ts'
import { writeXml, type XmlContent } from './write-xml.ts'

type Content = Readonly<Record<string, XmlContent | undefined>>

/** Texts of files by their path. */
export type ExportedFiles = Map<string, string>

const SHARING = {
  private: 'Private',
  read: 'Read',
  readWrite: 'ReadWrite',
  controlledByParent: 'ControlledByParent',
} as const

function writeNameField(object: string, field: FieldFile): Content {
  const { type = 'string', label = `${object} Name` } = field
  const { counted, file, sourceFormat } = FIELD_TYPES[type]
  const format = field.format ?? file!.defaults!.format
  return { label, ...(counted === true && { displayFormat: format }), type: sourceFormat!.name }
}

function writeCustomObject(name: string, file: ObjectFile): Content {
  const label = file.label ?? makeLabel(name)
  const { labelPlural = makePlural(label), description, setting, fields } = file
  const texts = { description, label, pluralLabel: labelPlural }
  if (isMetadataType(name)) return { ...texts, visibility: 'Public' }
  if (isEventObject(name))
    return {
      deploymentStatus: 'Deployed',
      eventType: 'HighVolume',
      ...texts,
      publishBehavior: file.publish === 'immediately' ? 'PublishImmediately' : 'PublishAfterCommit',
    }
  if (setting !== undefined)
    return { customSettingsType: setting === 'list' ? 'List' : 'Hierarchy', ...texts, visibility: 'Public' }
  const isDetail = Object.values(fields ?? {}).some((field) => field?.masterDetail !== undefined)
  return {
    deploymentStatus: 'Deployed',
    enableActivities: file.activities === true,
    enableHistory: file.trackHistory === true,
    enableSearch: file.searchable !== false,
    ...texts,
    nameField: writeNameField(label, fields?.Name ?? {}) as XmlContent,
    sharingModel: SHARING[file.sharing ?? (isDetail ? 'controlledByParent' : 'readWrite')],
  }
}

/** The file of a standard object; undefined: it says nothing of it. */
function writeStandardObject({ label, labelPlural, description, trackHistory, sharing }: ObjectFile) {
  const content = {
    description,
    ...(trackHistory === true && { enableHistory: true }),
    label,
    pluralLabel: labelPlural,
    ...(sharing !== undefined && { sharingModel: SHARING[sharing] }),
  }
  return Object.values(content).every((value) => value === undefined) ? undefined : content
}

function writeRecordType(name: string, file: RecordTypeFile): Content {
  const { label = makeLabel(name), description, inactive, picklists = {} } = file
  return {
    fullName: name,
    active: inactive !== true,
    description,
    label,
    picklistValues: Object.entries(picklists).map(([picklist, values]) => ({
      picklist,
      values: values.map((value) => ({ fullName: encodeURIComponent(value), default: false })),
    })),
  }
}

const XSI = {
  '@_xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
  '@_xmlns:xsd': 'http://www.w3.org/2001/XMLSchema',
}

const XSD_TYPES: Readonly<Record<string, string>> = {
  string: 'xsd:string',
  number: 'xsd:double',
  boolean: 'xsd:boolean',
}

function writeRecord(name: string, { label = makeLabel(name), values = {} }: RecordFile): Content {
  return {
    ...XSI,
    label,
    protected: false,
    values: Object.entries(values).map(([field, value]) => ({
      field,
      value:
        value === null
          ? { '@_xsi:nil': 'true' }
          : { '@_xsi:type': XSD_TYPES[typeof value]!, '#text': String(value) },
    })),
  }
}

/** Notes what the format has no place for. */
function noteOthers(name: string, file: ObjectFile, notes: ExportNotes): void {
  const { ownerless, queueable, createable, updateable, deletable, keyPrefix, indexes, listViews } = file
  notes.addProperties(name, { ownerless, queueable, createable, updateable, deletable, keyPrefix, indexes })
  const [views, types] = [Object.keys(listViews ?? {}), Object.entries(file.recordTypes ?? {})]
  if (views.length > 0) notes.add(name, `list views are not written: ${views.join(', ')}`)
  for (const [type, content] of types)
    if (content?.default === true) notes.add(`${name}.${type}`, 'is the default, which profiles say there')
}

/** Writes the files of an object: its own, and one for each field, record type, rule and record. */
export function exportObject(
  name: string,
  file: ObjectFile,
  files: ExportedFiles,
  notes: ExportNotes,
  known: KnownObjects,
): void {
  const isCustom = isCustomObject(name)
  const folder = `objects/${name}`
  const content = isCustom ? writeCustomObject(name, file) : writeStandardObject(file)
  if (content !== undefined) files.set(`${folder}/${name}.object-meta.xml`, writeXml('CustomObject', content))
  noteOthers(name, file, notes)
  for (const [field, given] of Object.entries(file.fields ?? {})) {
    if (isCustom && field === 'Name') continue
    const location = `${name}.${field}`
    const written = field.endsWith('__c')
      ? exportField(location, given ?? {}, notes, known)
      : exportStandardField(location, given ?? {}, notes)
    if (written !== undefined)
      files.set(`${folder}/fields/${field}.field-meta.xml`, writeXml('CustomField', written))
  }
  for (const [type, given] of Object.entries(file.recordTypes ?? {}))
    files.set(
      `${folder}/recordTypes/${type}.recordType-meta.xml`,
      writeXml('RecordType', writeRecordType(type, given ?? {})),
    )
  for (const [rule, { condition, message, field, active, description }] of Object.entries(
    file.validations ?? {},
  )) {
    const written = {
      fullName: rule,
      active: active !== false,
      description,
      errorConditionFormula: condition,
      errorDisplayField: field,
      errorMessage: message,
    }
    files.set(
      `${folder}/validationRules/${makeFileName(rule)}.validationRule-meta.xml`,
      writeXml('ValidationRule', written),
    )
  }
  for (const [record, given] of Object.entries(file.records ?? {}))
    files.set(
      `customMetadata/${name.replace(/__mdt$/, '')}.${record}.md-meta.xml`,
      writeXml('CustomMetadata', writeRecord(record, given ?? {})),
    )
}
