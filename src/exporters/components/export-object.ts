import { makeLabel, makePlural } from '../../definitions/formats/definition-name.ts'
import type { FieldFile } from '../../definitions/formats/field-file.ts'
import type {
  ObjectFile,
  RecordFile,
  RecordTypeFile,
  ValidationFile,
} from '../../definitions/formats/object-file.ts'
import { isCustomObject, isEventObject, isMetadataType } from '../../schema/definitions/custom-name.ts'
import { FIELD_TYPES } from '../../schema/fields/registry.ts'
import type { ChildComponent, Component } from './component.ts'
import type { ChildTypeName } from './component-types.ts'
import { exportField, exportStandardField, type KnownObjects } from './export-field.ts'
import { exportListView } from './export-list-view.ts'
import type { ExportNotes } from './export-notes.ts'
import type { Content } from './write-xml.ts'

const SHARING = {
  private: 'Private',
  read: 'Read',
  readWrite: 'ReadWrite',
  controlledByParent: 'ControlledByParent',
} as const

function exportNameField(object: string, field: FieldFile): Content {
  const { type = 'string', label = `${object} Name` } = field
  const { counted, file, sourceFormat } = FIELD_TYPES[type]
  const format = field.format ?? file!.defaults!.format
  return { label, ...(counted === true && { displayFormat: format }), type: sourceFormat!.name }
}

function exportCustomObject(name: string, file: ObjectFile): Content {
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
    // Settings have no plural there, unless one was given.
    return {
      customSettingsType: setting === 'list' ? 'List' : 'Hierarchy',
      ...{ ...texts, pluralLabel: file.labelPlural },
      visibility: 'Public',
    }
  const isDetail = Object.values(fields ?? {}).some((field) => field?.masterDetail !== undefined)
  return {
    deploymentStatus: 'Deployed',
    enableActivities: file.activities === true,
    enableHistory: file.trackHistory === true,
    enableSearch: file.searchable !== false,
    ...texts,
    nameField: exportNameField(label, fields?.Name ?? {}),
    sharingModel: SHARING[file.sharing ?? (isDetail ? 'controlledByParent' : 'readWrite')],
  }
}

/** Returns the properties of a standard object itself, or undefined if there are none to write. */
function exportStandardObject({ label, labelPlural, description, trackHistory, sharing }: ObjectFile) {
  const content = {
    description,
    ...(trackHistory === true && { enableHistory: true }),
    label,
    pluralLabel: labelPlural,
    ...(sharing !== undefined && { sharingModel: SHARING[sharing] }),
  }
  return Object.values(content).every((value) => value === undefined) ? undefined : content
}

/** The format encodes the characters of a value that addresses have no place for, but not spaces. */
const encodeValue = (value: string) => encodeURIComponent(value).replaceAll('%20', ' ')

function exportRecordType(name: string, file: RecordTypeFile): Content {
  const { label = makeLabel(name), description, inactive, picklists = {} } = file
  return {
    active: inactive !== true,
    description,
    label,
    picklistValues: Object.entries(picklists).map(([picklist, values]) => ({
      picklist,
      values: values.map((value) => ({ fullName: encodeValue(value), default: false })),
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

function exportRecord(name: string, { label = makeLabel(name), values = {} }: RecordFile): Content {
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
  const { ownerless, queueable, createable, updateable, deletable, keyPrefix, indexes } = file
  notes.addProperties(name, { ownerless, queueable, createable, updateable, deletable, keyPrefix, indexes })
  for (const [type, content] of Object.entries(file.recordTypes ?? {}))
    if (content?.default === true) notes.add(`${name}.${type}`, 'is the default, which profiles say there')
}

const exportRule = ({ condition, message, field, active, description }: ValidationFile): Content => ({
  active: active !== false,
  description,
  errorConditionFormula: condition,
  errorDisplayField: field,
  errorMessage: message,
})

/** Makes the component of an object, with its fields, record types, list views and rules. */
export function exportObject(
  name: string,
  file: ObjectFile,
  notes: ExportNotes,
  known: KnownObjects,
): Component {
  const isCustom = isCustomObject(name)
  noteOthers(name, file, notes)
  const children: ChildComponent[] = []
  const add = (type: ChildTypeName, child: string, content: Content | undefined) => {
    if (content !== undefined) children.push({ type, fullName: `${name}.${child}`, content })
  }
  for (const [field, given] of Object.entries(file.fields ?? {})) {
    if (isCustom && field === 'Name') continue
    const location = `${name}.${field}`
    const content = field.endsWith('__c')
      ? exportField(location, given ?? {}, notes, known)
      : exportStandardField(location, given ?? {}, notes)
    add('CustomField', field, content)
  }
  for (const [type, given] of Object.entries(file.recordTypes ?? {}))
    add('RecordType', type, exportRecordType(type, given ?? {}))
  for (const [view, given] of Object.entries(file.listViews ?? {}))
    add('ListView', view, exportListView(name, view, given ?? {}, known.fieldAt, notes))
  for (const [rule, given] of Object.entries(file.validations ?? {}))
    add('ValidationRule', rule, exportRule(given))
  return {
    type: 'CustomObject',
    fullName: name,
    content: isCustom ? exportCustomObject(name, file) : exportStandardObject(file),
    children,
  }
}

/** Makes a component for each record of a metadata type. */
export function* exportRecords(name: string, { records = {} }: ObjectFile): Generator<Component> {
  const type = name.replace(/__mdt$/, '')
  for (const [record, given] of Object.entries(records))
    yield {
      type: 'CustomMetadata',
      fullName: `${type}.${record}`,
      content: exportRecord(record, given ?? {}),
      children: [],
    }
}
